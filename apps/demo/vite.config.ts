// Builds the demo site; packages are taken from their sources, so `vite` alone works without a build before it.
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  resolve: { conditions: ['@leuria/source', ...defaultClientConditions] },
  build: { target: 'es2022', sourcemap: true },
})
