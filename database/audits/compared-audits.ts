import { sql } from 'kysely'
import { skippedKinds } from '#contract/vocabulary/audit.ts'

/** Whether rows of audit_intervals under this name are compared with others; the other readings are passed over. */
export const isCompared = (alias: string) =>
  sql<boolean>`${sql.ref(`${alias}.kind`)} not in (${sql.join(skippedKinds.map((kind) => sql.lit(kind)))})`
