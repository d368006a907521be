/** Resources and prompts as a page declared them → what every AI can take. */
import type { PagePrompt, PageResource } from '@leuria/agent'
import type { PromptDeclaration, ResourceDeclaration } from '@leuria/protocol'
import { isJsonObject } from './plain-object.js'
import { cleanText } from './tool-declaration.js'

export function cleanResource(declaration: ResourceDeclaration): { resource: PageResource; warnings: string[] } {
  const warnings: string[] = []
  const text = (name: 'name' | 'description' | 'mimeType'): string | undefined =>
    cleanText(declaration[name], { name, warnings })
  const description = text('description')
  const mimeType = text('mimeType')
  const resource: PageResource = {
    uri: declaration.uri,
    name: text('name') ?? declaration.uri,
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  }
  return { resource, warnings }
}

export function cleanPrompt(declaration: PromptDeclaration): { prompt: PagePrompt; warnings: string[] } {
  const warnings: string[] = []
  const description = cleanText(declaration.description, { name: 'description', warnings })
  const list = cleanPromptArguments(declaration.arguments, warnings)
  const prompt: PagePrompt = {
    name: declaration.name,
    ...(description !== undefined && { description }),
    ...(list !== undefined && { arguments: list }),
  }
  return { prompt, warnings }
}

function cleanPromptArguments(declared: unknown, warnings: string[]): PagePrompt['arguments'] {
  if (declared === undefined || declared === null) return undefined
  if (!Array.isArray(declared)) {
    warnings.push('arguments is not a list and was left out')
    return undefined
  }
  return declared.flatMap((each: unknown, at) => {
    if (!isJsonObject(each) || typeof each.name !== 'string') {
      warnings.push(`arguments[${at}] has no name and was left out`)
      return []
    }
    const description = cleanText(each.description, { name: `arguments[${at}].description`, warnings })
    return [
      {
        name: each.name,
        ...(description !== undefined && { description }),
        ...(typeof each.required === 'boolean' && { required: each.required }),
      },
    ]
  })
}
