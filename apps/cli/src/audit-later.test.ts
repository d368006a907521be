import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditRecord, readAudit } from '@leuria/audit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openAuditLater } from './audit-later.js'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-audit-later-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

it('writes what was recorded before its code was there, in order and with its time', async () => {
  const said: string[] = []
  const audit = openAuditLater({ home, log: (line) => said.push(line) })
  const at = new Date()
  for (const origin of ['https://a.example', 'https://b.example']) audit.record({ kind: 'grant_revoked', origin }, at)
  await audit.close()
  const entries: AuditRecord[] = []
  for await (const entry of readAudit({ home })) entries.push(entry)
  expect(entries).toMatchObject([
    { kind: 'grant_revoked', origin: 'https://a.example', at: at.toISOString() },
    { kind: 'grant_revoked', origin: 'https://b.example', at: at.toISOString() },
  ])
  expect(said).toEqual([])
})

it('makes no file when nothing is recorded', async () => {
  const audit = openAuditLater({ home, log: () => undefined })
  await audit.close()
  expect(await readdir(home)).toEqual([])
})
