// Bundles the command line into files that run on their own: every import, npm packages included, goes in
// (they are all devDependencies). Few files also start several times as fast as a tree of modules.
import { dirname, resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'

const START = resolve('src/commands/start.ts')

/**
 * Keeps the code that every start needs in one file. The bundler makes a file for each set of parts that are loaded
 * together, and so a dozen small ones, each of which costs a start half a millisecond. Whatever is loaded later has a start
 * behind it anyway, so it is said to need that code, too, and the sets become one.
 */
const startInOneFile: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'start-in-one-file',
  setup(build) {
    build.onResolve({ filter: /./, namespace: 'file' }, async ({ path: asked, kind, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const { path, external } = await build.resolve(asked, { kind: 'import-statement', importer, resolveDir })
      return external || path === START || path === '' ? null : { path, namespace: 'later' }
    })
    build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: `import ${JSON.stringify(START)}\nexport * from ${JSON.stringify(path)}`,
      resolveDir: dirname(path),
    }))
  },
}

export default defineConfig({
  entry: { leuria: 'src/leuria.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  clean: true,
  sourcemap: true,
  noExternal: [/./],
  esbuildPlugins: [startInOneFile],
  banner: {
    // Packages in CommonJS (ws, commander) call require() for Node's own modules.
    js: "#!/usr/bin/env node\nimport { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
  },
  esbuildOptions(options) {
    options.conditions = ['@leuria/source', 'module']
  },
})
