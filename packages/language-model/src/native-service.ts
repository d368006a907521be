/** A service that has an interface of its own beside OpenAI's: where both are, and what every way of asking it has in common. */
import type { Clock } from '@leuria/clock'

/** Where such a service is, as it was saved. */
export interface NativeProvider {
  id: string
  /** For people. */
  name: string
  /** With or without its version segment. */
  baseUrl: string
  /** Where the service, or a proxy in front of it, asks for one. */
  apiKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

export interface NativeAddress {
  /** Of its own interface, without a slash at the end. */
  root: string
  /** Of OpenAI's, with its version segment. */
  baseUrl: string
  /** For `createOpenAiModel`, `requestJson` and `requestEmbeddings`. */
  reach: {
    baseUrl: string
    serviceName: string
    clock: Clock
    apiKey?: string
    headers?: Readonly<Record<string, string>>
  }
}

export function addressNative({ name, baseUrl: saved, apiKey, headers }: NativeProvider, clock: Clock): NativeAddress {
  const root = saved.replace(/\/+$/, '').replace(/\/v1$/, '')
  const baseUrl = `${root}/v1`
  return {
    root,
    baseUrl,
    reach: {
      baseUrl,
      serviceName: name,
      clock,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(headers === undefined ? {} : { headers }),
    },
  }
}
