/** Tries a service for real: is it there, does it take the key, does a model answer. For `leuria providers test`. */
import { AgentError, type AgentErrorCode } from '@leuria/agent'
import { type Clock, DeadlineError, withDeadline } from '@leuria/clock'
import { createOpenAiModel } from '@leuria/language-model'
import { listModels } from './list-models.js'
import type { OpenAiProvider } from './provider-entry.js'

/** A local service may have to read a model of many gigabytes from disk first. */
export const ANSWER_LIMIT_MS = 120_000

export interface TestOptions {
  clock: Clock
  /** @default the first chat model that the service lists */
  model?: string
  signal?: AbortSignal
}

export type ProviderTest =
  /** `models`: how many chat models it lists; `null`: it keeps no list. */
  { ok: true; model: string; models: number | null } | { ok: false; code: AgentErrorCode; message: string }

/** Asks for the list, then for the first word of an answer: many services show their list without a key. Never rejects. */
export async function testProvider(provider: OpenAiProvider, options: TestOptions): Promise<ProviderTest> {
  const listing = await listModels(provider, options)
  if (!listing.ok) return failed(listing.error)
  const chat = listing.models?.filter(({ type }) => type === 'chat') ?? null
  const model = options.model ?? chat?.[0]?.id
  if (model === undefined) {
    return failed(
      new AgentError('model_missing', `${provider.name} answers but lists no model to talk to. Name one to test it.`),
    )
  }
  const own = new AbortController()
  const stop = (): void => {
    own.abort()
  }
  options.signal?.addEventListener('abort', stop)
  try {
    await withDeadline(
      options.clock,
      ANSWER_LIMIT_MS,
      hearFirstWord(provider, { ...options, model, signal: own.signal }),
    )
    return { ok: true, model, models: chat?.length ?? null }
  } catch (error) {
    return failed(error)
  } finally {
    options.signal?.removeEventListener('abort', stop)
    stop()
  }
}

async function hearFirstWord(
  { baseUrl, name, apiKey, headers }: OpenAiProvider,
  { clock, model, signal }: { clock: Clock; model: string; signal: AbortSignal },
): Promise<void> {
  const chatModel = createOpenAiModel({
    baseUrl,
    model,
    serviceName: name,
    clock,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
  })
  const question = { role: 'user', parts: [{ type: 'text', text: 'Answer with the word OK.' }] } as const
  for await (const parts of chatModel.stream({ messages: [question], tools: [], toolChoice: 'auto' }, signal)) {
    if (parts.some(({ type }) => type === 'text' || type === 'thought' || type === 'finish')) return
  }
  throw new AgentError('failed', 'The test was stopped.')
}

function failed(error: unknown): ProviderTest {
  if (error instanceof AgentError) return { ok: false, code: error.code, message: error.message }
  if (error instanceof DeadlineError)
    return { ok: false, code: 'timed_out', message: 'The model gave no answer in two minutes.' }
  return { ok: false, code: 'failed', message: 'The test failed in an unexpected way.' }
}
