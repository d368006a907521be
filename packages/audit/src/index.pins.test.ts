import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports exactly these values', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'AUDIT_KEEP_DAYS',
    'AUDIT_MAX_BYTES',
    'MAX_FIELD_LENGTH',
    'auditFolder',
    'auditRecord',
    'openAudit',
    'readAudit',
    'readAuditPage',
  ])
})

it('knows exactly these kinds of records', () => {
  const kinds = entry.auditRecord.def.options.map((option) => option.shape.kind.def.values[0]).sort()
  expect(kinds).toEqual([
    'entries_lost',
    'grant_revoked',
    'pairing_answered',
    'pairing_asked',
    'permission_refused',
    'request_refused',
    'session_ended',
    'session_started',
    'tool_called',
    'tool_outside_page',
  ])
})
