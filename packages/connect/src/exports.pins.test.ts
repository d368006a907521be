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
      expect(element.properties).toMatchObject({ client: 'property', texts: 'property' })
    }
    expect(LeuriaAIStatus.properties).toMatchObject({ labels: 'property' })
  })

  it('of texts that sites may override are these', () => {
    expect(Object.keys(ENGLISH).sort().join(' ')).toMatchInlineSnapshot(
      `"answering asksFirst badge browserAI browserNote cancel close connect copied copy declinedText declinedTitle disconnect downloadNote expiredText failedText getLeuria gettingReady haveText looking manage newText noAI notRunning otherAI phoneText phoneTitle recentText share siteAI siteNote startText startTitle throughLeuria tryAgain waiting waitingText waitingTitle yourAI"`,
    )
  })
})
