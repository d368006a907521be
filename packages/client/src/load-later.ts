/** Loads the part of this package that connecting doesn't need: once, when it is first asked for. */
import { LeuriaError } from './errors.js'

/** @throws LeuriaError `not_loaded` when the site doesn't give it */
export async function loadLater() {
  try {
    return await import('./loaded-later.js')
  } catch (cause) {
    throw new LeuriaError('A part of this page could not be loaded. Please try again.', { code: 'not_loaded', cause })
  }
}
