import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports exactly these values', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'AUDIT_KEEP_DAYS',
    'AUDIT_MAX_BYTES',
    'MAX_FIELD_LENGTH',
    'auditFolder',
    'openAudit',
    'readAudit',
    'readAuditPage',
    'toRecord',
  ])
})
