/** Public names of `@leuria/agent-ollama`: Ollama's models as AIs. */
export { createOllamaService } from './ollama-service.js'
export type { OllamaProvider, OllamaServiceOptions } from './ollama-service.js'
