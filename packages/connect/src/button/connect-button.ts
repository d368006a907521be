/**
 * `<leuria-connect-button>`: everything a visitor needs to connect their own AI, to see that it is, and to end it. Joins the
 * table of states (`button-view`) with what opens from the button; the connection is `@leuria/client`'s.
 */
import { connection, leuriaRunsHere, type LeuriaConnection, type LeuriaConnectionState } from '@leuria/client'
import { html, nothing, type TemplateResult } from 'lit-html'
import { icon } from '../element/icons.js'
import { LeuriaElement } from '../element/leuria-element.js'
import { nameInside, openWith, percentOf } from '../element/provider-name.js'
import { Watched } from '../element/watched.js'
import { onMenuButtonKey, onMenuKey } from '../popup/menu-keys.js'
import { Popup } from '../popup/popup.js'
import { CONNECT_BUTTON_STYLE } from '../style/connect-button-style.js'
import { CONTROLS } from '../style/controls.js'
import { POPUPS } from '../style/popups.js'
import { THEME } from '../style/theme.js'
import { announcement } from './announcement.js'
import { BUTTON_VIEWS, type ButtonState, buttonState, type ButtonView } from './button-view.js'
import { phoneDialog, startDialog } from './dialogs.js'
import { connectedMenu, othersMenu } from './menus.js'
import { refusalPanel, waitingPanel } from './panel.js'
import type { Actions, Scene } from './scene.js'
import { copyText, sharePage } from './share.js'

/** Starts the engine on a computer that has only Node.js. */
const START_COMMAND = 'npx @leuria/cli start'

const UNKNOWN: LeuriaConnectionState = { status: 'checking', provider: null, error: null, alternatives: [] }

export class LeuriaConnectButton extends LeuriaElement {
  static override readonly properties = {
    ...LeuriaElement.properties,
    size: 'text',
    hideByline: 'flag',
    provider: 'text',
    installHref: 'text',
  } as const
  static override readonly styles = THEME + CONTROLS + POPUPS + CONNECT_BUTTON_STYLE

  /** 1 (small), 2 or 3. @default 2 */
  declare size: string | number | undefined
  /** Without the line below the button. */
  declare hideByline: boolean | undefined
  /** Which provider it connects. @default 'bridge' */
  declare provider: string | undefined
  /** Where visitors get Leuria; without it the dialog shows the command alone. */
  declare installHref: string | undefined
  #isCopied = false
  /** The visitor's click here began what goes on: what follows opens here too, not at another button. */
  #isOurs = false
  #status: LeuriaConnectionState['status'] | undefined
  #spoken = ''
  #afterUpdate: (() => void) | undefined
  readonly #popup = new Popup(this, { id: 'popup', buttonId: 'main' })
  readonly #others = new Popup(this, { id: 'others', buttonId: 'more' })

  constructor() {
    super()
    new Watched(this, () => this.#connection)
    new Watched(this, () => this.client) // who answers instead is the client's state, not the connection's
  }

  get #connection(): LeuriaConnection | undefined {
    return this.client === undefined ? undefined : connection(this.client, this.provider ?? 'bridge')
  }

  get #state(): LeuriaConnectionState {
    return this.#connection?.getState() ?? UNKNOWN
  }

  get #kind(): ButtonState {
    return buttonState(this.#state.status, !leuriaRunsHere())
  }

  get #dialog(): HTMLDialogElement | null {
    return this.root.querySelector('dialog')
  }

  readonly #actions: Actions = {
    retry: () => {
      this.#dialog?.close()
      this.#ask((one) => one.retry())
    },
    cancel: () => {
      this.#popup.close()
      this.#connection?.disconnect()
    },
    manage: () => {
      this.#popup.close()
      this.#connection?.manage()
    },
    disconnect: () => {
      this.#popup.close()
      this.#connection?.disconnect()
      this.dispatchEvent(new CustomEvent('leuria-disconnect', { bubbles: true, composed: true }))
    },
    choose: (id) => {
      this.#closeAll()
      this.#connection?.chooseInstead(id)
    },
    copyCommand: () => void this.#copy(copyText(START_COMMAND)),
    share: () => void this.#copy(sharePage()),
  }

  async #copy(copying: Promise<boolean>): Promise<void> {
    this.#isCopied = await copying
    if (this.#isCopied) this.#spoken = this.words('copied')
    this.redraw()
  }

  /** In the visitor's click: whatever opens a link does so before this returns. */
  #ask(how: (one: LeuriaConnection) => void): void {
    this.#isOurs = true
    const one = this.#connection
    if (one !== undefined) how(one)
  }

  #press(event: Event, { press }: ButtonView): void {
    // Redrawn by what the click starts, the button has a popup by the time the browser looks for one to toggle.
    if (press !== 'panel' && press !== 'menu') event.preventDefault()
    if (press === 'connect') this.#ask((one) => one.connect())
    else if (press === 'retry') this.#ask((one) => one.retry())
    else if (press.endsWith('dialog')) this.#openDialog()
  }

  #openDialog(): void {
    this.#isCopied = false
    this.redraw()
    if (this.#dialog?.open === false) this.#dialog.showModal()
  }

  #closeAll(): void {
    this.#popup.close()
    this.#others.close()
    this.#dialog?.close()
  }

  protected override beforeDraw(): void {
    const { status } = this.#state
    const before = this.#status
    this.#status = status
    if (before === undefined || before === status || this.client === undefined) return
    this.#spoken = announcement({ before, now: status, words: this.words, name: this.#name, error: this.#state.error })
    const opens = this.#isOurs ? this.#opens(before, status) : undefined
    if (status === 'connected' || status === 'not-connected') this.#isOurs = false
    this.#afterUpdate = () => {
      if (opens !== 'popup') this.#popup.close()
      this.#others.close()
      if (opens === 'dialog') this.#openDialog()
      else this.#dialog?.close()
      if (opens === 'popup') this.#popup.open()
    }
  }

  #opens(before: string, now: string): 'popup' | 'dialog' | undefined {
    if (now === 'connecting' || now === 'declined') return 'popup'
    return now === 'not-running' && before === 'connecting' ? 'dialog' : undefined
  }

  protected override afterDraw(): void {
    this.#afterUpdate?.()
    this.#afterUpdate = undefined
  }

  get #name(): string {
    return this.#state.model ?? this.words('yourAI')
  }

  protected override draw(): TemplateResult {
    const { words } = this
    const kind = this.#kind
    const view = BUTTON_VIEWS[kind]
    const { status, error, alternatives } = this.#state
    const scene: Scene = {
      ...{ words, status, error, alternatives, name: this.#name, command: START_COMMAND },
      ...{ canManage: this.#connection?.canManage === true, isCopied: this.#isCopied, installHref: this.installHref },
    }
    const size = [1, 3].includes(Number(this.size)) ? Number(this.size) : 2
    return html`<div class="root ${this.look} size-${size}" lang=${words.language} part="root">
      ${this.#row(view, scene)}
      ${this.hideByline ? nothing : html`<p class="byline" part="byline">${this.#byline(view, scene)}</p>`}
      <div class="unseen" role="status">${this.#spoken}</div>
      ${this.#popups(scene)}
      <dialog aria-labelledby="dialog-title" aria-describedby="dialog-text" @click=${this.#onDialogClick} part="dialog">
        <div class="sheet">${this.#dialogContent(kind, scene)}</div>
      </dialog>
    </div>`
  }

  #row(view: ButtonView, scene: Scene): TemplateResult {
    const { words, name } = scene
    const hasOthers = scene.status !== 'connected' && scene.status !== 'connecting' && scene.alternatives.length > 0
    const opensPopup = view.press === 'panel' || view.press === 'menu'
    const tone = view.tone === 'main' ? 'main' : ''
    return html`<div class="row ${hasOthers ? 'split' : ''}">
      <button
        type="button"
        id="main"
        class=${tone}
        part="button"
        aria-disabled=${view.press === 'nothing' ? 'true' : nothing}
        aria-haspopup=${view.press === 'menu' ? 'menu' : view.press === 'nothing' || !opensPopup ? nothing : 'dialog'}
        popovertarget=${opensPopup ? 'popup' : nothing}
        @click=${(event: Event) => this.#press(event, view)}
        @keydown=${(event: KeyboardEvent) => {
          if (view.press === 'menu') onMenuButtonKey(event, this.#popup)
        }}
      >
        ${SIGNS[view.tone]()} ${view.label === null ? html`<span class="unseen">${words('yourAI')}: </span>` : nothing}
        <span class="label">${view.label === null ? name : words(view.label)}</span>
        ${view.press === 'menu' ? icon('down') : nothing}
      </button>
      ${
        hasOthers
          ? html`<button
              type="button"
              id="more"
              class="more ${tone}"
              part="more"
              aria-haspopup="menu"
              aria-label=${words('otherAI')}
              title=${words('otherAI')}
              popovertarget="others"
              @keydown=${(event: KeyboardEvent) => onMenuButtonKey(event, this.#others)}
            >
              ${icon('down')}
            </button>`
          : nothing
      }
    </div>`
  }

  #byline({ byline }: ButtonView, { words, status }: Scene): string {
    const { providers = [], active = null } = this.client?.getState() ?? {}
    const loading = providers.find((one) => one.status === 'downloading')
    if (loading !== undefined) {
      const values = { name: nameInside(loading, words), percent: percentOf(loading.progress, words) }
      return openWith(words('gettingReady', values), loading, words)
    }
    if (status !== 'connected' && active !== null) {
      return openWith(words('answering', { name: nameInside(active, words) }), active, words)
    }
    return words(byline)
  }

  #popups(scene: Scene): TemplateResult {
    const { status } = scene
    const isMenu = status === 'connected'
    return html`<div
        id="popup"
        popover
        part="popup"
        role=${isMenu ? nothing : 'dialog'}
        aria-labelledby=${isMenu ? nothing : 'panel-title'}
        @beforetoggle=${this.#popup.onBeforeToggle}
        @toggle=${this.#popup.onToggle}
        @keydown=${(event: KeyboardEvent) => {
          if (isMenu) onMenuKey(event, this.#popup)
        }}
      >
        ${isMenu ? connectedMenu(scene, this.#actions) : nothing}
        ${status === 'connecting' ? waitingPanel(scene, this.#actions) : nothing}
        ${status === 'declined' ? refusalPanel(scene, this.#actions) : nothing}
      </div>
      <div
        id="others"
        popover
        part="popup"
        @beforetoggle=${this.#others.onBeforeToggle}
        @toggle=${this.#others.onToggle}
        @keydown=${(event: KeyboardEvent) => onMenuKey(event, this.#others)}
      >
        ${othersMenu(scene, this.#actions)}
      </div>`
  }

  #dialogContent(kind: ButtonState, scene: Scene): TemplateResult | typeof nothing {
    if (kind === 'handheld') return phoneDialog(scene, this.#actions)
    return kind === 'not-running' ? startDialog(scene, this.#actions) : nothing
  }

  /** A click beside the sheet. */
  #onDialogClick(event: Event): void {
    if (event.target === this.#dialog) this.#dialog?.close()
  }
}

const SIGNS: Readonly<Record<ButtonView['tone'], () => TemplateResult>> = {
  main: () => icon('mark'),
  quiet: () => icon('mark'),
  busy: () => html`<span class="busy"></span>`,
  attention: () => html`<span class="dot attention"></span>`,
  good: () => html`<span class="dot good"></span>`,
}
