// Builds the pages into dist/site; the server beside them is built by tsup (tsup.config.ts).
import { defaultClientConditions, defineConfig } from 'vite'

/** Each is served at its name; the first at the root (src/server/site-files.ts). */
const PAGES = ['index.html', 'notes.html', 'desk.html', 'picture.html']

export default defineConfig({
  // Our own packages are taken from their sources: no build needed before `vite`.
  resolve: { conditions: ['@leuria/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: { input: PAGES },
  },
})
