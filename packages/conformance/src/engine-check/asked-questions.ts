/** Questions that an engine tells about (`leuria start --json`), by origin, for whoever answers them on the approval page. */
import { answerOnApprovalPage } from './approval-page.js'
import type { Question, Visitor } from './visitor.js'

/** How long the engine may take to tell of a question that is on its way. */
const QUESTION_LIMIT_MS = 10_000

export class AskedQuestions implements Pick<Visitor, 'answer' | 'approvalUrl'> {
  readonly #urls = new Map<string, string>()
  readonly #waiting = new Set<() => void>()

  /** A question was put to the visitor; its address is the engine's approval page. */
  add({ origin, approveUrl }: { origin: string; approveUrl: string }): void {
    this.#urls.set(origin, approveUrl)
    for (const wake of [...this.#waiting]) wake()
  }

  /** @throws when no question of this origin comes */
  readonly approvalUrl = (origin: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look)
        reject(new Error(`the engine told of no question of ${origin}`))
      }, QUESTION_LIMIT_MS)
      const look = (): void => {
        const url = this.#urls.get(origin)
        if (url === undefined) return
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(url)
      }
      this.#waiting.add(look)
      look()
    })

  readonly answer = async ({ origin, allow }: Question): Promise<void> => {
    const url = await this.approvalUrl(origin)
    this.#urls.delete(origin)
    await answerOnApprovalPage(url, allow)
  }
}
