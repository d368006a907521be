import { describe, expect, it } from 'vitest'
import { hashNonce, MAX_NONCES, NonceMemory } from './nonce-memory.js'

const hash = (at: number) => hashNonce(`nonce ${at}`)

describe('the memory of nonces', () => {
  it('knows the latest, the ones before it, and that there are others', () => {
    const memory = new NonceMemory()
    expect(memory.relation(hash(0))).toBe('fresh')
    memory.adopt(hash(0))
    expect(memory.relation(hash(0))).toBe('latest')
    memory.adopt(hash(1))
    expect([0, 1, 2].map((at) => memory.relation(hash(at)))).toEqual(['older', 'latest', 'fresh'])
  })

  it('has no latest once that was spent', () => {
    const memory = new NonceMemory()
    memory.adopt(hash(0))
    memory.spend()
    memory.spend()
    expect(memory.relation(hash(0))).toBe('older')
  })

  it('takes the latest again for what it is', () => {
    const memory = new NonceMemory()
    memory.adopt(hash(0))
    memory.adopt(hash(0))
    memory.adopt(hash(1))
    expect(memory.relation(hash(0))).toBe('older')
  })

  it('is bounded: the oldest goes first', () => {
    const memory = new NonceMemory()
    for (let at = 0; at <= MAX_NONCES; at += 1) memory.adopt(hash(at))
    expect(memory.relation(hash(0))).toBe('older')
    memory.adopt(hash(MAX_NONCES + 1))
    expect(memory.relation(hash(0))).toBe('fresh')
    expect(memory.relation(hash(1))).toBe('older')
  })
})
