/** What to call who answers, and what a visitor should know before choosing it. */
import type { ProviderSnapshot } from '@leuria/client'
import type { Words } from '../texts/text-choice.js'

/** The labels that `browserAI()` and `server()` have when the site gave none: told in the visitor's language instead. */
const PLAIN_LABELS: Readonly<Record<string, 'browserAI' | 'siteAI'>> = {
  "This browser's AI": 'browserAI',
  "This site's AI": 'siteAI',
}

/** A name that stands inside a sentence. */
export function nameInside({ label }: Pick<ProviderSnapshot, 'label'>, words: Words): string {
  const key = Object.hasOwn(PLAIN_LABELS, label) ? PLAIN_LABELS[label] : undefined
  return key === undefined ? label : words(key)
}

/** A sentence that may open with such a name: its first letter is a capital, unless the name is a proper one. */
export function openWith(sentence: string, provider: Pick<ProviderSnapshot, 'label'>, words: Words): string {
  const name = nameInside(provider, words)
  if (name === provider.label || !sentence.startsWith(name)) return sentence
  return sentence.charAt(0).toLocaleUpperCase(words.language) + sentence.slice(1)
}

/** A name that stands alone. */
export function nameAlone(provider: Pick<ProviderSnapshot, 'label'>, words: Words): string {
  return openWith(nameInside(provider, words), provider, words)
}

/** Where the visitor's questions go. */
export function noteAbout({ locality, action }: ProviderSnapshot, words: Words): string {
  const where = locality === 'visitor-cloud' ? [] : [words(locality === 'site' ? 'siteNote' : 'browserNote')]
  return [...where, ...(action === 'download' ? [words('downloadNote')] : [])].join(' · ')
}

export function percentOf(progress: number | undefined, words: Words): string {
  return new Intl.NumberFormat(words.language, { style: 'percent' }).format(progress ?? 0)
}
