/** The part of a saved service that speaking to it needs. */
import type { Provider } from '@leuria/protocol'

export type OpenAiProvider = Pick<Provider, 'id' | 'name' | 'baseUrl' | 'apiKey' | 'headers'>
