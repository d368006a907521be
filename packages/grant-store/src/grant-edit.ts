/** The changes that can be made to `grants.json`, as pure functions. The same object back means: nothing to change. */
import type { Needs, Origin } from '@leuria/protocol'
import { isLeftBehind, type ProcessMark } from '@leuria/state'
import { entryOrigin, type GrantFile, readGrant, type StoredGrant } from './grant-file.js'

/** A model, bound to the AI it belongs to where that is known. */
export type ModelChoice = string | { agent: string; id: string }

/** `undefined` keeps what is there, `null` returns to the default. */
export interface AiChoice {
  agent?: string | null
  model?: ModelChoice | null
}

export interface NewGrant extends AiChoice {
  origin: Origin
  app?: string
  needs?: Needs
  tokenHash: string
  createdAt: string
  uncollected?: ProcessMark
}

/** Gives an origin a new token. What the visitor chose for it, and fields of other versions, stay. */
export function addGrant(file: GrantFile, input: NewGrant): GrantFile {
  const { origin, app, needs, tokenHash, createdAt, uncollected } = input
  const old = findGrant(file, origin)
  const kept: Partial<StoredGrant> = { ...old, ...withChoice(old ?? {}, input) }
  const grant = withoutUndefined({
    ...kept,
    origin,
    app: app ?? old?.app,
    tokenHash,
    createdAt,
    needs: needs === undefined ? undefined : { ...needs },
    uncollected,
  })
  const at = file.grants.findIndex((entry) => entryOrigin(entry) === origin)
  const others = file.grants.filter((entry) => entryOrigin(entry) !== origin)
  others.splice(at === -1 ? others.length : at, 0, grant)
  return { ...file, grants: others }
}

/** Takes every entry of the origin out. */
export function removeGrant(file: GrantFile, origin: Origin): GrantFile {
  const grants = file.grants.filter((entry) => entryOrigin(entry) !== origin)
  return grants.length === file.grants.length ? file : { ...file, grants }
}

/** Sets the origin's AI and model. */
export function chooseAi(file: GrantFile, origin: Origin, choice: AiChoice): GrantFile {
  return editGrants(file, (grant) => {
    if (grant.origin !== origin) return grant
    const chosen = withChoice(grant, choice)
    const isSame = chosen.agent === grant.agent && sameModel(chosen.model, grant.model)
    return isSame ? grant : { ...grant, ...chosen }
  })
}

/** Sets or clears the mark that says who holds the token. Another holder's mark is left alone. */
export function markCollected(file: GrantFile, origin: Origin, holder: ProcessMark): GrantFile {
  return editGrants(file, (grant) =>
    grant.origin === origin && grant.uncollected?.id === holder.id ? { ...grant, uncollected: undefined } : grant,
  )
}

/** Puts the mark back: the token's answer never arrived. Only while the grant still has that token. */
export function markUncollected(
  file: GrantFile,
  origin: Origin,
  held: { tokenHash: string; holder: ProcessMark },
): GrantFile {
  return editGrants(file, (grant) =>
    grant.origin === origin && grant.tokenHash === held.tokenHash ? { ...grant, uncollected: held.holder } : grant,
  )
}

/** Takes out the grant whose token this holder still has. */
export function discardHeld(file: GrantFile, origin: Origin, holder: ProcessMark): GrantFile {
  return findGrant(file, origin)?.uncollected?.id === holder.id ? removeGrant(file, origin) : file
}

/** Takes out the grants whose token died with the process that held it: no page can ever have it. */
export function discardLeftBehind(file: GrantFile): GrantFile {
  const grants = file.grants.filter((entry) => {
    const mark = readGrant(entry)?.uncollected
    return mark === undefined || !isLeftBehind(mark)
  })
  return grants.length === file.grants.length ? file : { ...file, grants }
}

/** A token that was used: when, and which. */
export interface TokenUse {
  at: Date
  tokenHash: string
}

/** Writes down when tokens were used. A used token was collected, whatever the mark says; a replaced one says nothing. */
export function noteUses(file: GrantFile, uses: ReadonlyMap<Origin, TokenUse>): GrantFile {
  return editGrants(file, (grant) => {
    const use = uses.get(grant.origin)
    return use === undefined || use.tokenHash !== grant.tokenHash
      ? grant
      : { ...grant, lastUsedAt: use.at.toISOString(), uncollected: undefined }
  })
}

/** The origin's grant. Of two entries (an edit by hand) the later one counts. */
export function findGrant(file: GrantFile, origin: Origin): StoredGrant | null {
  const entry = file.grants.findLast((candidate) => readGrant(candidate)?.origin === origin)
  return entry === undefined ? null : readGrant(entry)
}

/** True for the same choice, however it is written. */
export function sameModel(a: StoredGrant['model'], b: StoredGrant['model']): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return a.agent === b.agent && a.id === b.id
}

function editGrants(file: GrantFile, edit: (grant: StoredGrant) => StoredGrant): GrantFile {
  const grants = file.grants.map((entry) => {
    const grant = readGrant(entry)
    if (grant === null) return entry
    const edited = edit(grant)
    return edited === grant ? entry : withoutUndefined(edited)
  })
  return grants.every((entry, at) => entry === file.grants[at]) ? file : { ...file, grants }
}

/** Another AI without a word on the model means that AI's own default model. */
function withChoice(old: Partial<StoredGrant>, choice: AiChoice): Pick<StoredGrant, 'agent' | 'model'> {
  const agent = choice.agent === undefined ? old.agent : (choice.agent ?? undefined)
  if (choice.model === null) return { agent, model: undefined }
  if (choice.model === undefined) return { agent, model: agent === old.agent ? old.model : undefined }
  if (typeof choice.model === 'string' && agent !== undefined) return { agent, model: { agent, id: choice.model } }
  return { agent, model: choice.model }
}

function withoutUndefined(grant: object): object {
  return Object.fromEntries(Object.entries(grant).filter(([, value]) => value !== undefined))
}
