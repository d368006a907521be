/** Which sandbox this machine has, and whether it holds here. How one works is the business of its own file. */
import { AgentError } from '@leuria/agent'
import { type BoxSetup, makeSurroundings, proveIn } from './box-launch.js'
import type { BoxProof, ProofFault } from './box-proof.js'
import type { WrapCommand } from './box-view.js'
import { bubblewrap } from './bubblewrap.js'
import type { Environment } from './environment.js'
import { findProgram } from './program-search.js'
import { SANDBOX_EXEC, seatbelt } from './seatbelt.js'

export type BoxKind = 'bubblewrap' | 'sandbox-exec' | 'none'

export type FoundSandbox =
  | { readonly kind: 'bubblewrap' | 'sandbox-exec'; readonly wrap: WrapCommand }
  | { readonly kind: 'none'; readonly wrap: null; readonly proof: BoxProof }

export interface SandboxWish {
  readonly sandbox?: boolean
  readonly bubblewrap?: string
}

/** Looks for the sandbox of this system. Runs nothing. */
export async function findSandbox(wish: SandboxWish, env: Environment): Promise<FoundSandbox> {
  if (wish.sandbox === false) return none('switched_off', 'The sandbox is switched off.')
  if (process.platform === 'linux') {
    const program = await findProgram(wish.bubblewrap ?? 'bwrap', { path: env['PATH'] })
    if (program !== null) return { kind: 'bubblewrap', wrap: bubblewrap(program) }
    return none('no_sandbox', 'bubblewrap is not installed. Install the package "bubblewrap" to put AIs into a box.')
  }
  if (process.platform === 'darwin') {
    const program = await findProgram(SANDBOX_EXEC)
    return program === null
      ? none('no_sandbox', `${SANDBOX_EXEC} is missing.`)
      : { kind: 'sandbox-exec', wrap: seatbelt }
  }
  return none('no_sandbox', 'There is no sandbox for this operating system yet.')
}

function none(fault: ProofFault, message: string): FoundSandbox {
  return { kind: 'none', wrap: null, proof: { holds: false, fault, message } }
}

/** Tries a sandbox in surroundings like an agent's. Never rejects for a sandbox that fails. */
export async function trySandbox(wrap: WrapCommand, setup: BoxSetup): Promise<BoxProof> {
  const around = await makeSurroundings({}, setup)
  try {
    return await proveIn(wrap, around, setup)
  } catch (error) {
    if (error instanceof AgentError) return { holds: false, fault: 'not_started', message: error.message }
    throw error
  } finally {
    await around.remove()
  }
}
