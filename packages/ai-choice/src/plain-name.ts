/** What people read where ids stand: "Ollama · llama3.2". */

/** The end of an id without what only says "the usual one": `hf.co/team/phi-4:latest` is "phi-4". */
export function modelName(id: string): string {
  const end = id.slice(id.lastIndexOf('/') + 1).replace(/:latest$/, '')
  return end === '' ? id : end
}

/** A service or agent with its model. The middle dot is the page's own way of joining them (Health, `agent`). */
export function plainName(service: string, model?: string): string {
  return model === undefined || model === '' ? service : `${service} · ${model}`
}
