import { describe, expect, it } from 'vitest'
import { BaseProvider } from './base-provider.js'
import type { ProviderState } from './provider.js'

class OwnProvider extends BaseProvider {
  constructor() {
    super('own', 'Our AI', 'site', { status: 'ready', capabilities: ['chat'] })
  }

  detect(): Promise<void> {
    return Promise.resolve()
  }

  createSession() {
    return Promise.resolve({ send: () => Promise.resolve({ text: 'hi' }), close: () => undefined })
  }

  become(change: Partial<ProviderState>): void {
    this.setState(change)
  }
}

function watched() {
  const provider = new OwnProvider()
  const seen: ProviderState[] = []
  const undo = provider.subscribe(() => seen.push(provider.getState()))
  return { provider, seen, undo }
}

describe('a provider of a page', () => {
  it('says who it is and where it stands', () => {
    const { provider } = watched()
    expect(provider).toMatchObject({ id: 'own', label: 'Our AI', locality: 'site' })
    expect(provider.getState()).toEqual({ status: 'ready', capabilities: ['chat'] })
  })

  it('tells a change once, as a new object', () => {
    const { provider, seen } = watched()
    const before = provider.getState()
    provider.become({ status: 'downloading', progress: 0.5 })
    expect(seen).toEqual([{ status: 'downloading', capabilities: ['chat'], progress: 0.5 }])
    expect(before).toEqual({ status: 'ready', capabilities: ['chat'] })
    expect(seen[0]?.capabilities).toBe(before.capabilities)
  })

  it('keeps its object and is silent when nothing changed, lists made anew included', () => {
    const { provider, seen } = watched()
    const before = provider.getState()
    provider.become({ status: 'ready', capabilities: ['chat'], model: undefined })
    expect(seen).toEqual([])
    expect(provider.getState()).toBe(before)
  })

  it('takes a field away, and tells nobody who stopped listening', () => {
    const { provider, seen, undo } = watched()
    provider.become({ detail: 'Busy.' })
    undo()
    provider.become({ detail: undefined })
    expect(seen).toHaveLength(1)
    expect(provider.getState()).toEqual({ status: 'ready', capabilities: ['chat'] })
  })
})
