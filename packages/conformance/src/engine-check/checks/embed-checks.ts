/** Checks of Embeddings. Without a model on the computer most of them are not observable. */
import { MAX_EMBED_TEXT_LENGTH, MAX_EMBED_TEXTS } from '@leuria/protocol'
import type { EMBEDDINGS } from '../../clauses/embeddings.js'
import { cannotSee, holds, isSame } from '../../report/observe.js'
import { type Answer, seen } from '../../wire-http.js'
import { type Checks, type Kit, unseen } from '../kit.js'
import { fieldsOf, listOf } from '../mcp-agent.js'
import { modelInHealth } from './health-checks.js'

/** A model reads 256 texts. */
const EMBED_LIMIT_MS = 60_000
/** Two vectors of one text differ by rounding only. */
const SAME_COSINE = 0.999

function embed(kit: Kit, body: object): Promise<Answer> {
  return kit.asShop('/embed', { body, limitMs: EMBED_LIMIT_MS })
}

/** @throws NotObservable without a model */
async function vectors(kit: Kit, body: { texts: string[]; kind?: string }): Promise<number[][]> {
  const answer = await embed(kit, body)
  if (answer.status === 503) cannotSee('the engine has no embedding model')
  if (answer.status === 502) cannotSee('the embedding service failed')
  holds(answer.status === 200, seen(answer))
  return listOf(fieldsOf(answer.json).vectors).map((vector) => listOf(vector).map(Number))
}

function cosine(one: readonly number[] = [], other: readonly number[] = []): number {
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

function isSameVector(one: number[] | undefined, other: number[] | undefined, what: string): void {
  holds(cosine(one, other) > SAME_COSINE, what)
}

async function isMalformed(kit: Kit, body: object): Promise<void> {
  const answer = await embed(kit, body)
  holds(answer.status === 400, seen(answer))
}

const LAMP = 'A lamp for the desk'
const FOX = 'Foxes sleep in the afternoon'

export const embedChecks: Checks<keyof typeof EMBEDDINGS> = {
  'embed.reply': async (kit) => {
    const given = await vectors(kit, { texts: [LAMP, FOX, LAMP] })
    isSame(given.length, 3, 'the number of vectors for 3 texts')
    holds(
      given.every((vector) => vector.length > 0 && vector.every(Number.isFinite)),
      'a vector is empty, or not of numbers',
    )
  },
  'embed.order': async (kit) => {
    const [lamp, fox] = [await vectors(kit, { texts: [LAMP] }), await vectors(kit, { texts: [FOX] })]
    const both = await vectors(kit, { texts: [LAMP, FOX] })
    isSameVector(both[0], lamp[0], 'the first vector is not that of the first text')
    isSameVector(both[1], fox[0], 'the second vector is not that of the second text')
  },
  'embed.token': async (kit) => {
    const answer = await kit.asShop('/embed', { body: { texts: [LAMP] }, token: 'wrong' })
    holds(answer.status === 401, seen(answer))
  },
  'embed.kind.default': async (kit) => {
    const [plain, document] = [
      await vectors(kit, { texts: [LAMP] }),
      await vectors(kit, { texts: [LAMP], kind: 'document' }),
    ]
    await vectors(kit, { texts: [LAMP], kind: 'query' })
    isSameVector(plain[0], document[0], 'a text without kind has another vector than as a document')
  },
  'embed.kind.other': (kit) => isMalformed(kit, { texts: [LAMP], kind: 'passage' }),
  'embed.count.256': async (kit) => {
    const given = await vectors(kit, { texts: Array.from({ length: MAX_EMBED_TEXTS }, (_, at) => `text ${at}`) })
    isSame(given.length, MAX_EMBED_TEXTS, 'the number of vectors')
  },
  'embed.count.257': (kit) => isMalformed(kit, { texts: Array(MAX_EMBED_TEXTS + 1).fill(LAMP) }),
  'embed.cut': async (kit) => {
    const most = LAMP.padEnd(MAX_EMBED_TEXT_LENGTH, ' and a lamp')
    const [cut, long] = await vectors(kit, { texts: [most, `${most} ${FOX.repeat(100)}`] })
    isSameVector(cut, long, 'what stands after 8,000 characters changes the vector')
  },
  'embed.malformed': async (kit) => {
    for (const body of [{}, { texts: LAMP }, { texts: [LAMP, 7] }, { texts: [null] }]) await isMalformed(kit, body)
  },
  'embed.none': async (kit) => {
    const answer = await embed(kit, { texts: [LAMP] })
    if (answer.status === 200 || answer.status === 502) cannotSee('the engine has an embedding model')
    holds(answer.status === 503 && fieldsOf(answer.json).code === 'no_embedder', seen(answer))
  },
  'embed.failed': unseen('it needs a local service that fails'),
  'embed.health': async (kit) => {
    await vectors(kit, { texts: [LAMP] })
    const { model } = fieldsOf((await embed(kit, { texts: [LAMP] })).json)
    holds(typeof model === 'string', `model is ${JSON.stringify(model)}`)
    isSame(await modelInHealth(kit, model), model, 'embed of /health')
  },
  'embed.local': unseen('which services the engine asks is not on the wire'),
}
