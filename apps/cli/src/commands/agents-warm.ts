/** `leuria agents warm`: whether the default AI, if it is an agent, is started before a page needs it. */
import { openConfig } from '@leuria/state'
import { homeOptions, using } from '../home.js'
import { printAnswer } from '../print-json.js'

export type WarmChoice = 'on' | 'off'

export function isWarm(): Promise<boolean> {
  return using(openConfig(homeOptions()), (config) => config.value.warm ?? true)
}

export function warmWords(warm: boolean): string {
  return warm
    ? 'Your AI is started before a page needs it, if it is an agent: answers begin sooner, and it takes memory while it waits. To end that: leuria agents warm off'
    : 'Agents are started only when a page needs them. To have your AI ready before: leuria agents warm on'
}

/** Without a choice it only tells. A running engine follows at once. */
export async function chooseWarm(choice: WarmChoice | undefined, { json }: { json?: boolean }): Promise<void> {
  if (choice !== undefined)
    await using(openConfig(homeOptions()), (config) => config.update((value) => ({ ...value, warm: choice === 'on' })))
  const warm = await isWarm()
  printAnswer(json, { value: { warm }, words: warmWords(warm) })
}
