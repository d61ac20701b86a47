import { randomUUIDv7 } from 'node:crypto'
import type { MediaFindingKind } from '#contract/vocabulary/cashless.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** What cannot be right about a medium. */
export interface Finding {
  /** By default a new one. */
  id?: string | undefined
  mediaId: string
  kind: MediaFindingKind
  /** The same finding has the same key. */
  key: string
  at: Date
  posId?: string | undefined
  /** Minor units that it is about. */
  amount?: number | undefined
  facts?: Record<string, unknown>
}

/** Stores findings; a known finding stays unchanged. */
export const insertFindings = (db: TenantDb, merchantId: string, findings: readonly Finding[]): Promise<void> =>
  insertRows(
    db.query,
    'media_findings',
    ['merchant_id', 'id', 'media_id', 'kind', 'key', 'at', 'pos_id', 'amount', 'facts'],
    findings.map(({ id = randomUUIDv7(), mediaId, kind, key, at, posId, amount, facts = {} }) => [
      merchantId,
      id,
      mediaId,
      kind,
      key,
      at,
      posId ?? null,
      amount ?? null,
      JSON.stringify(facts),
    ]),
    'on conflict (merchant_id, media_id, key) do nothing',
  )
