/** Gives a component's tools to the browser's own agents, as long as the component stands. */
import { exposeTools, type Tool } from '@leuria/client'
import { useEffect, useRef } from 'react'

/** A new tool object with the same contents, as each render makes one, is no other tool: only its function is taken over. */
function isSameTool(one: Tool, other: Tool | undefined): boolean {
  return (
    other !== undefined &&
    one.name === other.name &&
    one.description === other.description &&
    (one.execute === undefined) === (other.execute === undefined) &&
    isSameData(one.inputSchema, other.inputSchema) &&
    isSameData(one.annotations, other.annotations)
  )
}

function isSameData(one: object | undefined, other: object | undefined): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined || '~standard' in one || '~standard' in other) return false
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Runs what the newest render gave, under what was registered. */
function lasting(tool: Tool, newest: { readonly current: readonly Tool[] }): Tool {
  if (tool.execute === undefined) return tool
  return {
    ...tool,
    execute: (args, context) => newest.current.find(({ name }) => name === tool.name)?.execute?.(args, context),
  }
}

/** See `exposeTools` of `@leuria/client`. The list may be made anew in each render. */
export function useExposedTools(tools: readonly Tool[]): void {
  const newest = useRef(tools)
  const registered = useRef<readonly Tool[]>(tools)
  const isSame =
    tools.length === registered.current.length && tools.every((tool, at) => isSameTool(tool, registered.current[at]))
  const declared = isSame ? registered.current : tools
  useEffect(() => {
    newest.current = tools
    registered.current = declared
  })
  useEffect(() => exposeTools(declared.map((tool) => lasting(tool, newest))), [declared])
}
