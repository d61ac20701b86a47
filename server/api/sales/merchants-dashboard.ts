import type { MerchantOfDashboard, merchantsDashboard } from '#contract/sales/merchants-dashboard.ts'
import { daysShown } from '#database/machines/machine.ts'
import {
  listMerchantsDashboard,
  type MerchantRecord,
  soldByDay,
  soldTodayBy,
} from '#database/sales/merchants-dashboard.ts'
import type { Handlers } from '#server/http/handler.ts'

type Sold = Pick<
  MerchantOfDashboard,
  'value' | 'vends' | 'usualValueByNow' | 'usualVendsByNow' | 'usualDays' | 'valueByDay'
>

const presentMerchantOfDashboard = (row: MerchantRecord, sold: Sold): MerchantOfDashboard => {
  const { id, name, machines, blocked, silent, warning, selling, ...facts } = row
  return {
    ...facts,
    merchantId: id,
    merchantName: name,
    machines: { total: machines, blocked, silent, warning, selling },
    ...sold,
  }
}

export const merchantsDashboardHandlers: Handlers<typeof merchantsDashboard> = {
  listMerchantsDashboard: async ({ db, query, now }) => {
    const { rows, total, capped } = await listMerchantsDashboard(db, query)
    const ids = rows.map(({ id }) => id)
    const today = new Map((await soldTodayBy(db, ids, now)).map(({ merchantId, ...sold }) => [merchantId, sold]))
    const byMerchant = Map.groupBy(await soldByDay(db, ids, now, daysShown), ({ merchantId }) => merchantId)
    const nothing = { value: 0, vends: 0, usualValueByNow: 0, usualVendsByNow: 0, usualDays: 0 }
    return {
      items: rows.map((row) => {
        const byAge = new Map(byMerchant.get(row.id)?.map(({ age, value }) => [age, value]))
        const valueByDay = Array.from({ length: daysShown }, (_, index) => byAge.get(daysShown - 1 - index) ?? 0)
        return presentMerchantOfDashboard(row, { ...(today.get(row.id) ?? nothing), valueByDay })
      }),
      total,
      capped,
    }
  },
}
