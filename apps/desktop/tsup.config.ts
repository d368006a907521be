// Bundles the program into dist/leuria-sidecar.js.
import { defineConfig } from 'tsup'
import { bundleProgram } from '../../tooling/bundle-program.js'

export default defineConfig(bundleProgram('leuria-sidecar'))
