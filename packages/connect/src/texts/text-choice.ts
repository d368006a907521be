/** Which words an element shows: the site's own before ours, the page's language before English. */
import { ChangeFeed } from '../element/change-feed.js'
import type { TextKey } from './english.js'
import { LANGUAGES } from './languages.js'

export type SomeTexts = Readonly<Partial<Record<TextKey, string>>>

/** By lower-case language tag; `''` holds for every language. */
const siteTexts = new Map<string, SomeTexts>()
export const textsChanged = new ChangeFeed()

/**
 * Puts the site's own words in place of ours, on every element, at once; what isn't given stays.
 * With a language tag (`'pt'`, `'de-AT'`) for that language only, which may be one that we don't have; without for all.
 */
export function setTexts(texts: SomeTexts): void
export function setTexts(locale: string | undefined, texts: SomeTexts): void
export function setTexts(first: string | SomeTexts | undefined, second?: SomeTexts): void {
  const [locale, texts] = typeof first === 'object' ? ['', first] : [first ?? '', second ?? {}]
  const tag = locale.toLowerCase()
  siteTexts.set(tag, { ...siteTexts.get(tag), ...texts })
  textsChanged.tell()
}

export interface Words {
  /** The language that the words are in, for the `lang` of what shows them. */
  readonly language: string
  /** `{name}` and the like are filled in. */
  (key: TextKey, values?: Readonly<Record<string, string | number>>): string
}

/** The words for a language tag as pages write it (`de-AT`, ``); `own` goes before everything. */
export function chooseWords(tag: string, own: SomeTexts = {}): Words {
  const whole = tag.toLowerCase()
  const base = whole.split('-')[0] ?? ''
  const has = (name: string): boolean => Object.hasOwn(LANGUAGES, name) || siteTexts.has(name)
  const language = [whole, base].find((name) => name !== '' && has(name)) ?? 'en'
  const layers = [own, siteTexts.get(whole), siteTexts.get(base), siteTexts.get(''), LANGUAGES[base], LANGUAGES.en]
  const words = (key: TextKey, values: Readonly<Record<string, string | number>> = {}): string => {
    const text = layers.find((layer) => layer?.[key] !== undefined)?.[key] ?? ''
    return text.replace(/\{(\w+)\}/g, (all, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : all))
  }
  return Object.assign(words, { language })
}
