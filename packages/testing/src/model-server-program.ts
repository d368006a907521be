/**
 * The scripted model server as a program, for tests whose engine runs in another process.
 * `node dist/model-server-program.js [script.json]`: the script is `{ answers?, otherwise?, quirks?, models?, key?, strict?, port? }`;
 * `"auto"` as an answer calls the first tool it is offered with the question as every required text, then reports the result.
 * Each line on stdout is a JSON object: `ready { url, port }`, `chat { number, body }`, `closed { number, early }`.
 */
import { readFileSync } from 'node:fs'
import { autoAnswer } from './auto-answer.js'
import type { ModelQuirks, ModelStep } from './model-script.js'
import { type ModelAnswer, type ModelExchange, scriptedModelServer } from './scripted-model-server.js'

/** What a script file holds. It is written by a test of this repository and not checked further. */
interface ModelScript {
  answers?: (readonly ModelStep[] | 'auto')[]
  otherwise?: readonly ModelStep[] | 'auto'
  quirks?: ModelQuirks
  models?: readonly string[] | null
  key?: string
  strict?: boolean
  port?: number
}

const report = (event: string, fields: object): void => {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`)
}

let number = 0
const reported =
  (answer: readonly ModelStep[] | 'auto') =>
  async (exchange: ModelExchange): Promise<void> => {
    const mine = (number += 1)
    report('chat', { number: mine, body: exchange.body })
    void exchange.closed.then(() => {
      report('closed', { number: mine, early: exchange.closedEarly })
    })
    await exchange.play(answer === 'auto' ? autoAnswer(exchange.body) : answer)
  }

const path = process.argv[2]
const script: ModelScript = path === undefined ? {} : (JSON.parse(readFileSync(path, 'utf8')) as ModelScript)
const { answers = [], otherwise = 'auto', ...options } = script
const server = await scriptedModelServer({
  ...options,
  answers: answers.map((answer): ModelAnswer => reported(answer)),
  otherwise: reported(otherwise),
})
report('ready', { url: server.url, port: server.port })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close()
  })
}
