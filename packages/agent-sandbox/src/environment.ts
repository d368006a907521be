/**
 * Which variables a child process gets: an allow-list, so that keys, tokens and hooks of the visitor's shell stay out.
 * Values that only one agent needs are the caller's, who passes them by name.
 */

/** Where things are, how text looks, how the network is reached. Nothing that holds a key of a service. */
const ALLOWED = [
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  // A proxy's address may hold a password; without it there is no network at all behind one.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  // Windows programs don't start without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
] as const

const ALLOWED_NAMES: ReadonlySet<string> = new Set(ALLOWED)
/** Locale categories: `LC_ALL`, `LC_CTYPE`, … */
const LOCALE = /^LC_[A-Z]+$/
/** What the engine says to itself: its admin token, its home. No child ever gets one of these, whoever asks. */
const OWN = /^LEURIA_/i
/** A name every shell and system takes. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The part of `env` that any child may see, with `added` on top. Names that begin with `LEURIA_` are left out of both.
 * Pure. @throws TypeError for a name or value in `added` that no system takes
 */
export function allowedEnvironment(env: Environment, added: Environment = {}): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && isAllowed(name)) kept[name] = value
  for (const [name, value] of Object.entries(added)) {
    if (value === undefined || OWN.test(name)) continue
    if (!VARIABLE_NAME.test(name) || value.includes('\0'))
      throw new TypeError(`"${name}" can't be an environment variable.`)
    kept[name] = value
  }
  return kept
}

function isAllowed(name: string): boolean {
  const upper = name.toUpperCase()
  return ALLOWED_NAMES.has(upper) || LOCALE.test(upper)
}
