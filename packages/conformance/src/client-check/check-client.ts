/** Checks a client against the page's Conformance section: a scene for each clause, all at once, each with its own engine. */
import { CLAUSES, type ClientClauseId } from '../clauses/all-clauses.js'
import { verdictOf } from '../report/observe.js'
import { type ClauseResult, makeReport, type Report, type Verdict } from '../report/report.js'
import type { OpenPage } from './client-page.js'
import { MUST_SCENES, type Scene } from './must-scenes.js'
import { SHOULD_SCENES } from './should-scenes.js'
import { Stage } from './stage.js'

export interface CheckClientOptions {
  /** Opens a page with the client under test. */
  openPage: OpenPage
  /** For the report. @default 'the client' */
  name?: string
  /** Only these clauses. @default all */
  only?: readonly ClientClauseId[]
  /** Hears of each clause when it is decided. */
  onResult?: (result: ClauseResult) => void
}

/** Longest a scene may take; the longest waits for "about 10 s". */
const SCENE_LIMIT_MS = 60_000

export const CLIENT_SCENES: Readonly<Record<ClientClauseId, Scene>> = { ...MUST_SCENES, ...SHOULD_SCENES }

export function isClientClause(id: string): id is ClientClauseId {
  return Object.hasOwn(CLIENT_SCENES, id)
}

async function play(scene: Scene, openPage: OpenPage): Promise<Verdict> {
  const stage = await Stage.set(openPage)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => {
      resolve({ status: 'failed', seen: `the scene was not over after ${SCENE_LIMIT_MS / 1_000} s` })
    }, SCENE_LIMIT_MS)
  })
  const played = scene(stage).then((): Verdict => ({ status: 'passed' }), verdictOf)
  const verdict = await Promise.race([played, late])
  clearTimeout(timer)
  await stage.close()
  return verdict
}

/** Plays every scene. What the client does wrong is in the report, never a rejection. */
export async function checkClient(options: CheckClientOptions): Promise<Report> {
  const { openPage, only, name = 'the client', onResult = () => undefined } = options
  const clauses = CLAUSES.flatMap((clause) =>
    isClientClause(clause.id) ? [{ clause, scene: CLIENT_SCENES[clause.id] }] : [],
  )
  const wanted = clauses.filter(({ clause }) => only === undefined || only.some((id) => id === clause.id))
  const results = await Promise.all(
    wanted.map(async ({ clause, scene }): Promise<ClauseResult> => {
      const result = { clause, ...(await play(scene, openPage)) }
      onResult(result)
      return result
    }),
  )
  return makeReport(name, results)
}
