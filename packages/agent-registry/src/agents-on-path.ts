/** Agents that are on this computer already: programs of known names on the PATH. Looks at files; runs nothing. */
import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Environment, findProgram } from '@leuria/agent-sandbox'
import * as z from 'zod/mini'
import type { RunnableAgent } from './manifest.js'
import { namesOf, type RegistryAgent } from './registry-document.js'

/** What an agent's program is called when its maker's own installer put it there, and how it is told to speak ACP. */
const KNOWN: Readonly<
  Record<string, { readonly program: string; readonly name: string; readonly args: readonly string[] }>
> = {
  'claude-acp': { program: 'claude-agent-acp', name: 'Claude Code', args: [] },
  'codex-acp': { program: 'codex-acp', name: 'Codex', args: [] },
  gemini: { program: 'gemini', name: 'Gemini CLI', args: ['--acp'] },
  'github-copilot-cli': { program: 'copilot', name: 'GitHub Copilot', args: ['--acp'] },
  opencode: { program: 'opencode', name: 'OpenCode', args: ['acp'] },
  'qwen-code': { program: 'qwen', name: 'Qwen Code', args: ['--acp'] },
  goose: { program: 'goose', name: 'Goose', args: ['acp'] },
}

/** Ids that mean a certain agent to the rest of the house, whether a list is there or not. */
export const KNOWN_IDS: readonly string[] = Object.keys(KNOWN)

const packageFile = z.looseObject({ name: z.string(), version: z.string() })

/** Those of the known agents that are here. Arguments come from the registry's entry where it has one. */
export async function findOnPath(env: Environment, listed: readonly RegistryAgent[]): Promise<RunnableAgent[]> {
  const found = await Promise.all(
    Object.entries(KNOWN).map(async ([id, known]) => {
      const program = await findProgram(known.program, { path: env['PATH'], pathExt: env['PATHEXT'] })
      if (program === null) return []
      const entry = listed.find((agent) => namesOf(id).includes(agent.id))
      return [await describe(program, { id, name: entry?.name ?? known.name, args: argsOf(entry) ?? known.args })]
    }),
  )
  return found.flat()
}

function argsOf(entry: RegistryAgent | undefined): readonly string[] | null {
  const { npx, binary = {} } = entry?.distribution ?? {}
  return npx?.args ?? Object.values(binary).find((target) => target !== undefined)?.args ?? null
}

async function describe(program: string, agent: { id: string; name: string; args: readonly string[] }) {
  const real = await realpath(program)
  const home = await packageOf(real)
  const origin = 'found' as const
  return { ...agent, version: home?.version ?? null, origin, command: real, env: {}, readable: [home?.folder ?? real] }
}

/** How many folders a program lies below its package's own. */
const MAX_DEPTH = 5

/** The npm package that a program is part of, found by its `package.json` right inside `node_modules`. */
async function packageOf(program: string): Promise<{ folder: string; version: string } | null> {
  let folder = dirname(program)
  for (let depth = 0; depth < MAX_DEPTH && /[/\\]node_modules[/\\]/.test(folder); depth += 1) {
    if (/[/\\]node_modules[/\\](@[^/\\]+[/\\])?[^/\\]+$/.test(folder)) return versionOf(folder)
    folder = dirname(folder)
  }
  return null
}

async function versionOf(folder: string): Promise<{ folder: string; version: string } | null> {
  try {
    const read = packageFile.safeParse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    return read.success ? { folder, version: read.data.version } : null
  } catch {
    return null
  }
}
