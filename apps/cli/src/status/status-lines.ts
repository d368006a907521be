/** The status view as lines of text, from a snapshot. Pure: colours and width are passed in. */
import { formatTable } from '../table.js'
import { siteName } from './happening-words.js'

export interface StatusSite {
  readonly origin: string
  /** Conversations it has open. */
  readonly conversations: number
  /** Of these, how many the AI is answering in right now. */
  readonly answering: number
}

export interface Happening {
  /** Local time of day, `14:03:22`. */
  readonly time: string
  readonly words: string
}

export interface Status {
  readonly url: string
  readonly version: string
  readonly agent: string
  readonly connected: number
  /** Sites with a conversation, the busiest first. */
  readonly sites: readonly StatusSite[]
  /** Origins whose question waits for the visitor. Its address is printed above: a view would break a long line. */
  readonly questions: readonly string[]
  /** The newest last. */
  readonly happenings: readonly Happening[]
}

export interface StatusStyle {
  bold: (text: string) => string
  dim: (text: string) => string
  green: (text: string) => string
  yellow: (text: string) => string
}

/** So many sites are listed; the others are counted. */
export const MOST_SITES = 8
/** So many of the last happenings are shown. */
export const MOST_HAPPENINGS = 6

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

function head({ url, version, agent, connected }: Status, { bold, dim }: StatusStyle): string[] {
  return [
    `${bold(`Leuria ${version}`)} ${dim(`at ${url}`)}`,
    `Your AI: ${bold(agent)}   ${dim(`${count(connected, 'site')} connected`)}`,
  ]
}

function questionLines({ questions }: Status, { yellow, bold }: StatusStyle): string[] {
  const lines = questions.map((origin) => `${yellow('?')} ${bold(siteName(origin))} waits for your answer`)
  return lines.length === 0 ? [] : ['', ...lines]
}

function siteLines({ sites }: Status, { green, dim }: StatusStyle): string[] {
  if (sites.length === 0) return ['', dim('No site is talking to your AI right now.')]
  const rows = sites
    .slice(0, MOST_SITES)
    .map(({ origin, conversations, answering }) => [
      answering > 0 ? green('●') : dim('○'),
      siteName(origin),
      count(conversations, 'conversation'),
      answering > 0 ? green('answering') : dim('waiting'),
    ])
  const others = sites.length - MOST_SITES
  return ['', ...formatTable(rows).split('\n'), ...(others > 0 ? [dim(`  and ${count(others, 'more site')}`)] : [])]
}

function happeningLines({ happenings }: Status, { dim }: StatusStyle): string[] {
  if (happenings.length === 0) return []
  return ['', ...happenings.slice(-MOST_HAPPENINGS).map(({ time, words }) => `${dim(time)}  ${words}`)]
}

/** All lines, one blank before and after; none is cut: whoever shows them knows the width. */
export function statusLines(status: Status, style: StatusStyle): string[] {
  return [
    '',
    ...head(status, style),
    ...questionLines(status, style),
    ...siteLines(status, style),
    ...happeningLines(status, style),
    '',
    style.dim('Ctrl+C stops Leuria. Other commands: leuria --help'),
    '',
  ]
}
