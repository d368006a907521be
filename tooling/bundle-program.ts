// How a program of ours is bundled: one folder of files that runs on its own, every import of it, npm packages included
// (they are all devDependencies). One file also starts about twice as fast as a tree of modules.
import type { Options } from 'tsup'

/** tsup's options for a program whose start file is `src/<name>.ts`. */
export function bundleProgram(name: string): Options {
  return {
    entry: { [name]: `src/${name}.ts` },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    outDir: 'dist',
    clean: true,
    sourcemap: true,
    noExternal: [/./],
    banner: {
      // Packages in CommonJS (ws, commander) call require() for Node's own modules.
      js: "#!/usr/bin/env node\nimport { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
    },
    esbuildOptions(options) {
      options.conditions = ['@leuria/source', 'module']
    },
  }
}
