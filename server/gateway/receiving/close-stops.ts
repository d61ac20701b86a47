import { auditOrigins } from '#contract/vocabulary/audit.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { closeStopsByMachine } from '#database/stock/round-stop.ts'
import { isRefill } from '#domain/stock/shortage.ts'

interface Row {
  merchantId: string
  machineId: string
  at: number
}

const collection = auditOrigins.collection

/**
 * Closes stops of rounds under way whose machine reports its own refill or collection: somebody was there. Returns the merchants whose
 * rounds changed; a batch without such items costs no statement.
 */
export async function closeStops(
  db: TenantDb,
  events: readonly (Row & { code: string; active: boolean })[],
  audits: readonly (Row & { origin: number })[],
): Promise<string[]> {
  const happened = [
    ...events.filter(({ code, active }) => active && isRefill(code)),
    ...audits.filter(({ origin }) => origin === collection),
  ]
  return closeStopsByMachine(
    db,
    happened.map(({ merchantId, machineId, at }) => ({ merchantId, machineId, at: new Date(at) })),
  )
}
