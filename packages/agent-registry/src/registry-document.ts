/**
 * The public ACP registry's format (`agent.schema.json`, v1), read from outside: what can't be read is left out, one
 * entry at a time. Ids, versions and package names become parts of paths and command lines, so they are held tight.
 */
import * as z from 'zod/mini'

const AGENT_ID = /^[a-z][a-z0-9-]{0,63}$/
const VERSION = /^[0-9A-Za-z](?!.*\.\.)[0-9A-Za-z.+_-]{0,63}$/
/** A name of npm's with an exact version: no tag, no range, no address, no option. */
const NPM_SPEC =
  /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*@\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/i
/** A name of PyPI's with an exact version, `name@1.2` or `name==1.2`, extras allowed. */
const PYTHON_SPEC = /^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9,._-]+\])?(@|==)[0-9][0-9A-Za-z.!+-]*$/

const strings = z._default(z.array(z.string().check(z.refine((text) => !text.includes('\0')))), [])
const variables = z._default(z.record(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)), z.string()), {})

const binaryTarget = z.looseObject({
  archive: z.string().check(z.regex(/^https:\/\//)),
  cmd: z.string(),
  args: strings,
  env: variables,
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/i))),
})
const npmPackage = z.looseObject({ package: z.string().check(z.regex(NPM_SPEC)), args: strings, env: variables })
const pythonPackage = z.looseObject({ package: z.string().check(z.regex(PYTHON_SPEC)), args: strings, env: variables })

/** A part that can't be read counts as absent: the others may do. */
const distribution = z.looseObject({
  npx: z.catch(z.optional(npmPackage), undefined),
  uvx: z.catch(z.optional(pythonPackage), undefined),
  binary: z._default(z.record(z.string(), z.catch(z.optional(binaryTarget), undefined)), {}),
})

export const agentId = z.string().check(z.regex(AGENT_ID))
export const agentVersion = z.string().check(z.regex(VERSION))

/** Shown in terminals and windows, where a control character does more than show. */
const words = z.pipe(
  z.string(),
  z.transform((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()),
)
const MAX_DESCRIPTION_LENGTH = 500

const registryAgent = z.looseObject({
  id: agentId,
  name: z.pipe(words, z.string().check(z.minLength(1), z.maxLength(200))),
  version: agentVersion,
  description: z.catch(
    z.pipe(
      words,
      z.transform((text) => text.slice(0, MAX_DESCRIPTION_LENGTH)),
    ),
    '',
  ),
  website: z.catch(z.optional(z.string()), undefined),
  license: z.catch(z.optional(z.string()), undefined),
  icon: z.catch(z.optional(z.string()), undefined),
  distribution,
})
const registryDocument = z.looseObject({ agents: z.array(z.unknown()) })

/** An agent as the registry describes it. */
export type RegistryAgent = z.infer<typeof registryAgent>
export type BinaryTarget = z.infer<typeof binaryTarget>
export type PackageSource = z.infer<typeof npmPackage>

/** The agents of a document, or null when it isn't one. Of two with the same id the first counts. */
export function readDocument(document: unknown): RegistryAgent[] | null {
  const read = registryDocument.safeParse(document)
  if (!read.success) return null
  const agents = new Map<string, RegistryAgent>()
  for (const entry of read.data.agents) {
    const agent = registryAgent.safeParse(entry)
    if (agent.success && !agents.has(agent.data.id)) agents.set(agent.data.id, agent.data)
  }
  return [...agents.values()]
}

/** Two names that the registry has had for one agent. */
const ALIASES: Readonly<Record<string, string>> = { 'claude-code-acp': 'claude-acp', 'claude-acp': 'claude-code-acp' }

/** The id itself, then another that means the same agent. */
export function namesOf(id: string): string[] {
  const alias = Object.hasOwn(ALIASES, id) ? ALIASES[id] : undefined
  return alias === undefined ? [id] : [id, alias]
}

/** This computer in the registry's words, for example `linux-x86_64`; null: not one it knows. */
export function platformKey(platform: string, arch: string): string | null {
  const system = { darwin: 'darwin', linux: 'linux', win32: 'windows' }[platform]
  const processor = { arm64: 'aarch64', x64: 'x86_64' }[arch]
  return system === undefined || processor === undefined ? null : `${system}-${processor}`
}
