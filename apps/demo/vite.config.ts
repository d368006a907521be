// Builds the page into dist/site; the server beside it is built by tsup (tsup.config.ts).
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  // Our own packages are taken from their sources: no build needed before `vite`.
  resolve: { conditions: ['@leuria/source', ...defaultClientConditions] },
  build: { outDir: 'dist/site', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
})
