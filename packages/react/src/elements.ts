/**
 * The elements of `@leuria/connect` as components. A server renders their bare tags; the browser loads them when one is first
 * shown, so that pages without them carry nothing of them.
 */
import type { Leuria } from '@leuria/client'
import type { Appearance, SomeTexts, StatusLabels } from '@leuria/connect'
import {
  createElement,
  type CSSProperties,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { LeuriaContext } from './context.js'

export interface ElementProps {
  /** Without it the provider's look, else the visitor's system's. */
  readonly appearance?: Appearance
  /** Words in place of the element's own, by key. */
  readonly texts?: SomeTexts
  readonly className?: string
  readonly style?: CSSProperties
}

export interface ConnectButtonProps extends ElementProps {
  /** @default 2 */
  readonly size?: 1 | 2 | 3 | '1' | '2' | '3'
  /** The line below the button. @default true */
  readonly byline?: boolean
  /** Which provider it connects. @default 'bridge' */
  readonly provider?: string
  /** Where visitors get Leuria. */
  readonly installHref?: string
  /** The visitor disconnected here. */
  readonly onDisconnect?: () => void
}

export interface AIStatusProps extends ElementProps {
  readonly labels?: StatusLabels
}

export interface LeuriaBadgeProps extends ElementProps {
  readonly href?: string
  /** In place of the badge's words. */
  readonly children?: ReactNode
}

/** React warns about layout effects on a server, where none run. */
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

type ElementName = 'leuria-connect-button' | 'leuria-ai-status' | 'leuria-badge'
type Properties = Readonly<{ client?: Leuria; texts?: SomeTexts; labels?: StatusLabels }>

/** Properties are set on the element itself: React 18 would write them as attributes. */
function useElement(properties: Properties) {
  const ref = useRef<HTMLElement>(null)
  const client = useContext(LeuriaContext) ?? undefined
  const { texts, labels } = properties
  useBrowserLayoutEffect(() => {
    if (ref.current !== null) Object.assign(ref.current, { client, texts, labels })
  }, [client, texts, labels])
  useEffect(() => {
    void import('@leuria/connect')
  }, [])
  return ref
}

/** Attributes mean the same to React 18 and 19 as long as they are strings; `undefined` leaves one out. */
function attributesOf({ appearance, className, style }: ElementProps) {
  return { appearance, class: className, style }
}

function draw(name: ElementName, attributes: object, children?: ReactNode): ReactElement {
  return createElement(name, attributes, children)
}

/** `<leuria-connect-button>` with the client of the `LeuriaProvider` above, else the default client. */
export function ConnectButton(props: ConnectButtonProps): ReactElement {
  const { size, byline = true, provider, installHref, onDisconnect, texts } = props
  const ref = useElement({ texts })
  useEffect(() => {
    const element = ref.current
    if (element === null || onDisconnect === undefined) return
    const tell = (): void => {
      onDisconnect()
    }
    element.addEventListener('leuria-disconnect', tell)
    return () => {
      element.removeEventListener('leuria-disconnect', tell)
    }
  }, [ref, onDisconnect])
  return draw('leuria-connect-button', {
    ...attributesOf(props),
    ref,
    size: size === undefined ? undefined : String(size),
    'hide-byline': byline ? undefined : '',
    provider,
    'install-href': installHref,
  })
}

/** `<leuria-ai-status>`: which AI answers. */
export function AIStatus(props: AIStatusProps): ReactElement {
  const { texts, labels } = props
  return draw('leuria-ai-status', { ...attributesOf(props), ref: useElement({ texts, labels }) })
}

/** `<leuria-badge>`: that visitors may bring their own AI. */
export function LeuriaBadge(props: LeuriaBadgeProps): ReactElement {
  const { href, texts, children } = props
  return draw('leuria-badge', { ...attributesOf(props), ref: useElement({ texts }), href }, children)
}
