/** Public names of `@leuria/embeddings`: texts to vectors with a model on this computer. */
export { createEmbeddings } from './embeddings.js'
export type { EmbedRequest, Embeddings, EmbeddingsOptions, ListedEmbedder } from './embeddings.js'
export { findEmbeddingModel, parseEmbeddingChoice } from './embedding-choice.js'
export type { EmbeddingChoice, EmbeddingModel } from './embedding-choice.js'
export { taskPrefix } from './task-prefix.js'
