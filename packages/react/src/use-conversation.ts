/** A conversation that lives as long as a component, and what a page reads of one. */
import type { Conversation, ConversationOptions, ConversationState } from '@leuria/client'
import { useCallback, useState } from 'react'
import { useLeuria } from './context.js'
import { useEnd } from './use-end.js'
import { useSnapshot } from './use-snapshot.js'

/**
 * One conversation, made when the component first renders: later `options` are ignored (give the component a `key` for a new
 * one). Nothing is opened before the first message or `warm()`; it is closed when the component or the page goes.
 */
export function useConversation<Checked = unknown, Output = Checked>(
  options?: ConversationOptions<Checked, Output>,
): Conversation<Output> {
  const client = useLeuria()
  const [conversation] = useState(() => client.conversation(options))
  useEnd(useCallback(() => void conversation.close(), [conversation]))
  return conversation
}

const whole = (state: ConversationState): ConversationState => state

/** The conversation's state, or what `selector` picks of it; renders again only when that changed. */
export function useConversationState(conversation: Conversation): ConversationState
export function useConversationState<Part>(
  conversation: Conversation,
  selector: (state: ConversationState) => Part,
): Part
export function useConversationState(
  conversation: Conversation,
  selector: (state: ConversationState) => unknown = whole,
): unknown {
  return useSnapshot(conversation, { select: selector })
}
