import type { WebhookFact } from '#contract/merchants/webhook-event.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { noteFacts } from './webhook-note.ts'

export type AlarmFact = Extract<WebhookFact, { event: 'alarm.raised' | 'alarm.ended' }>

/** Notes alarms that were raised and that ended, in the transaction that writes them. */
export const noteAlarms = (db: Pick<TenantDb, 'query' | 'own'>, facts: readonly AlarmFact[]): Promise<void> =>
  noteFacts(
    db,
    facts.map(({ merchantId }) => merchantId),
    [...new Set(facts.map(({ event }) => event))],
    () => facts,
  )
