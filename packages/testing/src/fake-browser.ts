/**
 * A browser in small, for clients: tabs of one origin that share a storage and talk to each other, can be hidden, shown
 * and put to sleep, and note which links were opened. Fits the client's `PageHost`.
 */

type PageSignal = 'hide' | 'show' | 'visible' | 'focus' | 'online' | 'storage'

interface Listener {
  name: string
  tab: FakeTab
  hear: (message: unknown) => void
}

export class FakeBrowser {
  /** What `localStorage` holds. */
  readonly stored = new Map<string, string>()
  readonly tabs: FakeTab[] = []
  /** True: touching the storage throws, as in a browser that blocks site data. */
  storageBlocked = false
  /** False: tabs can't talk to each other directly. */
  tabsTalk = true
  readonly channels = new Set<Listener>()

  constructor(readonly origin: string) {}

  openTab(): FakeTab {
    const tab = new FakeTab(this)
    this.tabs.push(tab)
    return tab
  }
}

export class FakeTab {
  readonly links: string[] = []
  runsLeuria = true
  isVisible = true
  /** What the system does with a link. */
  onLink: (link: string) => void = () => undefined
  private readonly listeners = new Set<(signal: PageSignal) => void>()

  constructor(private readonly browser: FakeBrowser) {}

  get origin(): string {
    return this.browser.origin
  }

  readonly openLink = (link: string): void => {
    this.links.push(link)
    this.onLink(link)
  }

  /** Tells every listener at once, as the browser would. */
  signal(signal: PageSignal): void {
    for (const listener of [...this.listeners]) listener(signal)
  }

  /** How many parts of the page listen to it. */
  get listening(): number {
    return this.listeners.size
  }

  storage() {
    const { stored } = this.browser
    const refuse = (): void => {
      if (this.browser.storageBlocked) throw new Error('Access is denied for this document.')
    }
    refuse()
    return {
      getItem: (key: string): string | null => {
        refuse()
        return stored.get(key) ?? null
      },
      setItem: (key: string, value: string): void => {
        refuse()
        stored.set(key, value)
        this.tellOthers()
      },
      removeItem: (key: string): void => {
        refuse()
        stored.delete(key)
        this.tellOthers()
      },
    }
  }

  openTabChannel(name: string, onMessage: (message: unknown) => void) {
    if (!this.browser.tabsTalk) return null
    const own: Listener = { name, tab: this, hear: onMessage }
    this.browser.channels.add(own)
    return {
      postMessage: (message: unknown): void => {
        for (const each of [...this.browser.channels]) {
          if (each !== own && each.name === name) queueMicrotask(() => each.hear(structuredClone(message)))
        }
      },
      close: (): void => {
        this.browser.channels.delete(own)
      },
    }
  }

  subscribe(listener: (signal: PageSignal) => void): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  private tellOthers(): void {
    for (const tab of this.browser.tabs) if (tab !== this) queueMicrotask(() => tab.signal('storage'))
  }
}
