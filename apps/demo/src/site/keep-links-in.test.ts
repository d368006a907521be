import { expect, it } from 'vitest'
import { keepLinksIn } from './keep-links-in.js'

class Link extends EventTarget {
  constructor(readonly href: string) {
    super()
  }
}

/** Whether the browser would follow it. */
function isFollowed(target: EventTarget): boolean {
  const kept: string[] = []
  const undo = keepLinksIn(target, (link) => kept.push(link))
  const click = new Event('click', { cancelable: true })
  target.dispatchEvent(click)
  undo()
  expect(kept.length === 1).toBe(click.defaultPrevented)
  return !click.defaultPrevented
}

it.each([
  ['leuria://connect?nonce=1', false],
  ['https://leuria.example/', true],
  ['/notes', true],
])('follows %s: %s', (href, expected) => {
  expect(isFollowed(new Link(href))).toBe(expected)
})

it('has nothing to do with clicks on anything else', () => {
  expect(isFollowed(new EventTarget())).toBe(true)
})

it('lets go again', () => {
  const link = new Link('leuria://connect')
  keepLinksIn(link)()
  const click = new Event('click', { cancelable: true })
  link.dispatchEvent(click)
  expect(click.defaultPrevented).toBe(false)
})
