/**
 * What every service of models must do, as a suite that each kind runs from its own tests: its models always come from
 * memory, looks happen in the background, and nothing it does makes anybody wait without end.
 */
import type { ModelService, ModelSnapshot } from '@leuria/agent'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FakeClock } from './fake-clock.js'

/** One service with the server behind it. */
export interface ServiceUnderTest {
  service: ModelService
  /** The clock it was made with. */
  clock: FakeClock
  /** Ids of the models that the server has; at least one, the first one a chat model. */
  ids: readonly string[]
  /** How many requests the server has seen. */
  requests: () => number
  /** Stops the server. Idempotent. */
  stop: () => Promise<void>
  /** From now on the server takes requests for its list and never answers them. */
  stall: () => void
}

/** Runs the suite. `setup` is called before each test. */
export function modelServiceContract(name: string, setup: () => Promise<ServiceUnderTest>): void {
  describe(`model service contract: ${name}`, () => {
    let subject: ServiceUnderTest
    beforeEach(async () => {
      subject = await setup()
    })
    afterEach(async () => {
      subject.service.close()
      await subject.stop()
    })
    memoryTests(() => subject)
    trouble(() => subject)
    adapters(() => subject)
  })
}

const idsOf = (snapshot: ModelSnapshot): string[] => snapshot.models.map(({ id }) => id)

/** Resolves at the next change. */
const change = async (service: ModelService): Promise<ModelSnapshot> =>
  new Promise((resolve) => {
    const undo = service.subscribe((snapshot) => {
      undo()
      resolve(snapshot)
    })
  })

function memoryTests(subject: () => ServiceUnderTest): void {
  it('answers at once from memory, and looks in the background', async () => {
    const { service, ids } = subject()
    const changed = change(service)
    expect(service.models()).toEqual({ state: 'unknown', models: [] })
    const found = await changed
    expect(found.state).toBe('running')
    expect(idsOf(found)).toEqual(ids)
    expect(service.models()).toBe(found)
  })

  it('does not look again within 10 s, and looks once when they are over', async () => {
    const { service, clock, requests } = subject()
    const first = await service.refresh()
    const asked = requests()
    clock.advance(9_999)
    expect(service.models()).toBe(first)
    expect(requests()).toBe(asked)
    clock.advance(1)
    expect(service.models()).toBe(first)
    const again = await service.refresh()
    expect(again).toBe(first)
    expect(requests()).toBeGreaterThan(asked)
  })

  it('shares one look between all who ask for one', async () => {
    const { service, requests } = subject()
    await service.refresh()
    const one = requests()
    await service.refresh()
    const each = requests() - one
    const [a, b] = await Promise.all([service.refresh(), service.refresh()])
    expect(a).toBe(b)
    expect(requests() - one).toBe(2 * each)
  })

  it('does nothing any more once it is closed', async () => {
    const { service, requests } = subject()
    service.close()
    service.close()
    expect((await service.refresh()).state).toBe('unknown')
    expect(service.models().state).toBe('unknown')
    expect(requests()).toBe(0)
  })
}

function trouble(subject: () => ServiceUnderTest): void {
  it('says in words when it is not there, and forgets its models', async () => {
    const { service, stop } = subject()
    await service.refresh()
    await stop()
    const gone = await service.refresh()
    expect(gone).toMatchObject({ state: 'unavailable', models: [] })
    expect(gone.problem).toContain(service.name)
  })

  it('ends a look that nothing answers, and keeps the models of a service that is only busy', async () => {
    const { service, clock, stall, ids } = subject()
    await service.refresh()
    stall()
    const look = service.refresh()
    await clock.advanceAsync(60_000)
    const slow = await look
    expect(slow.state).toBe('running')
    expect(idsOf(slow)).toEqual(ids)
    expect(slow.problem).toBeDefined()
  })

  it('does not claim to run when it never answered', async () => {
    const { service, clock, stall } = subject()
    stall()
    const look = service.refresh()
    await clock.advanceAsync(60_000)
    expect(await look).toMatchObject({ state: 'unavailable', models: [] })
  })
}

function adapters(subject: () => ServiceUnderTest): void {
  it('names itself and its AIs', () => {
    const { service, ids } = subject()
    expect(service.baseUrl).toMatch(/^https?:\/\/.*[^/]$/)
    expect(service.name.trim()).not.toBe('')
    expect(service.openAgent().id).toBe(`llm:${service.id}`)
    expect(service.openAgent(ids[0]).id).toBe(`llm:${service.id}/${ids[0]}`)
    expect(service.openAgent(ids[0]).name).toContain(service.name)
  })

  it('is asked nothing by making an adapter', () => {
    const { service, requests } = subject()
    service.openAgent()
    expect(requests()).toBe(0)
  })
}
