/** What kind of value a slot wants, by the words of its name: an id, something to search for, a name, a text, a count. */
import type { Slot } from './slot.js'
import { tokenise } from './words.js'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u).filter((word) => word !== ''))

const ID = words('id ids uuid uuids guid identifier identifiers kennung identifiant identificador')
/** Often ids, often something a person says. */
const WEAK_ID = words('key keys ref reference code codes slug handle number nummer nr no numero 番号')
const QUERY = words(
  `query q search term terms keyword keywords filter needle phrase suche suchbegriff suchwort suchtext begriff anfrage
  recherche requete terme termes mot mots cle busqueda consulta termino 検索 検索語 キーワード 語句`,
)
const CONTENT = words(
  `text message body content description note comment title subject summary task todo question prompt reason caption
  inhalt nachricht titel betreff beschreibung notiz kommentar aufgabe frage
  texte titre contenu sujet tache commentaire message contenido mensaje titulo asunto tarea
  本文 内容 件名 題名 タイトル メッセージ メモ`,
)
const COUNT = words(
  'quantity qty count amount limit times copies pieces anzahl menge stuck nombre quantite cantidad 数量 個数 数',
)
const DAY = words('date day when datum tag jour fecha dia 日 日付 日時')
const TIME = words('time hour uhrzeit zeit heure hora 時刻 時間')
const MAIL = words('email mail')
const UPPER = words('max maximum upto under below until most hochstens maximal bis maxi maximo 上限 最大')
const LOWER = words('min minimum from over above least mindestens minimal ab mini minimo 下限 最小')
const SWITCH = words('on enabled enable active activated power state an ein aktiv allume actif encendido オン')

const has = (slot: Slot, set: ReadonlySet<string>): boolean => slot.words.some((word) => set.has(word))
const lastWord = (slot: Slot): string => slot.words.at(-1) ?? ''

export const isIdSlot = (slot: Slot): boolean => ID.has(lastWord(slot))
export const isWeakIdSlot = (slot: Slot): boolean => WEAK_ID.has(lastWord(slot))
export const isCountSlot = (slot: Slot): boolean => has(slot, COUNT)
export const isDaySlot = (slot: Slot): boolean => has(slot, DAY)
export const isTimeSlot = (slot: Slot): boolean => has(slot, TIME)
export const isMailSlot = (slot: Slot): boolean => has(slot, MAIL)
export const isSwitchSlot = (slot: Slot): boolean => SWITCH.has(slot.words[0] ?? '')

/** The end of a range that a number slot stands for. */
export function rangeEnd(slot: Slot): 'max' | 'min' | undefined {
  return has(slot, UPPER) ? 'max' : has(slot, LOWER) ? 'min' : undefined
}

/** How free text for a slot is cut: words to search with, a passage as it stands, or a name. */
export function textKind(slot: Slot): 'query' | 'content' | 'name' {
  if (has(slot, QUERY)) return 'query'
  if (has(slot, CONTENT)) return 'content'
  const about = tokenise(slot.shape.about).map((token) => token.word)
  return about.some((word) => QUERY.has(word)) ? 'query' : 'name'
}
