import type { groups } from '#contract/group.ts'
import { listGroups } from '#database/group.ts'
import type { Handlers } from './handler.ts'

export const groupHandlers: Handlers<typeof groups> = {
  listGroups: async ({ db }) => {
    const rows = await listGroups(db)
    return rows.map(({ merchant_id, ...group }) => ({ ...group, merchantId: merchant_id }))
  },
}
