/**
 * A site asks to use the visitor's AI: who, what it needs, which AI would answer and why; Allow or Not now. The address is
 * what counts; the name is the site's own words.
 */
import { adminFit, adminOk, type AdminFit, type AdminPairing } from '@leuria/protocol'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Select } from '../parts/select.js'
import { aiOptions, DEFAULT_AI } from '../state/ai-choice-options.js'
import { useSettled } from '../state/use-settled.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { addressWarnings, needWords } from '../words/site-words.js'

/** What suits the site; `null` while it is asked, and where nothing is recommended. */
function useRecommendation(question: AdminPairing): AdminFit['recommended'] {
  const { client } = useStore()
  const [fit, setFit] = useState<AdminFit['recommended']>(null)
  const { needs, requestId } = question
  useEffect(() => {
    const stop = new AbortController()
    client
      .post('fit', { body: needs === undefined ? {} : { needs }, schema: adminFit, signal: stop.signal })
      .then(({ recommended }) => {
        setFit(recommended)
      })
      .catch(() => undefined)
    return () => {
      stop.abort()
    }
    // The same question may be told again with the same needs in a new object.
  }, [client, requestId])
  return fit
}

export function QuestionDialog({ question }: { question: AdminPairing }) {
  const { client } = useStore()
  const ais = useWindow((state) => state.ais)
  const recommended = useRecommendation(question)
  const [chosen, setChosen] = useState<string | null>(null)
  const answer = useAction()
  const isSettled = useSettled()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const agent = chosen ?? (recommended === null || recommended.isDefault ? DEFAULT_AI : recommended.agent)
  const needs = needWords(question.needs)

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  const decide = (allow: boolean): void => {
    const model = agent === recommended?.agent ? recommended.model : undefined
    const choice = allow && agent !== DEFAULT_AI ? { agent, ...(model == null ? {} : { model }) } : {}
    void answer.run(() =>
      client.post(`pairing/${encodeURIComponent(question.requestId)}`, { body: { allow, ...choice }, schema: adminOk }),
    )
  }

  return (
    <dialog
      ref={dialog}
      className="question"
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Escape is no answer: the question stays until it is answered or its time is over.
        event.preventDefault()
      }}
    >
      <h1 id={titleId}>
        <span className="question-site">{question.origin}</span> asks to use your AI
      </h1>
      {question.app !== undefined && (
        <p>
          It calls itself “<bdi>{question.app}</bdi>”.
        </p>
      )}
      {addressWarnings(question.origin).map((warning) => (
        <Notice key={warning} kind="error">
          {warning}
        </Notice>
      ))}
      <p>
        It can ask your AI questions while its page is open. It never sees your files, your other sites or your account.
      </p>
      {needs.length > 0 && (
        <>
          <p className="question-needs">It would like your AI to:</p>
          <ul>
            {needs.map((need) => (
              <li key={need}>{need}</li>
            ))}
          </ul>
        </>
      )}
      <Select
        label="Who answers"
        value={agent}
        options={aiOptions(ais)}
        onChange={setChosen}
        hint={
          recommended !== null && agent === (recommended.isDefault ? DEFAULT_AI : recommended.agent)
            ? `Fits well: ${recommended.reason}`
            : undefined
        }
      />
      {answer.error !== null && <Notice kind="error">{answer.error}</Notice>}
      <div className="question-answers">
        <Button
          onClick={() => {
            decide(false)
          }}
          disabled={answer.isRunning || !isSettled}
        >
          Not now
        </Button>
        <Button
          look="main"
          isBusy={answer.isRunning}
          disabled={!isSettled}
          onClick={() => {
            decide(true)
          }}
        >
          Allow
        </Button>
      </div>
    </dialog>
  )
}
