// Bundles the sidecar and the desktop program into a file each that runs on its own: every import, npm packages included, goes in
// (they are all devDependencies). One file also starts about twice as fast as a tree of modules.
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { 'leuria-sidecar': 'src/leuria-sidecar.ts', 'leuria-desktop': 'src/leuria-desktop.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  // The window's files are built beside.
  clean: ['!ui', '!ui/**'],
  splitting: false,
  sourcemap: true,
  noExternal: [/./],
  banner: {
    // Packages in CommonJS (ws, commander) call require() for Node's own modules.
    js: "#!/usr/bin/env node\nimport { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
  },
  esbuildOptions(options) {
    options.conditions = ['@leuria/source', 'module']
  },
})
