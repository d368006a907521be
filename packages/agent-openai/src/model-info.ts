/** What a service's list says of a model, wherever it says it; and what its name gives away where it says nothing. */
import type { ModelInfo } from '@leuria/agent'
import { isLoopbackUrl, keepModels, looksLikeEmbedder } from '@leuria/language-model'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0

/** Models in OpenAI's list (and its copies) that don't chat. */
const NOT_CHAT =
  /(^|[^a-z])(whisper|tts|dall-e|moderation|transcribe|realtime|rerank(er)?|sora|gpt-image|davinci|babbage)([^a-z]|$)/i
/** Families known to take images. A wrong guess costs one refused request: the image is then left out. */
const SEES_IMAGES =
  /gpt-4o|gpt-4\.1|gpt-5|chatgpt-4o|(^|[^a-z0-9])o[34](-|$)|claude-(3|opus|sonnet|haiku)|gemini|pixtral|llava|vision|[^a-z]vl([^a-z]|$)|gemma-?3|minicpm-v|internvl|llama-?4|mistral-(small-3\.[1-9]|medium-3)/i

/** Reads any of the forms in use: `{ data: [...] }`, `{ models: [...] }`, or the list itself. `null`: it is none. */
export function readModelList(body: unknown, baseUrl: string): ModelInfo[] | null {
  const list = Array.isArray(body) ? (body as unknown[]) : (fieldsOf(body)['data'] ?? fieldsOf(body)['models'])
  if (!Array.isArray(list)) return null
  const local = isLoopbackUrl(baseUrl)
  const models = (list as unknown[]).flatMap((entry) => {
    const model = readModel(fieldsOf(entry), local)
    return model === null ? [] : [model]
  })
  return keepModels(models)
}

function readModel(entry: Fields, local: boolean): ModelInfo | null {
  const id = [entry['id'], entry['model'], entry['name']].find((value) => typeof value === 'string' && value !== '')
  if (typeof id !== 'string' || NOT_CHAT.test(id)) return null
  const said = typeof entry['type'] === 'string' ? entry['type'] : ''
  const embedding = said === '' || said === 'model' ? looksLikeEmbedder(id) : /^embedding/.test(said)
  const images = seesImages(entry, id)
  const tools = callsTools(entry)
  const contextTokens = contextOf(entry)
  return {
    id,
    name: id.slice(id.lastIndexOf('/') + 1),
    type: embedding ? 'embedding' : 'chat',
    local,
    ...(images === undefined ? {} : { images }),
    ...(tools === undefined ? {} : { tools }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  }
}

/** OpenRouter: `architecture.input_modalities`; Mistral: `capabilities.vision`; LM Studio: `type: "vlm"`; llama.cpp: a list of words. */
function seesImages(entry: Fields, id: string): boolean | undefined {
  const modalities = fieldsOf(entry['architecture'])['input_modalities'] ?? entry['input_modalities']
  if (Array.isArray(modalities)) return modalities.includes('image')
  const { capabilities } = entry
  if (Array.isArray(capabilities)) return capabilities.some((word) => /^(vision|multimodal|image)/.test(String(word)))
  const vision = fieldsOf(capabilities)['vision']
  if (typeof vision === 'boolean') return vision
  return entry['type'] === 'vlm' || SEES_IMAGES.test(id) ? true : undefined
}

/** OpenRouter: `supported_parameters`; Mistral: `capabilities.function_calling`. */
function callsTools(entry: Fields): boolean | undefined {
  const parameters = entry['supported_parameters']
  if (Array.isArray(parameters)) return parameters.includes('tools')
  const calling = fieldsOf(entry['capabilities'])['function_calling']
  return typeof calling === 'boolean' ? calling : undefined
}

/** As loaded before as trained. OpenRouter, vLLM, Mistral, Groq, LM Studio, llama.cpp in turn. */
function contextOf(entry: Fields): number | undefined {
  const meta = fieldsOf(entry['meta'])
  const { context_length, max_model_len, max_context_length, context_window, loaded_context_length } = entry
  return [loaded_context_length, meta['n_ctx'], max_model_len, context_length, context_window, max_context_length].find(
    isCount,
  )
}
