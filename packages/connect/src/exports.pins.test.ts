import { describe, expect, it } from 'vitest'
import * as connect from './index.js'
import { ENGLISH } from './texts/english.js'

describe('the public names', () => {
  it('are these: a red pin asks whether the change is deliberate', () => {
    expect(Object.keys(connect).sort()).toEqual([
      'LeuriaAIStatus',
      'LeuriaBadge',
      'LeuriaConnectButton',
      'setDefaultAppearance',
      'setDefaultClient',
      'setTexts',
    ])
  })

  it('of attributes and properties are these', () => {
    const { LeuriaConnectButton, LeuriaAIStatus, LeuriaBadge } = connect
    expect(LeuriaConnectButton.observedAttributes).toEqual([
      'appearance',
      'size',
      'hide-byline',
      'provider',
      'install-href',
    ])
    expect(LeuriaAIStatus.observedAttributes).toEqual(['appearance'])
    expect(LeuriaBadge.observedAttributes).toEqual(['appearance', 'href'])
    for (const element of [LeuriaConnectButton, LeuriaAIStatus, LeuriaBadge]) {
      expect(['client', 'texts', 'appearance'].filter((name) => !(name in element.prototype))).toEqual([])
    }
    expect('labels' in LeuriaAIStatus.prototype).toBe(true)
  })

  it('of texts that sites may override are these', () => {
    expect(Object.keys(ENGLISH).sort().join(' ')).toMatchInlineSnapshot(
      `"answering answersHere asksFirst badge browserAI browserNote cancel close cloudNote connect copied copy declinedText declinedTitle disconnect downloadNote expiredText expiredTitle failedText failedTitle getLeuria gettingReady haveText haveTitle linkCopied looking lookingForAny manage newText newTitle noAI notRunning nowConnected nowDisconnected onComputers otherAI phoneText phoneTitle recentText recentTitle share siteAI siteNote startText startTitle throughLeuria tryAgain waiting waitingText waitingTitle yourAI"`,
    )
  })
})
