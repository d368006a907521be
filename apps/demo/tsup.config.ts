// Bundles the page's small server into dist/serve.js: one file that needs nothing but Node.
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { serve: 'src/server/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  noExternal: [/./],
})
