/** This engine's version: the package's own, which `GET /health` and the process events show. */

/** Kept equal to the version in `package.json`; a test compares them. */
export const ENGINE_VERSION = '0.1.0'
