/**
 * The one implementation of `PageTools`: what the page declared, and calls to it, checked, counted and bounded.
 * How a call travels is the `PageLink`'s business; how an AI asks is its adapter's.
 */
import {
  type AuditSink,
  type CallLimit,
  type CallSignal,
  noAudit,
  type PagePrompt,
  type PageResource,
  type PageTool,
  type PageToolCall,
  type PageTools,
  type PageValue,
  type ToolFailure,
  type ToolOutcome,
} from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import type { PromptDeclaration, ResourceDeclaration, ToolDeclaration } from '@leuria/protocol'
import { measureJson } from './json-extent.js'
import { OpenCalls, type WaitEnd } from './open-calls.js'
import { type Declared, PageDeclarations } from './page-declarations.js'
import type { PageAnswer, PageLink } from './page-link.js'
import { isJsonObject } from './plain-object.js'
import { shapeOutcome } from './result-shape.js'
import type { CleanTool } from './tool-declaration.js'
import { TOOL_LIMITS, type ToolLimits } from './tool-limits.js'
import { TurnBudget } from './turn-budget.js'

export interface PageToolsOptions {
  page: PageLink
  clock: Clock
  /** For the audit: whose tools these are. */
  origin: string
  sessionId: string
  audit?: AuditSink
  /** Most calls between turns, and in turns that aren't announced with `beginTurn`. @default Infinity */
  maxCalls?: number
  limits?: Partial<ToolLimits>
}

/** A page's tools, with the side that the page and the session use. */
export interface DeclaredPageTools extends PageTools {
  /** Adds a tool, or replaces it in place. */
  declare(tool: ToolDeclaration): Declared
  /** False: there was no such tool. */
  remove(name: string): boolean
  declareResource(resource: ResourceDeclaration): Declared
  declarePrompt(prompt: PromptDeclaration): Declared
  /** Starts counting anew; `maxCalls` counts every attempt, also those refused. */
  beginTurn(maxCalls: number): void
  /** Back to the limit between turns. Calls still open are cancelled: nobody waits for them. */
  endTurn(): void
  /** Calls that wait for the page. */
  readonly openCalls: number
  /** Ends all open calls as `session_ended`, and forgets the declarations. Idempotent. */
  close(reason: string): void
}

type ListName = 'tools' | 'resources' | 'prompts'
type Failure = { ok: false; code: ToolFailure; error: string }

export function createPageTools(options: PageToolsOptions): DeclaredPageTools {
  return new SessionPageTools(options)
}

/** Tools named to an AI that asked for one that doesn't exist. */
const MAX_NAMES_TOLD = 20

class SessionPageTools implements DeclaredPageTools {
  readonly #options: PageToolsOptions
  readonly #limits: ToolLimits
  readonly #audit: AuditSink
  readonly #declared: PageDeclarations
  readonly #budget: TurnBudget
  readonly #calls: OpenCalls
  readonly #listeners = new Set<(list: ListName) => void>()
  #tools: { from: readonly CleanTool[]; list: readonly PageTool[] } = { from: [], list: [] }
  #ended: Failure | null = null

  constructor(options: PageToolsOptions) {
    this.#options = options
    this.#limits = options.limits === undefined ? TOOL_LIMITS : { ...TOOL_LIMITS, ...options.limits }
    this.#audit = options.audit ?? noAudit
    this.#declared = new PageDeclarations(this.#limits)
    this.#budget = new TurnBudget(options.maxCalls ?? Infinity)
    const { page, clock } = options
    this.#calls = new OpenCalls({ page, clock, timeoutMs: this.#limits.callTimeoutMs })
  }

  get openCalls(): number {
    return this.#calls.size
  }

  listTools(): readonly PageTool[] {
    const from = this.#declared.tools.list()
    if (this.#tools.from !== from) this.#tools = { from, list: from.map(({ tool }) => tool) }
    return this.#tools.list
  }

  listResources(): readonly PageResource[] {
    return this.#declared.resources.list()
  }

  listPrompts(): readonly PagePrompt[] {
    return this.#declared.prompts.list()
  }

  declare(tool: ToolDeclaration): Declared {
    return this.#changed('tools', this.#ended ?? this.#declared.declareTool(tool))
  }

  remove(name: string): boolean {
    const existed = this.#declared.removeTool(name)
    if (existed) this.#tell('tools')
    return existed
  }

  declareResource(resource: ResourceDeclaration): Declared {
    return this.#changed('resources', this.#ended ?? this.#declared.declareResource(resource))
  }

  declarePrompt(prompt: PromptDeclaration): Declared {
    return this.#changed('prompts', this.#ended ?? this.#declared.declarePrompt(prompt))
  }

  beginTurn(maxCalls: number): void {
    this.#budget.begin(maxCalls)
  }

  endTurn(): void {
    this.#budget.end()
    this.#calls.endAll({ ok: false, code: 'cancelled', error: 'The turn ended before the page answered.' })
  }

  limitCalls(limit: CallLimit): void {
    this.#budget.limitCalls(limit)
  }

  async call(call: PageToolCall): Promise<ToolOutcome> {
    const outcome = await this.#call(call)
    const { origin, sessionId } = this.#options
    const tool = call.name.slice(0, 128)
    this.#audit.record({ kind: 'tool_called', origin, sessionId, tool, outcome: outcome.ok ? 'ok' : outcome.code })
    return outcome
  }

  async readResource(uri: string, signal?: CallSignal): Promise<PageValue> {
    const refusal = this.#ended ?? this.#crowded()
    if (refusal !== null) return refusal
    if (this.#declared.resources.get(uri) === undefined) return unknown('resource', uri)
    return asValue(await this.#calls.wait((id) => this.#options.page.readResource({ id, uri }), signal))
  }

  async getPrompt(name: string, args: unknown, signal?: CallSignal): Promise<PageValue> {
    const refusal = this.#ended ?? this.#crowded() ?? this.#oversized(args)
    if (refusal !== null) return refusal
    if (this.#declared.prompts.get(name) === undefined) return unknown('prompt', name)
    const ask = (id: string): Promise<PageAnswer> => this.#options.page.getPrompt({ id, name, arguments: args ?? {} })
    return asValue(await this.#calls.wait(ask, signal))
  }

  subscribe(listener: (list: ListName) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(reason: string): void {
    if (this.#ended !== null) return
    this.#ended = { ok: false, code: 'session_ended', error: `The session has ended: ${reason}` }
    this.#calls.endAll(this.#ended)
    this.#declared.clear()
    this.#listeners.clear()
  }

  async #call({ name, arguments: given, signal }: PageToolCall): Promise<ToolOutcome> {
    const refusal = this.#ended ?? this.#overBudget() ?? this.#crowded()
    if (refusal !== null) return refusal
    const declared = this.#declared.tools.get(name)
    if (declared === undefined) return this.#unknownTool(name)
    const args = given ?? {}
    const faults = this.#checkArguments(declared, args)
    if (faults !== null) return faults
    const ask = (id: string): Promise<PageAnswer> => this.#options.page.callTool({ id, tool: name, arguments: args })
    const end = await this.#calls.wait(ask, signal)
    return shapeEnd(end, this.#limits.maxResultLength)
  }

  #checkArguments({ tool, check }: CleanTool, args: unknown): Failure | null {
    if (!isJsonObject(args)) {
      return invalid(
        tool.name,
        `they must be a JSON object, not ${Array.isArray(args) ? 'a list' : `a ${typeof args}`}`,
      )
    }
    const { maxDepth, maxArgumentsLength: maxLength } = this.#limits
    const extent = measureJson(args, { maxDepth, maxLength })
    if (extent.depth > maxDepth) return invalid(tool.name, `they are nested more than ${maxDepth} levels deep`)
    if (extent.length > maxLength) return this.#tooLong()
    const faults = check.faults(args, extent)
    return faults === null ? null : invalid(tool.name, faults)
  }

  /** For arguments without a schema. */
  #oversized(args: unknown): Failure | null {
    const { maxDepth, maxArgumentsLength: maxLength } = this.#limits
    const { depth, length } = measureJson(args, { maxDepth, maxLength })
    return depth > maxDepth || length > maxLength ? this.#tooLong() : null
  }

  #tooLong(): Failure {
    const error = `The arguments are too large: at most ${this.#limits.maxArgumentsLength} characters of JSON can be sent to the page.`
    return { ok: false, code: 'too_large', error }
  }

  #overBudget(): Failure | null {
    if (this.#budget.take()) return null
    const error = `The page's tools may be called at most ${this.#budget.limit} times in one turn, and that is used up. Answer with what you have.`
    return { ok: false, code: 'over_budget', error }
  }

  #crowded(): Failure | null {
    if (this.#calls.size < this.#limits.maxOpenCalls) return null
    const error = `${this.#calls.size} calls are waiting for the page already. Wait for some of them to finish.`
    return { ok: false, code: 'over_budget', error }
  }

  #unknownTool(name: string): Failure {
    const names = this.listTools()
      .slice(0, MAX_NAMES_TOLD)
      .map((tool) => JSON.stringify(tool.name))
    const offer = names.length === 0 ? 'The page offers no tools.' : `The page offers: ${names.join(', ')}.`
    return { ...unknown('tool', name), error: `The page has no tool ${JSON.stringify(name.slice(0, 128))}. ${offer}` }
  }

  #changed(list: ListName, result: Declared): Declared {
    if (result.ok) this.#tell(list)
    return result
  }

  #tell(list: ListName): void {
    for (const listener of [...this.#listeners]) listener(list)
  }
}

function invalid(tool: string, faults: string): Failure {
  const error = `The arguments for ${JSON.stringify(tool)} don't fit: ${faults}. Correct them and call the tool again.`
  return { ok: false, code: 'invalid_arguments', error }
}

function unknown(kind: string, name: string): Failure {
  return { ok: false, code: 'unknown_tool', error: `The page has no ${kind} ${JSON.stringify(name.slice(0, 256))}.` }
}

function shapeEnd(end: WaitEnd, maxResultLength: number): ToolOutcome {
  return end.ok ? shapeOutcome(end, maxResultLength) : end
}

function asValue(end: WaitEnd): PageValue {
  return end.ok ? { ok: true, value: end.result } : end
}
