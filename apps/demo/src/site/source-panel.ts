/** "How it is made": the files behind the page, as they were when the site was built. */
import { element } from '../view/element.js'
import { sourceTokens } from './source-tokens.js'

export interface SourceFile {
  /** Its path in `src`. */
  readonly path: string
  /** Why it is worth reading, in half a sentence. */
  readonly about: string
  readonly text: string
}

export interface SourcePanelOptions {
  /** What there is to see, in a sentence or two. */
  intro: string
  files: readonly SourceFile[]
}

/** The first file is open; the others wait to be. */
export function sourcePanel({ intro, files }: SourcePanelOptions): HTMLElement {
  return element(
    'section',
    { class: 'made', testId: 'made', attributes: { id: 'made', tabindex: -1, 'aria-labelledby': 'made-title' } },
    element('h2', { text: 'How it is made', attributes: { id: 'made-title' } }),
    element('p', { class: 'made-intro', text: intro }),
    ...files.map((file, at) => sourceFile(file, at === 0)),
  )
}

function sourceFile({ path, about, text }: SourceFile, isOpen: boolean): HTMLElement {
  const code = element(
    'code',
    {},
    ...sourceTokens(text.trimEnd()).map((token) =>
      token.kind === 'plain'
        ? document.createTextNode(token.text)
        : element('span', { class: `source-${token.kind}`, text: token.text }),
    ),
  )
  const summary = element(
    'summary',
    {},
    element('code', { class: 'made-path', text: path }),
    element('span', { class: 'made-about', text: about }),
  )
  return element(
    'details',
    { class: 'made-file', testId: 'made-file', attributes: { open: isOpen, 'data-path': path } },
    summary,
    // What scrolls must be reached by keys.
    element('pre', { attributes: { tabindex: 0, role: 'region', 'aria-label': `Source of ${path}` } }, code),
  )
}
