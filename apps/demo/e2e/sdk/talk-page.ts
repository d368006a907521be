/**
 * Runs in the browser: the smallest page with everything a site has of the SDK. A client, the connect button, the status
 * line, and a conversation with one tool whose answer the test can hold back.
 */
import { bridge, createLeuria } from '@leuria/client'
import { setDefaultClient } from '@leuria/connect'

const engine = document.documentElement.dataset.engine ?? ''
const leuria = createLeuria({ providers: [bridge({ app: 'Mug Shop', needs: { tools: true }, url: engine })] })
setDefaultClient(leuria)

/** Pressed by the test: what the tool waits for. */
const letGo = byTestId('let-go')
let isHeld = false

const conversation = leuria.conversation({
  tools: [
    {
      name: 'find_mugs',
      description: 'Finds mugs in the shop.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      execute: async () => {
        if (isHeld) await new Promise((resolve) => letGo.addEventListener('click', resolve, { once: true }))
        return [{ name: 'Harbour mug', colour: 'blue' }]
      },
    },
  ],
})

function byTestId(id: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-testid=${id}]`)
  if (found === null) throw new Error(`The page has no ${id}.`)
  return found
}

function show(): void {
  const { messages, status, error, session } = conversation.getState()
  const lines = messages.map(({ role, parts }) => {
    const line = document.createElement('p')
    line.className = role
    line.textContent = parts
      .map((part) => (part.type === 'text' ? part.text : part.type === 'tool-call' ? '🔎 ' : ''))
      .join('')
    return line
  })
  byTestId('messages').replaceChildren(...lines)
  byTestId('error').textContent = error?.message ?? ''
  document.body.dataset.status = status
  document.body.dataset.session = session
}

conversation.subscribe(show)
conversation.on((event) => {
  if (event.type === 'status') byTestId('hint').textContent = event.status
})
byTestId('hold').addEventListener('click', () => (isHeld = true))
letGo.addEventListener('click', () => (isHeld = false))
byTestId('form').addEventListener('submit', (event) => {
  event.preventDefault()
  const input = document.querySelector('input')
  void conversation.send(input?.value ?? '')
  if (input !== null) input.value = ''
})
window.addEventListener('pageshow', ({ persisted }) => (document.body.dataset.cached = String(persisted)))
show()
