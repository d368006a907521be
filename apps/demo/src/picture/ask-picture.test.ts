import { expect, it } from 'vitest'
import {
  BaseProvider,
  createLeuria,
  messageFiles,
  messageText,
  type Message,
  type ProviderSession,
} from '@leuria/client'
import { createPictureTalk } from './ask-picture.js'

class Looker extends BaseProvider {
  readonly heard: Message[] = []
  constructor() {
    super('looker', 'Looker', 'device', { status: 'ready', capabilities: ['chat', 'images'] })
  }
  async detect(): Promise<void> {
    // It is always there.
  }
  async createSession(): Promise<ProviderSession> {
    return {
      send: async (message) => {
        this.heard.push(message)
        return { text: `You asked: ${messageText(message)}` }
      },
      close: () => undefined,
    }
  }
}

const picture = (bytes: readonly number[]): Blob => new Blob([new Uint8Array(bytes)], { type: 'image/png' })

it('sends the picture with the first question only, and another one with the first after it', async () => {
  const looker = new Looker()
  const { talk, show, ask } = createPictureTalk(createLeuria({ providers: [looker], autoDetect: false }))
  show(picture([1]))
  expect(await ask('What is it?').text()).toBe('You asked: What is it?')
  await ask('Which colour?').text()
  show(picture([2]))
  expect(talk.getState().messages).toEqual([])
  await ask('And this?').text()
  expect(looker.heard.map((message) => messageFiles(message).map(({ url }) => url))).toEqual([
    ['data:image/png;base64,AQ=='],
    [],
    ['data:image/png;base64,Ag=='],
  ])
})
