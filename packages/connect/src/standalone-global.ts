/**
 * What the file for a plain script tag holds: the client and the elements, as the global `Leuria`. Bundled to
 * `dist/standalone.js`; as a module it exports nothing.
 */
import * as client from '@leuria/client'
import * as connect from './index.js'

/** What is of no use without `@leuria/client/webmcp-capture`, another script, is left out. */
type LeftOut = 'capturedTools' | 'subscribeCapturedTools'

const names: Omit<typeof client, LeftOut> & typeof connect = { ...client, ...connect }

declare global {
  // A global of a script is a `var`.
  var Leuria: typeof names
}

globalThis.Leuria = names
