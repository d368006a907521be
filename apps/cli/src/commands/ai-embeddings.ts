/** `leuria ai embeddings`: which model on this computer turns a site's texts into vectors, if any. */
import { type EmbeddingChoice, findEmbeddingModel, parseEmbeddingChoice } from '@leuria/embeddings'
import type { OpenVisitorAgents } from '@leuria/engine'
import { UserError } from '../fail.js'
import { withVisitorAgents } from './ai.js'

/** @throws UserError for a model that isn't there */
function readChoice(text: string, { embeddings }: OpenVisitorAgents): EmbeddingChoice {
  if (text === 'auto' || text === 'off') return text
  const known = embeddings.models()
  const found = findEmbeddingModel(text, known)
  if (found !== null) return found
  const names = known.map(({ provider, model }) => `llm:${provider}/${model}`).join(', ')
  throw new UserError(
    `There is no embedding model "${text}" in LM Studio or Ollama on this computer. ` +
      (names === '' ? 'None was found; auto or off can be chosen.' : `Choose auto, off, or one of: ${names}.`),
  )
}

function describe({ embeddings, config }: OpenVisitorAgents): string {
  const choice = parseEmbeddingChoice(config.value.embed) ?? 'off'
  if (choice === 'off') return 'Embeddings are off: sites get none.'
  const current = embeddings.current()
  const how = choice === 'auto' ? ' (the first that was found)' : ''
  if (current !== undefined) return `Sites get embeddings of ${current.model} in ${current.provider}${how}.`
  return choice === 'auto'
    ? 'Sites get embeddings once there is a model for them in LM Studio or Ollama on this computer; none was found.'
    : `Sites get embeddings of ${choice.model} in ${choice.provider}, which isn't there right now.`
}

function toJson({ embeddings, config }: OpenVisitorAgents): object {
  return {
    choice: parseEmbeddingChoice(config.value.embed) ?? 'off',
    current: embeddings.current() ?? null,
    models: embeddings.models(),
  }
}

/** Shows the choice; with a text, changes it first. @throws UserError for a model that isn't there */
export async function chooseEmbeddings(text: string | undefined, flags: { json?: boolean }): Promise<void> {
  await withVisitorAgents(async (agents) => {
    await agents.embeddings.refresh()
    if (text !== undefined) {
      const embed = readChoice(text, agents)
      await agents.config.update((saved) => ({ ...saved, embed }))
    }
    console.log(flags.json === true ? JSON.stringify(toJson(agents), null, 2) : describe(agents))
  })
}
