/** `leuria doctor`: looks at everything an engine needs here, and says what to do where something is missing. */
import { resolveHome } from '@leuria/state'
import { lookAtAgents, lookAtBox, lookAtServices } from '../doctor/ais.js'
import { lookAtHome, lookAtNode, lookAtPort } from '../doctor/computer.js'
import { type Finding, looking } from '../doctor/finding.js'
import { printJson } from '../print-json.js'

function show({ name, ok, detail, fix }: Finding): void {
  console.log(`${ok ? '✓' : '✗'} ${name}: ${detail}`)
  if (fix !== undefined) console.log(`    ${fix}`)
}

/** The home first: opening its files would make or mend it. */
async function lookAtAll(hear: (finding: Finding) => void): Promise<Finding[]> {
  const all: Finding[] = []
  const look = async (name: string, at: () => Promise<Finding | readonly Finding[]>): Promise<void> => {
    for (const finding of await looking(name, at)) {
      all.push(finding)
      hear(finding)
    }
  }
  let isBoxed = false
  await look('Node.js', () => Promise.resolve(lookAtNode()))
  await look('Home folder', () => lookAtHome(resolveHome(process.env)))
  await look('Port', lookAtPort)
  await look('Services', lookAtServices)
  await look('Box', async () => {
    const { finding, kind } = await lookAtBox()
    isBoxed = kind !== 'none'
    return finding
  })
  await look('Agents', () => lookAtAgents(isBoxed))
  return all
}

/** Exit code 1 when anything is not as it should be. */
export async function examine(flags: { json?: boolean }): Promise<void> {
  const findings = await lookAtAll(flags.json === true ? () => undefined : show)
  const ok = findings.every((finding) => finding.ok)
  if (flags.json === true) printJson({ ok, findings })
  if (!ok) process.exitCode = 1
}
