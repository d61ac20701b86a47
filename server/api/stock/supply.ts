import { Supply, type supplies } from '#contract/stock/supply.ts'
import { listSupplies } from '#database/stock/supply.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

export const supplyHandlers: Handlers<typeof supplies> = {
  listSupplies: async ({ db, query }) => {
    const { rows, ...page } = await listSupplies(db, query)
    const items = rows.map((row) =>
      wireOf(Supply, row, { id: row.machine_id, posName: row.machine_name, posSerial: row.serial }),
    )
    return { items, ...page }
  },
}
