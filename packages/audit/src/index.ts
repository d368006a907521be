/** Public names of `@leuria/audit`: the visitor's own log of what sites and AIs did. */
export { AUDIT_KEEP_DAYS, AUDIT_MAX_BYTES, auditFolder, openAudit } from './audit.js'
export type { Audit, AuditOptions } from './audit.js'
export { readAudit } from './read-audit.js'
export type { ReadAuditOptions } from './read-audit.js'
export { MAX_FIELD_LENGTH, toRecord } from './audit-record.js'
export type { AuditRecord } from './audit-record.js'
export { readAuditPage } from './audit-page.js'
export type { AuditPage, AuditPageOptions, PlacedRecord } from './audit-page.js'
