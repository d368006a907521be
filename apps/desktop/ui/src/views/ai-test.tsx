/** Tries an AI with a page's tool and shows each step. */
import { type AdminTestReply, adminTestReply } from '@leuria/protocol'
import { useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useAction, useStore } from '../state/use-window.js'
import { ProgressBar } from './progress-bar.js'

export function AiTest({ agent, label = 'Try it' }: { agent: string; label?: string }) {
  const { client } = useStore()
  const [result, setResult] = useState<AdminTestReply | null>(null)
  const test = useAction()
  const run = (): void => {
    setResult(null)
    void test.run(async () => {
      setResult(await client.post('test', { body: { agent }, schema: adminTestReply, isLong: true }))
    })
  }
  return (
    <div className="ai-test">
      <Button isBusy={test.isRunning} onClick={run}>
        {label}
      </Button>
      {test.isRunning && <ProgressBar id={agent} />}
      {test.error !== null && <Notice kind="error">{test.error}</Notice>}
      {result !== null && (
        <>
          <Notice kind={result.ok ? 'good' : 'error'}>{result.ok ? 'It works.' : 'It does not work yet.'}</Notice>
          <ul className="steps">
            {result.steps.map((step) => (
              <li key={step.name} className={step.ok ? 'step-ok' : 'step-failed'}>
                <strong>{step.name}</strong> {step.detail}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
