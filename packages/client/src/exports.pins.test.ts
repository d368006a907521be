import { describe, expect, it } from 'vitest'
import { EngineSession } from './engine/engine-session.js'
import * as client from './index.js'

describe('the public names', () => {
  it('are these: a red pin asks whether the change is deliberate', () => {
    expect(Object.keys(client).sort()).toEqual([
      'AbortError',
      'BaseProvider',
      'BridgeClient',
      'BridgeProvider',
      'BridgeSession',
      'BrowserAIProvider',
      'ChatRun',
      'Conversation',
      'DEFAULT_URL',
      'Leuria',
      'LeuriaError',
      'LeuriaNotConnectedError',
      'LeuriaNotRunningError',
      'NoProviderError',
      'SUBMIT_TOOL',
      'ServerProvider',
      'StructuredOutputError',
      'TimeoutError',
      'bridge',
      'browserAI',
      'capturedTools',
      'connection',
      'createLeuria',
      'defaultFormatContext',
      'defineTool',
      'exposeTools',
      'extractJson',
      'fileText',
      'leuriaRunsHere',
      'messageFiles',
      'messageText',
      'modelContext',
      'newId',
      'parseDataUrl',
      'promptText',
      'server',
      'subscribeCapturedTools',
      'toMessage',
      'transcript',
      'withJsonSchema',
    ])
  })

  it('have the members that pages rely on', () => {
    const members = (type: { prototype: object }) => Object.getOwnPropertyNames(type.prototype)
    expect(members(client.BridgeClient)).toEqual(
      expect.arrayContaining([
        'detect',
        'connect',
        'manage',
        'forget',
        'embed',
        'startSession',
        'getState',
        'subscribe',
      ]),
    )
    expect(EngineSession.prototype).toBeInstanceOf(client.BridgeSession)
    expect(members(EngineSession)).toEqual(
      expect.arrayContaining([
        'prompt',
        'cancelTurn',
        'cancel',
        'close',
        'onEvent',
        'status',
        'text',
        'error',
        'outcome',
      ]),
    )
  })

  it('have the members of conversations and runs that pages rely on', () => {
    const members = (type: { prototype: object }) => Object.getOwnPropertyNames(type.prototype)
    expect(members(client.Conversation).sort()).toEqual([
      'close',
      'constructor',
      'getState',
      'on',
      'rejectToolCall',
      'reset',
      'send',
      'stop',
      'submitToolResult',
      'subscribe',
      'warm',
    ])
    expect(members(client.ChatRun)).toEqual(expect.arrayContaining(['text', 'object', 'result', 'on', 'abort']))
  })

  it('form one family of errors', () => {
    const { LeuriaError, LeuriaNotConnectedError, LeuriaNotRunningError, AbortError, TimeoutError } = client
    expect(new LeuriaNotRunningError()).toBeInstanceOf(LeuriaNotConnectedError)
    for (const error of [new LeuriaNotConnectedError('x'), new AbortError(), new TimeoutError()]) {
      expect(error).toBeInstanceOf(LeuriaError)
    }
    expect([new AbortError().name, new TimeoutError().name, new LeuriaNotRunningError().code]).toEqual([
      'AbortError',
      'TimeoutError',
      'not_running',
    ])
  })
})
