import { afterEach, describe, expect, it, vi } from 'vitest'
import { currentPage, noPage, type PageSignal } from './engine/page-host.js'

function stub({ userAgent = 'X11; Linux', maxTouchPoints = 0 } = {}) {
  const log: string[] = []
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    body: { append: () => log.push('append') },
    createElement: (name: string) => ({
      href: '',
      style: { display: '' },
      click(this: { href: string; style: { display: string } }) {
        log.push(`click ${name} ${this.href} ${this.style.display}`)
      },
      remove: () => log.push('remove'),
    }),
  })
  const window = new EventTarget()
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', window)
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints })
  return { document, window, log }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the page', () => {
  it('is none on a server: nothing happens, nothing throws', () => {
    const page = currentPage()
    expect(page).toBe(noPage)
    page.openLink('leuria://site')
    expect([page.origin, page.runsLeuria, page.storage(), page.openTabChannel('x', () => undefined)]).toEqual([
      'null',
      false,
      null,
      null,
    ])
    page.subscribe(() => undefined)()
  })

  it('opens a link as a click on a hidden link would', () => {
    const { log } = stub()
    currentPage().openLink('leuria://connect?x')
    expect(log).toEqual(['append', 'click a leuria://connect?x none', 'remove'])
  })

  it.each([
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64)', 0, true],
    ['Windows with a touch screen', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 10, true],
    ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, true],
    ['an iPad that says it is a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, false],
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, false],
    ['Android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9)', 5, false],
  ] as const)('knows whether Leuria runs on %s', (...[, userAgent, maxTouchPoints, runs]) => {
    stub({ userAgent, maxTouchPoints })
    expect(currentPage().runsLeuria).toBe(runs)
  })

  it('tells when it is left, comes back from the cache, is looked at, goes online, or another tab wrote', () => {
    const { document, window } = stub()
    const signals: PageSignal[] = []
    const seen: boolean[] = []
    const undo = currentPage().subscribe((signal) => signals.push(signal))
    const fire = () => {
      window.dispatchEvent(new Event('pagehide'))
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
      document.visibilityState = 'hidden'
      seen.push(currentPage().isVisible)
      document.dispatchEvent(new Event('visibilitychange'))
      document.visibilityState = 'visible'
      seen.push(currentPage().isVisible)
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('focus'))
      window.dispatchEvent(new Event('online'))
      window.dispatchEvent(new Event('storage'))
    }
    fire()
    expect(signals).toEqual(['hide', 'show', 'visible', 'focus', 'online', 'storage'])
    expect(seen).toEqual([false, true])
    undo()
    fire()
    expect(signals).toHaveLength(6)
  })

  it('talks to other tabs, or says that it cannot', async () => {
    stub()
    const page = currentPage()
    const heard = new Promise((resolve) => {
      const other = page.openTabChannel('leuria-test', (message) => {
        resolve(message)
        other?.close()
      })
    })
    const channel = page.openTabChannel('leuria-test', () => undefined)
    channel?.postMessage({ kind: 'set' })
    expect(await heard).toEqual({ kind: 'set' })
    channel?.close()
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          throw new Error('SecurityError')
        }
      },
    )
    expect(page.openTabChannel('leuria-test', () => undefined)).toBeNull()
    vi.stubGlobal('BroadcastChannel', undefined)
    expect(page.openTabChannel('leuria-test', () => undefined)).toBeNull()
  })
})
