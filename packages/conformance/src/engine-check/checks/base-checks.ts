/** Checks of Conventions: Base URL and Host. */
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DEFAULT_PORT } from '@leuria/protocol'
import type { BASE_URL, HOST } from '../../clauses/conventions.js'
import { cannotSee, holds } from '../../report/observe.js'
import { seen } from '../../wire-http.js'
import { type Checks } from '../kit.js'
import { fieldsOf } from '../mcp-agent.js'

/** An address that doesn't answer at all is as good as closed. */
const CONNECT_LIMIT_MS = 2_000

function isReached(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT_MS })
    const end = (reached: boolean) => () => {
      socket.destroy()
      resolve(reached)
    }
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false))
  })
}

function otherAddresses(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return ['127.0.0.2', '::1', ...own.filter(({ internal }) => !internal).map(({ address }) => address)]
}

export const baseChecks: Checks<keyof typeof BASE_URL> = {
  'base.loopback': async (kit) => {
    const answer = await kit.call('/health')
    holds(answer.status === 200, seen(answer))
  },
  'base.default-port': async (kit) => {
    if (Number(kit.options.url.port) !== DEFAULT_PORT)
      cannotSee(`this engine was told to use another port than ${DEFAULT_PORT}`)
    const answer = await kit.call('/health')
    holds(answer.status === 200, seen(answer))
  },
  'base.no-other-address': async (kit) => {
    const port = Number(kit.options.url.port)
    for (const host of otherAddresses())
      holds(!(await isReached(host, port)), `it can be reached at ${host}, port ${port}`)
  },
}

const FOREIGN_HOSTS = (port: string): string[] => [
  'evil.example',
  `evil.example:${port}`,
  `localhost.evil.example:${port}`,
  '127.0.0.1:1',
]

export const hostChecks: Checks<keyof typeof HOST> = {
  'host.own': async (kit) => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const answer = await kit.call('/health', { headers: { Host: `${name}:${kit.options.url.port}` } })
      holds(answer.status === 200, `with Host ${name}: ${seen(answer)}`)
    }
  },
  'host.other': async (kit) => {
    for (const host of FOREIGN_HOSTS(kit.options.url.port)) {
      const answer = await kit.call('/health', { headers: { Host: host } })
      const isNamed = fieldsOf(answer.json).error === 'host not allowed'
      holds(answer.status === 403 && isNamed, `with Host ${host}: ${seen(answer)}`)
      const page = await kit.asShop('/session/prepare', { body: {}, headers: { Host: host } })
      holds(page.status === 403, `a connected page with Host ${host}: ${seen(page)}`)
    }
  },
}
