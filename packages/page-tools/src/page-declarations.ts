/**
 * What one page has declared: tools, resources and prompts, in order, cleaned and within limits.
 * Replacing keeps a declaration's place. A refusal changes nothing and says what to do.
 */
import type { PagePrompt, PageResource } from '@leuria/agent'
import type { PromptDeclaration, ResourceDeclaration, ToolDeclaration } from '@leuria/protocol'
import { measureJson } from './json-extent.js'
import { OrderedList } from './ordered-list.js'
import { cleanPrompt, cleanResource } from './other-declarations.js'
import { type CleanTool, cleanTool } from './tool-declaration.js'
import { MAX_NAME_LENGTH, MAX_URI_LENGTH, type ToolLimits } from './tool-limits.js'

/** `warning`: taken, but something about it is odd. `error`: not taken. Both are for the page's developer. */
export type Declared = { ok: true; warning?: string } | { ok: false; error: string }

export class PageDeclarations {
  readonly #limits: ToolLimits
  readonly tools = new OrderedList<CleanTool>()
  readonly resources = new OrderedList<PageResource>()
  readonly prompts = new OrderedList<PagePrompt>()
  readonly #lengths = new Map<string, number>()
  #total = 0

  constructor(limits: ToolLimits) {
    this.#limits = limits
  }

  declareTool(declaration: ToolDeclaration): Declared {
    const key = { kind: 'tool', name: declaration.name, maxLength: MAX_NAME_LENGTH }
    return this.#declare(this.tools, key, {
      declaration,
      clean: () => {
        const item = cleanTool(declaration)
        return { item, warnings: item.warnings }
      },
    })
  }

  declareResource(declaration: ResourceDeclaration): Declared {
    const key = { kind: 'resource', name: declaration.uri, maxLength: MAX_URI_LENGTH }
    return this.#declare(this.resources, key, {
      declaration,
      clean: () => {
        const { resource, warnings } = cleanResource(declaration)
        return { item: resource, warnings }
      },
    })
  }

  declarePrompt(declaration: PromptDeclaration): Declared {
    const key = { kind: 'prompt', name: declaration.name, maxLength: MAX_NAME_LENGTH }
    return this.#declare(this.prompts, key, {
      declaration,
      clean: () => {
        const { prompt, warnings } = cleanPrompt(declaration)
        return { item: prompt, warnings }
      },
    })
  }

  removeTool(name: string): boolean {
    this.#count(`tool ${name}`, 0)
    return this.tools.delete(name)
  }

  clear(): void {
    for (const list of [this.tools, this.resources, this.prompts]) list.clear()
    this.#lengths.clear()
    this.#total = 0
  }

  #declare<Item>(list: OrderedList<Item>, key: DeclarationKey, source: DeclarationSource<Item>): Declared {
    const { length, depth } = measureJson(source.declaration, {
      maxDepth: this.#limits.maxDepth,
      maxLength: this.#limits.maxDeclarationLength,
    })
    const error = this.#refusal(list, key, { depth, length })
    if (error !== null) return { ok: false, error }
    const { item, warnings } = source.clean()
    list.set(key.name, item)
    this.#count(`${key.kind} ${key.name}`, length)
    return warnings.length === 0 ? { ok: true } : { ok: true, warning: warnings.join('; ').slice(0, 1_000) }
  }

  #refusal(list: OrderedList<unknown>, key: DeclarationKey, size: { depth: number; length: number }): string | null {
    const { kind, name, maxLength } = key
    const word = kind === 'resource' ? 'uri' : 'name'
    const { maxDeclarations, maxDeclarationLength, maxDeclaredLength, maxDepth } = this.#limits
    const shown = JSON.stringify(name.slice(0, 60))
    if (name.trim() === '') return `A ${kind} needs a ${word}.`
    if (name.length > maxLength) return `The ${word} of the ${kind} ${shown}… is longer than ${maxLength} characters.`
    if (size.depth > maxDepth) return `The ${kind} ${shown} is nested more than ${maxDepth} levels deep.`
    if (size.length > maxDeclarationLength)
      return `The ${kind} ${shown} is larger than ${maxDeclarationLength} characters of JSON.`
    if (list.get(name) === undefined && list.size >= maxDeclarations)
      return `The ${kind} ${shown} is one too many: a page may declare ${maxDeclarations} ${kind}s.`
    const before = this.#lengths.get(`${kind} ${name}`) ?? 0
    if (this.#total - before + size.length > maxDeclaredLength)
      return `The ${kind} ${shown} does not fit: all declarations together may have ${maxDeclaredLength} characters of JSON.`
    return null
  }

  #count(key: string, length: number): void {
    this.#total += length - (this.#lengths.get(key) ?? 0)
    if (length === 0) this.#lengths.delete(key)
    else this.#lengths.set(key, length)
  }
}

interface DeclarationKey {
  kind: string
  name: string
  maxLength: number
}

interface DeclarationSource<Item> {
  declaration: unknown
  clean(): { item: Item; warnings: string[] }
}
