/**
 * The names by which a model knows the page's tools. A name that every model API takes stays as it is; any other gets a
 * legal one that no other tool has (FC-18), and the page always sees its own spelling.
 * A name once given stays with its tool for the whole conversation, since the history speaks of it.
 */

/** What every API takes: OpenAI, Anthropic and Mistral agree on this. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/
const MAX_NAME_LENGTH = 64

export class ToolNames {
  readonly #toModel = new Map<string, string>()
  readonly #toPage = new Map<string, string>()

  /** Gives every new tool its name: legal ones first, so that they keep their own. */
  learn(pageNames: readonly string[]): void {
    const unknown = pageNames.filter((name) => !this.#toModel.has(name))
    for (const name of unknown) if (LEGAL_NAME.test(name)) this.#give(name, name)
    for (const name of unknown) if (!LEGAL_NAME.test(name)) this.#give(name, legalForm(name))
  }

  /** The model's name for a tool that was learnt. */
  forModel(pageName: string): string {
    return this.#toModel.get(pageName) ?? legalForm(pageName)
  }

  /** The page's spelling of what a model called. A name that nobody was given is taken as it is. */
  forPage(modelName: string): string {
    const own = this.#toPage.get(modelName)
    if (own !== undefined) return own
    // Some models put the names of groups they were trained with in front.
    const bare = modelName.replace(/^(functions[.:]|default_api[.:]|mcp__webmcp__)/, '')
    return this.#toPage.get(bare) ?? modelName
  }

  #give(pageName: string, wanted: string): void {
    let name = wanted
    for (let count = 2; this.#toPage.has(name); count += 1) {
      const ending = `_${count}`
      name = wanted.slice(0, MAX_NAME_LENGTH - ending.length) + ending
    }
    this.#toModel.set(pageName, name)
    this.#toPage.set(name, pageName)
  }
}

/** `größe` → `grosse`-like: marks taken off letters, the rest of what is illegal becomes `_`. Never empty. */
export function legalForm(name: string): string {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
  return plain === '' ? 'tool' : plain
}
