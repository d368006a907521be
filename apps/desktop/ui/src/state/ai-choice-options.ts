/** The lists that the visitor chooses an AI or a model from. Pure. */
import type { AdminAi } from '@leuria/protocol'
import type { SelectOption } from '../parts/select.js'

/** The value that means "whatever my AI is". No id is empty. */
export const DEFAULT_AI = ''

export function aiOptions(ais: readonly AdminAi[] | null): SelectOption[] {
  const usable = (ais ?? []).filter((ai) => ai.ready && !ai.default)
  const own = ais?.find((ai) => ai.default)
  return [
    { value: DEFAULT_AI, label: own === undefined ? 'Your AI' : `Your AI (${own.name})` },
    ...usable.map((ai) => ({ value: ai.id, label: ai.name })),
  ]
}

/** A site's choice that can't be used any more is still shown, so that nothing looks changed that isn't. */
export function withCurrent(options: readonly SelectOption[], value: string): SelectOption[] {
  const isListed = options.some((option) => option.value === value)
  return isListed ? [...options] : [...options, { value, label: `${value} (not here now)` }]
}
