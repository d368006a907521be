/**
 * What the file for a plain script tag holds: the client and the elements, as the global `Leuria`. Bundled to
 * `dist/standalone.js`; as a module it exports nothing.
 */
import * as client from '@leuria/client'
import * as connect from './index.js'

const names = { ...client, ...connect }

declare global {
  // A global of a script is a `var`.
  var Leuria: typeof names
}

globalThis.Leuria = names
