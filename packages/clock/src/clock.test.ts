import { describe, expect, it } from 'vitest'
import { DeadlineError, pause, systemClock, withDeadline, type Clock } from './index.js'

/** One timer at a time, fired by hand: this package is below the one that has the fake clock. */
function handClock(): Clock & { fire(): void; armed(): boolean } {
  let fire: (() => void) | undefined
  return {
    now: () => 0,
    date: () => new Date(0),
    setTimer(_, callback) {
      fire = callback
      return () => {
        fire = undefined
      }
    },
    fire: () => fire?.(),
    armed: () => fire !== undefined,
  }
}

describe('withDeadline', () => {
  it('settles as the work does and leaves no timer', async () => {
    const clock = handClock()
    await expect(withDeadline(clock, 50, Promise.resolve('done'))).resolves.toBe('done')
    await expect(withDeadline(clock, 50, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(clock.armed()).toBe(false)
  })

  it('rejects when the time is over, and swallows what the work does later', async () => {
    const clock = handClock()
    let fail: (error: Error) => void = () => undefined
    const late = withDeadline(
      clock,
      50,
      new Promise((_, reject) => {
        fail = reject
      }),
    )
    clock.fire()
    await expect(late).rejects.toThrow(DeadlineError)
    fail(new Error('too late to matter'))
  })
})

describe('pause', () => {
  it('ends with its time', async () => {
    const clock = handClock()
    const paused = pause(clock, 50)
    clock.fire()
    await paused
    expect(clock.armed()).toBe(false)
  })

  it('ends at once when it is called off, before or during', async () => {
    const clock = handClock()
    const abort = new AbortController()
    const paused = pause(clock, 50, abort.signal)
    abort.abort()
    await paused
    await pause(clock, 50, abort.signal)
    expect(clock.armed()).toBe(false)
  })
})

describe('systemClock', () => {
  it('goes forward and fires in order', async () => {
    const before = systemClock.now()
    const fired: string[] = []
    await new Promise<void>((resolve) => {
      systemClock.setTimer(5, () => {
        fired.push('later')
        resolve()
      })
      systemClock.setTimer(1, () => fired.push('sooner'))
      systemClock.setTimer(1, () => fired.push('never'))()
      // The clock's own timers hold no process open; something has to while the test waits.
      const hold = setInterval(() => {
        if (fired.includes('later')) clearInterval(hold)
      }, 1)
    })
    expect(fired).toEqual(['sooner', 'later'])
    expect(systemClock.now()).toBeGreaterThan(before)
    expect(Math.abs(systemClock.date().getTime() - Date.now())).toBeLessThan(1_000)
  })
})
