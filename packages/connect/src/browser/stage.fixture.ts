/**
 * Runs in the page of a browser test: a real client with AIs that stand where the test puts them, and the elements. The test
 * talks to it through `window.stage`.
 */
import {
  BaseProvider,
  createLeuria,
  LeuriaNotConnectedError,
  type Locality,
  type ProviderSession,
  type ProviderState,
} from '@leuria/client'
import { setDefaultAppearance, setDefaultClient, setTexts } from '../index.js'

class ScriptedAI extends BaseProvider {
  asksFirst = false
  readonly calls: string[] = []
  allow: (state?: Partial<ProviderState>) => void = () => undefined
  refuse: (code: string, retryAfterS?: number) => void = () => undefined

  constructor(id: string, label: string, [locality, state]: readonly [Locality, Partial<ProviderState>]) {
    super(id, label, locality, { capabilities: ['chat', 'tools'], ...state })
  }

  become(state: Partial<ProviderState>): void {
    this.setState(state)
  }

  async detect(): Promise<void> {
    this.calls.push('detect')
  }

  connect(): Promise<void> {
    this.calls.push('connect')
    this.become({ status: this.getState().action === 'download' ? 'downloading' : 'needs-action' })
    return new Promise((resolve, reject) => {
      this.allow = (state) => {
        this.become({ status: 'ready', action: undefined, ...state })
        resolve()
      }
      this.refuse = (code, retryAfterS) => {
        this.become({ status: 'needs-action' })
        reject(new LeuriaNotConnectedError('No.', { code, retryAfterS }))
      }
    })
  }

  async disconnect(): Promise<void> {
    this.calls.push('disconnect')
    this.become({ status: 'needs-action', action: 'connect', model: undefined })
  }

  manage(): void {
    this.calls.push('manage')
  }

  async createSession(): Promise<ProviderSession> {
    return { send: async () => ({ text: '' }), close: () => undefined }
  }
}

/** A fresh client with nothing connected, and what the test may do with it. */
function createStage() {
  const state = { status: 'needs-action', action: 'connect' } as const
  const ai = new ScriptedAI('bridge', 'Your AI (Leuria)', ['device', state])
  ai.asksFirst = true
  const inBrowser = new ScriptedAI('browser', "This browser's AI", ['device', { status: 'unavailable' }])
  const ofSite = new ScriptedAI('server', "This site's AI", ['site', { status: 'unavailable' }])
  const client = createLeuria({ providers: [ai, inBrowser, ofSite], autoDetect: false })
  /** What the page heard. */
  const heard: string[] = []
  return { ai, inBrowser, ofSite, client, heard, setTexts, setDefaultAppearance, setDefaultClient, reset }
}

/** Everything as when the page was opened, with this in it. */
function reset(html: string): void {
  const stage = createStage()
  Object.assign(globalThis, { stage })
  setDefaultClient(stage.client)
  const main = document.querySelector('main')
  if (main === null) return
  main.innerHTML = html
  main.addEventListener('leuria-disconnect', () => stage.heard.push('leuria-disconnect'))
}

reset(document.querySelector('main')?.innerHTML ?? '')
