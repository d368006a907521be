/** Small pages that use the hooks: what the tests mount in a browser, and render on a server. */
import type { Conversation, Leuria, LeuriaState, Tool } from '@leuria/client'
import { createElement as h, Component, type ComponentType, type ReactNode, useEffect, useState } from 'react'
import {
  AIStatus,
  ConnectButton,
  LeuriaBadge,
  LeuriaProvider,
  useChat,
  type UseChatResult,
  useConnect,
  type UseConnectResult,
  useConversation,
  useConversationState,
  useExposedTools,
  useLeuria,
  useLeuriaState,
  useProvider,
} from '../index.js'

/** What the tests look at from outside. */
export const seen: {
  renders: Record<string, number>
  chat?: UseChatResult
  connect?: UseConnectResult
  connects: UseConnectResult[]
  conversation?: Conversation
  conversations: Conversation[]
  disconnects: number
  again?: () => void
} = { renders: {}, connects: [], conversations: [], disconnects: 0 }

function count(name: string): void {
  seen.renders[name] = (seen.renders[name] ?? 0) + 1
}

const line = (id: string, ...texts: unknown[]) => h('p', { id }, texts.map(String).join(' '))

function Active() {
  count('active')
  return line(
    'active',
    useLeuriaState((state) => state.active?.id ?? 'nobody'),
  )
}
function Labels() {
  count('labels')
  return line('labels', useLeuriaState((state) => state.providers.map(({ label }) => label)).join())
}
const pickCounts = ({ providers, alternatives }: LeuriaState) => ({
  all: providers.length,
  others: alternatives.length,
})
function Counts() {
  count('counts')
  const { all, others } = useLeuriaState(pickCounts)
  return line('counts', all, others)
}
function Whole() {
  count('whole')
  return line(
    'whole',
    useLeuriaState().providers.map(({ status }) => status),
  )
}
function One() {
  count('one')
  return line('one', useProvider('server')?.model ?? 'no model', useProvider('nobody'))
}
const State = () => h('div', null, h(Active), h(Labels), h(Counts), h(Whole), h(One))

function Connect() {
  const connect = useConnect()
  seen.connect = connect
  seen.connects.push(connect)
  return h('button', { id: 'connect', onClick: connect.connect }, `${connect.status} ${connect.model ?? ''}`.trim())
}

function Talk() {
  const conversation = useConversation({ system: 'Be kind.' })
  seen.conversation = conversation
  if (!seen.conversations.includes(conversation)) seen.conversations.push(conversation)
  const status = useConversationState(
    conversation,
    (state) => `${state.status} ${state.session} ${state.messages.length}`,
  )
  useEffect(() => void conversation.warm(), [conversation])
  return line('talk', status)
}

function Messages() {
  count('messages')
  const conversation = useConversation()
  seen.conversation = conversation
  return line(
    'messages',
    useConversationState(conversation).messages.map(({ parts }) => JSON.stringify(parts)),
  )
}

function Chat() {
  count('chat')
  const chat = useChat()
  seen.chat = chat
  return line('chat', chat.status, JSON.stringify(chat.text), chat.progress, chat.error?.code ?? 'no-error')
}

function Tools() {
  const [round, setRound] = useState(1)
  seen.again = () => setRound((now) => now + 1)
  const tool: Tool = {
    name: 'round',
    description: 'Which round it is',
    inputSchema: { type: 'object' },
    execute: () => `round ${round}`,
  }
  useExposedTools(round < 3 ? [tool] : [tool, { ...tool, name: 'another' }])
  return line('tools', round)
}

function Elements() {
  return h(
    'div',
    null,
    h(ConnectButton, { size: 3, byline: false, className: 'mine', onDisconnect: () => void (seen.disconnects += 1) }),
    h(AIStatus, { labels: { none: 'Nobody yet' } }),
    h(LeuriaBadge, { href: '/ai' }, 'Bring your own AI'),
  )
}

interface Caught {
  readonly message: string | null
}
class Boundary extends Component<{ children?: ReactNode }, Caught> {
  override state: Caught = { message: null }
  static getDerivedStateFromError(error: Error): Caught {
    return { message: error.message }
  }
  override render() {
    return this.state.message === null ? this.props.children : line('caught', this.state.message)
  }
}
function Lost() {
  return line('lost', useLeuria())
}

const Server = () => h('div', null, h(State), h(Connect), h(Talk), h(Chat), h(Elements))

export const SCENES = { State, Connect, Talk, Messages, Chat, Tools, Elements, Server } satisfies Record<
  string,
  ComponentType
>
export type SceneName = keyof typeof SCENES

export function page(name: SceneName, client: Leuria): ReactNode {
  return h(LeuriaProvider, { client }, h(SCENES[name]))
}

export const outside = (): ReactNode => h(Boundary, null, h(Lost))
