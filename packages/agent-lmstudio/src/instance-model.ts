/** A chat model that answers by the id of its loaded instance, which may change when it is loaded anew. */
import type { ChatModel, ChatRequest, ModelFacts, ModelPart } from '@leuria/language-model'

export class InstanceModel implements ChatModel {
  readonly serviceName: string
  #model: ChatModel
  #instance: string

  /** @param instance the id by which it answers now; @param make a model that is asked for by that id */
  constructor(
    private readonly instance: () => string,
    private readonly make: (instance: string) => ChatModel,
  ) {
    this.#instance = instance()
    this.#model = make(this.#instance)
    this.serviceName = this.#model.serviceName
  }

  get facts(): ModelFacts {
    return this.#model.facts
  }

  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<readonly ModelPart[]> {
    const instance = this.instance()
    if (instance !== this.#instance) {
      this.#instance = instance
      this.#model = this.make(instance)
    }
    return this.#model.stream(request, signal)
  }
}
