/** The browser's own model (Prompt API) as a provider: where it stands, and its download. Talking is `browser-ai-session.ts`. */
import { LeuriaError } from '../errors.js'
import { BaseProvider } from './base-provider.js'
import {
  type Availability,
  languageModel,
  type LanguageModelApi,
  modelError,
  type ModelOptions,
} from './language-model.js'
import type { ProviderSession, ProviderState, SessionOptions } from './provider.js'
import { loadLater } from '../load-later.js'

export interface BrowserAIOptions {
  /** Small models often call tools wrongly. @default false */
  tools?: boolean
  /** Languages that are written and answered in, as BCP 47 tags. @default the browser decides */
  languages?: readonly string[]
  /** @default 'browser' */
  id?: string
  /** @default "This browser's AI" */
  label?: string
}

const STATES: Readonly<Record<Availability, Partial<ProviderState>>> = {
  unavailable: { status: 'unavailable', detail: 'This browser has no AI of its own.' },
  downloadable: { status: 'needs-action', action: 'download' },
  downloading: { status: 'downloading' },
  available: { status: 'ready' },
}

const NOTHING = { action: undefined, progress: undefined, detail: undefined }

export class BrowserAIProvider extends BaseProvider {
  readonly #options: ModelOptions
  #download: Promise<void> | null = null

  constructor({ tools = false, languages, id = 'browser', label = "This browser's AI" }: BrowserAIOptions = {}) {
    super(id, label, 'device', { capabilities: tools ? ['chat', 'structured', 'tools'] : ['chat', 'structured'] })
    const text = languages && [{ type: 'text', languages }]
    const expect = (type: string) => (tools ? [...(text ?? []), { type }] : text)
    this.#options = { expectedInputs: expect('tool-response'), expectedOutputs: expect('tool-call') }
  }

  async detect(): Promise<void> {
    // A download tells its own progress; it may begin while the browser is asked.
    const tellsItself = (): boolean => this.#download !== null
    if (tellsItself()) return
    const found = await languageModel()
      ?.availability(this.#options)
      .catch(() => undefined)
    if (!tellsItself()) this.#become(found ?? 'unavailable')
  }

  /** Downloads the model if need be. Call it inside a click: the browser wants one. @throws LeuriaError `not_allowed`, `browser_failed` */
  connect(): Promise<void> {
    const api = languageModel()
    if (!api) return Promise.reject(new LeuriaError('This browser has no AI of its own.', { code: 'unavailable' }))
    this.#download ??= this.#fetch(api).finally(() => {
      this.#download = null
    })
    return this.#download
  }

  async createSession(options: SessionOptions): Promise<ProviderSession> {
    const api = languageModel()
    if (!api) throw modelError('This browser has no LanguageModel.')
    const { openBrowserSession } = await loadLater()
    return openBrowserSession(api, this.#options, options)
  }

  /** The browser's own question is asked before the first await. */
  async #fetch(api: LanguageModelApi): Promise<void> {
    const monitor = (target: EventTarget): void => {
      target.addEventListener('downloadprogress', (event) => {
        if ('loaded' in event && typeof event.loaded === 'number') this.setState({ progress: event.loaded })
      })
    }
    const created = api.create({ ...this.#options, monitor })
    this.setState({ ...NOTHING, status: 'downloading', progress: 0 })
    try {
      const model = await created
      model.destroy()
      this.#become('available')
    } catch (error) {
      this.#become(await api.availability(this.#options).catch(() => 'unavailable' as const))
      throw modelError(error)
    }
  }

  #become(availability: Availability): void {
    this.setState({ ...NOTHING, ...STATES[availability] })
  }
}

/** The browser's own model, where it has one (Prompt API). */
export function browserAI(options?: BrowserAIOptions): BrowserAIProvider {
  return new BrowserAIProvider(options)
}
