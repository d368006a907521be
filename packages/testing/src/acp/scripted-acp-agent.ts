/**
 * An ACP agent that plays a script, over any pair of pipes. It speaks the protocol by hand, not through the SDK, so that it
 * can break every rule. `acp-agent-program.ts` runs it as a program, `scripted-acp-launch.ts` in this process.
 */
import type { Readable, Writable } from 'node:stream'
import {
  ACP_OPTIONS,
  type AcpAnswer,
  type AcpOutcome,
  type AcpScript,
  type AcpStep,
  type AcpToolCall,
} from './acp-script.js'
import { type AgentTools, type McpServerEntry, openAgentTools } from './agent-tools.js'
import { engineOf, type KnownEngine, reachOut } from './reach-out.js'

/** A message as it came in. The client under test wrote it; it isn't checked further. */
export interface AcpMessage {
  id?: number | string
  method?: string
  params?: { [key: string]: unknown }
  result?: { outcome?: { outcome: string; optionId?: string } }
  error?: { code: number; message: string }
}

export interface AcpPipes {
  input: Readable
  output: Writable
  stderr: Writable
  exit(code: number): void
  /** Closes stdout while the program stays. */
  closeOutput(): void
}

interface Turn {
  readonly id: number | string
  readonly sessionId: string
  readonly cancel: AbortController
  answered: boolean
}

export class ScriptedAcpAgent {
  /** Everything the client sent, oldest first. */
  readonly received: AcpMessage[] = []
  /** What the agent got out of its steps. */
  readonly outcomes: AcpOutcome[] = []
  readonly #script: AcpScript
  readonly #pipes: AcpPipes
  readonly #waiting = new Map<number | string, (message: AcpMessage) => void>()
  readonly #watchers: { seen: () => boolean; resolve: () => void }[] = []
  readonly #tools = new Map<string, AgentTools>()
  #turn: Turn | null = null
  #ids = 0
  #prompts = 0
  #sessions = 0
  #result = ''
  #engine: KnownEngine = { address: '', token: '' }
  #writing: Promise<void> = Promise.resolve()

  constructor(script: AcpScript, pipes: AcpPipes) {
    this.#script = script
    this.#pipes = pipes
    void this.#run()
  }

  /** Messages of this method, oldest first. */
  sent(method: string): AcpMessage[] {
    return this.received.filter((message) => message.method === method)
  }

  /** Resolves when the client has sent `count` messages of this method. */
  async until(method: string, count = 1): Promise<AcpMessage> {
    const seen = (): boolean => this.sent(method).length >= count
    if (!seen()) await new Promise<void>((resolve) => this.#watchers.push({ seen, resolve }))
    return this.sent(method)[count - 1] ?? {}
  }

  /** Does steps by hand, as part of the turn that is open, or outside any. */
  async play(steps: readonly AcpStep[]): Promise<void> {
    for (const step of steps) await this.#step(step, this.#turn)
  }

  async #run(): Promise<void> {
    await this.play(this.#script.start ?? [])
    let rest = ''
    this.#pipes.input.setEncoding('utf8')
    this.#pipes.input.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#receive(JSON.parse(line) as AcpMessage)
    })
    this.#pipes.input.on('end', () => {
      for (const tools of this.#tools.values()) tools.close()
      if (this.#script.clings !== true) this.#pipes.exit(0)
    })
  }

  #receive(message: AcpMessage): void {
    this.received.push(message)
    for (const watcher of this.#watchers.filter(({ seen }) => seen())) {
      this.#watchers.splice(this.#watchers.indexOf(watcher), 1)
      watcher.resolve()
    }
    const { id, method } = message
    if (method === undefined) {
      if (id !== undefined) this.#waiting.get(id)?.(message)
    } else if (method === 'session/cancel') this.#turn?.cancel.abort()
    else if (id !== undefined) void this.#answer({ ...message, id, method })
  }

  async #answer({ id, method, params = {} }: AcpMessage & { id: number | string; method: string }): Promise<void> {
    switch (method) {
      case 'initialize':
        this.#reply(id, this.#script.initialize ?? { result: {} }, INITIALIZE_RESULT)
        return
      case 'session/new':
        await this.#newSession(id, params)
        return
      case 'session/prompt':
        await this.#prompt(id, params)
        return
      default: {
        const given = method === 'authenticate' ? this.#script.authenticate : this.#script.answers?.[method]
        this.#reply(id, given ?? { result: {} })
      }
    }
  }

  async #newSession(id: number | string, params: Record<string, unknown>): Promise<void> {
    const number = (this.#sessions += 1)
    const answers = this.#script.newSession ?? []
    const answer = answers[number - 1] ?? answers.at(-1) ?? { result: {} }
    const sessionId = `agent-session-${number}`
    if ('result' in answer) await this.#connect(sessionId, params.mcpServers as McpServerEntry[])
    this.#reply(id, answer, { sessionId })
    for (const step of this.#script.opened ?? []) await this.#step(step, null)
  }

  async #connect(sessionId: string, servers: readonly McpServerEntry[]): Promise<void> {
    const { tools } = this.#script
    const server = servers.find(
      ({ command }) => tools === undefined || tools === (command === undefined ? 'http' : 'stdio'),
    )
    if (server === undefined) return
    const open = await this.#connectTo(server)
    if (open !== null) this.#tools.set(sessionId, open)
  }

  async #prompt(id: number | string, params: Record<string, unknown>): Promise<void> {
    const { scenes, prompts, otherwise } = this.#script
    const blocks = params.prompt as { text?: string }[]
    const number = (this.#prompts += 1)
    const steps = scenes?.[blocks[0]?.text ?? ''] ?? prompts?.[number - 1] ?? otherwise ?? [{ say: 'Hello.' }]
    const turn: Turn = { id, sessionId: String(params.sessionId), cancel: new AbortController(), answered: false }
    this.#turn = turn
    for (const step of steps) await this.#step(step, turn)
    if (!turn.answered) this.#end(turn, turn.cancel.signal.aborted ? 'cancelled' : 'end_turn')
  }

  #end(turn: Turn, stopReason: string, usage?: object): void {
    turn.answered = true
    void this.#send({ jsonrpc: '2.0', id: turn.id, result: { stopReason, ...(usage && { usage }) } })
  }

  async #step(step: AcpStep, turn: Turn | null): Promise<void> {
    const sessionId = turn?.sessionId ?? `agent-session-${this.#sessions}`
    if ('say' in step) await this.#chunk('agent_message_chunk', sessionId, step.say.replace('{{result}}', this.#result))
    else if ('think' in step) await this.#chunk('agent_thought_chunk', sessionId, step.think)
    else if ('update' in step) await this.#update(step.in ?? sessionId, step.update)
    else if ('raw' in step) await this.#write(step.raw)
    else if ('stderr' in step) this.#pipes.stderr.write(step.stderr)
    else if ('call' in step) await this.#call(step, sessionId, turn)
    else if ('ask' in step) await this.#ask(step, step.in ?? sessionId, turn)
    else if ('request' in step) await this.#request(step.request, step.params ?? {})
    else if ('wait' in step) await (step.wait === 'ever' ? new Promise(() => undefined) : cancelled(turn))
    else if ('pauseMs' in step) await new Promise((resolve) => setTimeout(resolve, step.pauseMs))
    else if ('repeat' in step)
      for (let n = 0; n < step.repeat; n += 1) for (const each of step.steps) await this.#step(each, turn)
    else if ('report' in step) await this.#chunk('agent_message_chunk', sessionId, JSON.stringify(this.outcomes))
    else if ('exit' in step) await this.#exit(step.exit)
    else if ('closeOutput' in step) this.#pipes.closeOutput()
    else if ('stop' in step || 'fail' in step || 'noAnswer' in step) this.#finish(step, turn)
    else this.outcomes.push(await reachOut(step, this.#engine))
  }

  #finish(step: Extract<AcpStep, { stop: string } | { fail: object } | { noAnswer: true }>, turn: Turn | null): void {
    if (turn === null) return
    if ('stop' in step) this.#end(turn, step.stop, step.usage)
    else if ('fail' in step) this.#reply(turn.id, { error: step.fail })
    turn.answered = true
  }

  async #call(step: Extract<AcpStep, { call: string }>, sessionId: string, turn: Turn | null): Promise<void> {
    const { call: name, arguments: args = {}, as = {}, silent } = step
    const toolCallId = as.toolCallId ?? `call-${(this.#ids += 1)}`
    const begun = {
      toolCallId,
      title: `mcp__webmcp__${name}`,
      kind: 'other',
      rawInput: args,
      status: 'in_progress',
      ...as,
    }
    if (silent !== true) await this.#update(sessionId, { sessionUpdate: 'tool_call', ...begun })
    const signal = turn?.cancel.signal ?? new AbortController().signal
    const result = await this.#tools
      .get(sessionId)
      ?.call(name, args, signal)
      .catch(() => null)
    this.#result = result?.text ?? ''
    if (silent === true) return
    const status = result === null || result === undefined || result.failed ? 'failed' : 'completed'
    await this.#update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status })
  }

  async #ask(step: Extract<AcpStep, { ask: AcpToolCall }>, sessionId: string, turn: Turn | null): Promise<void> {
    const toolCall = { toolCallId: `asked-${(this.#ids += 1)}`, ...step.ask }
    const answer = await this.#client('session/request_permission', {
      sessionId,
      toolCall,
      options: step.options ?? ACP_OPTIONS,
    })
    const { outcome = 'none', optionId } = answer.result?.outcome ?? {}
    this.outcomes.push({ kind: 'permission', toolCallId: toolCall.toolCallId, outcome, optionId })
    const chosen = (step.options ?? ACP_OPTIONS).find((option) => option.optionId === optionId)
    if (chosen?.kind.startsWith('allow') === true) for (const next of step.then ?? []) await this.#step(next, turn)
  }

  async #request(method: string, params: object): Promise<void> {
    const { error } = await this.#client(method, params)
    this.outcomes.push({ kind: 'request', method, ok: error === undefined, code: error?.code })
  }

  async #connectTo(entry: McpServerEntry): Promise<AgentTools | null> {
    this.#engine = engineOf(entry)
    // An agent whose server isn't there goes on without.
    return openAgentTools(entry).catch(() => null)
  }

  /** What was written goes out first; nothing else is done meanwhile. */
  #exit(code: number): Promise<never> {
    this.#pipes.exit(code)
    return new Promise(() => undefined)
  }

  #client(method: string, params: object): Promise<AcpMessage> {
    const id = `agent-${(this.#ids += 1)}`
    void this.#send({ jsonrpc: '2.0', id, method, params })
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  #chunk(sessionUpdate: string, sessionId: string, text: string): Promise<void> {
    return this.#update(sessionId, { sessionUpdate, content: { type: 'text', text } })
  }

  #update(sessionId: string, update: object): Promise<void> {
    return this.#send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })
  }

  #reply(id: number | string, answer: AcpAnswer, defaults: object = {}): void {
    if ('hang' in answer) return
    if ('error' in answer) void this.#send({ jsonrpc: '2.0', id, error: answer.error })
    else void this.#send({ jsonrpc: '2.0', id, result: { ...defaults, ...answer.result } })
  }

  #send(message: object): Promise<void> {
    return this.#write(`${JSON.stringify(message)}${this.#script.lineEnd ?? '\n'}`)
  }

  /** In order, and waiting where the pipe is full, as a program does. */
  #write(text: string): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const { output } = this.#pipes
      if (output.destroyed || output.writableEnded || output.write(text)) return
      await new Promise<void>((resolve) => {
        const go = (): void => {
          output.off('drain', go).off('close', go)
          resolve()
        }
        output.on('drain', go).on('close', go)
      })
    })
    return this.#writing
  }
}

const INITIALIZE_RESULT = {
  protocolVersion: 1,
  agentInfo: { name: 'scripted', title: 'Scripted agent', version: '1.0.0' },
  agentCapabilities: { mcpCapabilities: { http: true }, promptCapabilities: { image: true } },
  authMethods: [],
}

function cancelled(turn: Turn | null): Promise<void> {
  return new Promise((resolve) => {
    if (turn === null) return
    if (turn.cancel.signal.aborted) resolve()
    else
      turn.cancel.signal.addEventListener('abort', () => {
        resolve()
      })
  })
}
