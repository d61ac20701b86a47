import type { AuditContent } from '#contract/audits/audit-content.ts'

/** One file of noise in a hundred, of 50 kB, has a line like a segment by chance. */
const fewestSegments = 3

/** Whether content that was read is an audit: a whole report, or several segments of one. */
export const isAudit = ({ reports }: Pick<AuditContent, 'reports'>): boolean =>
  reports.some(({ isComplete, segments }) => isComplete || segments >= fewestSegments)
