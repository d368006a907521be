/** A site that asks to be connected when its button is clicked, by the protocol alone, and a visitor's browser on it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const page = (engineUrl: string): string => `<!doctype html><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"><button>Connect</button><p role="status">not connected</p>
<script>
const status = document.querySelector('p'), engine = ${JSON.stringify(engineUrl)}
document.querySelector('button').onclick = () => {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replaceAll('+', '-').replaceAll('/', '_')
  location.href = 'leuria://connect?' + new URLSearchParams({ origin: location.origin, app: 'Test shop', nonce })
  status.textContent = 'asking'
  claim(nonce)
}
async function claim(nonce) {
  for (;;) {
    try {
      const response = await fetch(engine + '/connect/claim', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ nonce }) })
      const answer = await response.json()
      if (answer.status === 'denied') { status.textContent = 'denied'; return }
      if (answer.status === 'allowed') {
        const health = await (await fetch(engine + '/health', { headers: { authorization: 'Bearer ' + answer.token } })).json()
        status.textContent = health.paired ? 'connected to ' + health.agent : 'not paired'
        return
      }
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}
</script>`

export interface AskingSite extends AsyncDisposable {
  readonly origin: string
  readonly page: Page
  /** Clicks as the visitor does. */
  ask(): Promise<void>
  /** Waits until the page says so. */
  says(words: RegExp): Promise<void>
}

export interface SiteOptions {
  /** The real browser. */
  browser: string
  engineUrl: string
  /** For the visitor's browser: display, home, where its programs for links are looked up. */
  env: Readonly<Record<string, string>>
  /** A folder of the test's own. */
  folder: string
}

/** The visitor has said once that this site may open such links. */
async function makeProfile(folder: string, origin: string): Promise<string> {
  const profile = join(folder, 'visitor')
  await mkdir(join(profile, 'Default'), { recursive: true })
  const preferences = { protocol_handler: { allowed_origin_protocol_pairs: { [origin]: { leuria: true } } } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
  return profile
}

export async function openAskingSite({ browser, engineUrl, env, folder }: SiteOptions): Promise<AskingSite> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(page(engineUrl))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://shop.localhost:${(server.address() as AddressInfo).port}`
  const context: BrowserContext = await chromium.launchPersistentContext(await makeProfile(folder, origin), {
    executablePath: browser,
    headless: false,
    env: { ...env },
  })
  const shown = await context.newPage()
  await shown.goto(origin)
  return {
    origin,
    page: shown,
    ask: () => shown.getByRole('button').click(),
    says: (words) => shown.getByRole('status').filter({ hasText: words }).waitFor({ timeout: 60_000 }),
    async [Symbol.asyncDispose]() {
      await context.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
