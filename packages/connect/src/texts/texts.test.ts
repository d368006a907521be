import { describe, expect, it } from 'vitest'
import { ENGLISH, type TextKey } from './english.js'
import { LANGUAGES } from './languages.js'
import { chooseWords, setTexts, textsChanged } from './text-choice.js'

const KEYS = Object.keys(ENGLISH) as TextKey[]
const placeholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join()

/** Words that visitors must never have to know. */
const PROTOCOL_WORDS = /\b(engine|token|session|origin|grants?|pairing|protocol|provider|websocket|http|MCP|API)\b/i

describe.each(Object.entries(LANGUAGES))('the texts in %s', (language, texts) => {
  it('are all there, and nothing else', () => {
    expect(Object.keys(texts)).toEqual(KEYS)
    expect(KEYS.filter((key) => texts[key].trim() !== texts[key] || texts[key] === '')).toEqual([])
  })

  it('are translated', () => {
    const same = KEYS.filter((key) => texts[key] === ENGLISH[key])
    expect(language === 'en' ? [] : same).toEqual([])
  })

  it('name the same things to fill in', () => {
    const wrong = KEYS.filter((key) => placeholders(texts[key]) !== placeholders(ENGLISH[key]))
    expect(wrong).toEqual([])
  })

  it('are plain: no words of the protocol, no straight quotes, no shouting, short', () => {
    expect(KEYS.filter((key) => PROTOCOL_WORDS.test(texts[key]))).toEqual([])
    expect(KEYS.filter((key) => /['"!]|\.\.\./.test(texts[key]))).toEqual([])
    expect(KEYS.filter((key) => texts[key].length > 150)).toEqual([])
  })
})

describe('which words an element shows', () => {
  it.each([
    ['', 'en', 'Connect your AI'],
    ['en-GB', 'en', 'Connect your AI'],
    ['de', 'de', 'Deine KI verbinden'],
    ['DE-at', 'de', 'Deine KI verbinden'],
    ['fr-CA', 'fr', 'Connecter votre IA'],
    ['es-419', 'es', 'Conectar tu IA'],
    ['ja-JP', 'ja', '自分の AI をつなぐ'],
    ['pt-BR', 'en', 'Connect your AI'],
    ['constructor', 'en', 'Connect your AI'],
  ])('for a page in "%s" these are %s', (tag, language, text) => {
    const words = chooseWords(tag)
    expect([words.language, words('connect')]).toEqual([language, text])
  })

  it('fills in values, and leaves what nobody gave', () => {
    const words = chooseWords('en')
    expect(words('answering', { name: 'Claude $1' })).toBe('Claude $1 answers here')
    expect(words('recentText', {})).toContain('{seconds}')
  })

  it('puts the site’s own words first: of the element, of the exact language, of the language, of all', () => {
    let changes = 0
    const undo = textsChanged.add(() => (changes += 1))
    setTexts({ manage: 'all' })
    setTexts('pt', { connect: 'Ligar a sua IA', manage: 'pt' })
    setTexts('pt-BR', { manage: 'pt-BR' })
    setTexts(undefined, { close: 'all too' })
    undo()
    setTexts({ share: 'all' })
    expect(changes).toBe(4)
    const read = (tag: string) => [chooseWords(tag).language, chooseWords(tag)('manage'), chooseWords(tag)('close')]
    expect(read('de')).toEqual(['de', 'all', 'all too'])
    expect(read('pt')).toEqual(['pt', 'pt', 'all too'])
    expect(read('pt-PT')).toEqual(['pt', 'pt', 'all too'])
    expect(read('pt-BR')).toEqual(['pt-br', 'pt-BR', 'all too'])
    expect(chooseWords('pt-BR')('connect')).toBe('Ligar a sua IA')
    expect(chooseWords('pt-BR')('disconnect')).toBe('Disconnect')
    expect(chooseWords('pt-BR', { manage: 'own' })('manage')).toBe('own')
  })
})
