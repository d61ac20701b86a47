import { sql } from 'kysely'
import type { WebhookState } from '#contract/merchants/webhook-vocabulary.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Waiting messages are counted to this number. */
const mostCounted = 1_000

const stateOf = sql<WebhookState>`case when webhooks.is_enabled then
    case when webhooks.secret is null then 'noSecret' when webhooks.failing_since is not null then 'failing' else 'working' end
  when webhooks.stopped_at is not null then 'stopped' else 'off' end`

const waitingOf = (db: TenantDb) => sql<number>`(select count(*)::int from (select 1 from webhook_messages m
  where ${db.own('m')} and m.merchant_id = webhooks.merchant_id and m.webhook_id = webhooks.id and m.state = 'waiting'
  limit ${mostCounted}) waiting)`

/** The webhooks of merchants. */
export const webhookList = recordList({
  list: 'webhooks',
  table: 'webhooks',
  beside: { state: () => stateOf, waiting: waitingOf },
})

/** Counts a merchant's webhooks and locks out other creations until the transaction ends. */
export async function countWebhooks(db: TenantDb, merchantId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('gettone.webhooks'), hashtext(${merchantId}))`.execute(db.query)
  const { n } = await db
    .from('webhooks')
    .where('merchant_id', '=', merchantId)
    .select((of) => of.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

const at = (db: TenantDb, { merchant_id, id }: RecordKey) =>
  sql<boolean>`${db.own('webhooks')} and webhooks.merchant_id = ${merchant_id} and webhooks.id = ${id}`

/** Stores a sealed secret. The one before signs as well until `formerUntil`; null: not at all. */
export const writeSecret = (
  db: TenantDb,
  key: RecordKey,
  { sealed, formerUntil, now }: { sealed: string; formerUntil: Date | null; now: Date },
) =>
  db.query
    .updateTable('webhooks')
    .set({
      secret: sealed,
      secret_made_at: now,
      former_secret: formerUntil && sql<string>`secret`,
      former_until:
        formerUntil && sql<Date | null>`case when secret is null then null else ${formerUntil}::timestamptz end`,
    })
    .where(at(db, key))
    .execute()

/** Forgets that a webhook failed: its receiver may have changed. */
export const startAfresh = (db: TenantDb, key: RecordKey) =>
  db.query
    .updateTable('webhooks')
    .set({ failing_since: null, failures: 0, retry_at: null, stopped_at: null })
    .where(at(db, key))
    .execute()

/** Deletes the messages of a webhook. */
export const removeMessages = (db: TenantDb, { merchant_id, id }: RecordKey) =>
  db.query
    .deleteFrom('webhook_messages')
    .where(db.own('webhook_messages'))
    .where('merchant_id', '=', merchant_id)
    .where('webhook_id', '=', id)
    .execute()
