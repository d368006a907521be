/** The languages that the elements speak by themselves. The standalone file holds the same in fewer bytes (standalone.config.ts). */
import { ENGLISH, type Texts } from './english.js'
import { FRENCH } from './french.js'
import { GERMAN } from './german.js'
import { JAPANESE } from './japanese.js'
import { SPANISH } from './spanish.js'

/** By lower-case language tag. */
export const LANGUAGES: Readonly<Record<string, Texts>> = {
  en: ENGLISH,
  fr: FRENCH,
  de: GERMAN,
  es: SPANISH,
  ja: JAPANESE,
}
