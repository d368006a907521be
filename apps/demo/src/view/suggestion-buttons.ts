/** Things to ask, as buttons: a press takes one. */
import { element } from './element.js'

export function suggestionButtons(texts: readonly string[], onPick: (text: string) => void): HTMLElement[] {
  return texts.map((text) =>
    element('button', {
      class: 'suggestion',
      text,
      testId: 'suggestion',
      attributes: { type: 'button' },
      on: {
        click: () => {
          onPick(text)
        },
      },
    }),
  )
}
