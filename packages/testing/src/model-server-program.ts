/**
 * The scripted model servers as a program, for tests whose engine runs in another process.
 * `node dist/model-server-program.js [script.json]`: the script is `{ answers?, otherwise?, quirks?, models?, key?, strict?, port? }`;
 * with `service: "ollama"` or `"lmstudio"` it is one of those, and takes their options (`ollama`, `lmStudio`, `embedding`) too;
 * `"auto"` as an answer calls the first tool it is offered with the question as every required text, then reports the result.
 * Each line on stdout is a JSON object: `ready { url, port }`, `chat { number, body }`, `closed { number, early }`.
 */
import { readFileSync } from 'node:fs'
import { autoAnswer } from './auto-answer.js'
import type { ModelQuirks, ModelStep } from './model-script.js'
import { scriptedLmStudio, type ScriptedLmStudioOptions } from './scripted-lm-studio.js'
import {
  type ModelAnswer,
  type ModelExchange,
  scriptedModelServer,
  type ScriptedModelServerOptions,
} from './scripted-model-server.js'
import { scriptedOllama, type ScriptedOllamaOptions } from './scripted-ollama.js'

/** What a script file holds. It is written by a test of this repository and not checked further. */
interface ModelScript {
  answers?: (readonly ModelStep[] | 'auto')[]
  otherwise?: readonly ModelStep[] | 'auto'
  quirks?: ModelQuirks
  key?: string
  strict?: boolean
  port?: number
}

/** The script, and whose server it is for. */
type ServiceScript = ModelScript &
  (
    | ({ service?: 'openai' } & Pick<ScriptedModelServerOptions, 'models'>)
    | ({ service: 'ollama' } & Pick<ScriptedOllamaOptions, 'models' | 'ollama' | 'embedding'>)
    | ({ service: 'lmstudio' } & Pick<ScriptedLmStudioOptions, 'models' | 'lmStudio' | 'embedding'>)
  )

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
const script = (path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'))) as ServiceScript
const played = {
  answers: (script.answers ?? []).map((answer): ModelAnswer => reported(answer)),
  otherwise: reported(script.otherwise ?? 'auto'),
}
const server =
  script.service === 'ollama'
    ? await scriptedOllama({ ...script, ...played })
    : script.service === 'lmstudio'
      ? await scriptedLmStudio({ ...script, ...played })
      : await scriptedModelServer({ ...script, ...played })
report('ready', { url: server.url, port: server.port })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close()
  })
}
