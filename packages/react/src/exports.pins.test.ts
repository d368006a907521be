import { describe, expect, it } from 'vitest'
import * as react from './index.js'

describe('the public names', () => {
  it('are these: a red pin asks whether the change is deliberate', () => {
    expect(Object.keys(react).sort()).toEqual([
      'AIStatus',
      'ConnectButton',
      'LeuriaBadge',
      'LeuriaProvider',
      'useChat',
      'useConnect',
      'useConversation',
      'useConversationState',
      'useExposedTools',
      'useLeuria',
      'useLeuriaState',
      'useProvider',
    ])
  })
})
