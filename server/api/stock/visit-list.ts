import { roleMay } from '#contract/access.ts'
import { VisitRow, type visitLists } from '#contract/stock/visit-list.ts'
import { listVisits } from '#database/stock/visits/visit-list.ts'
import type { Handlers } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { posOf, wireOf } from '#server/http/wire.ts'

export const visitListHandlers: Handlers<typeof visitLists> = {
  listVisits: async ({ db, query, user }) => {
    refuseReversed(query)
    const reader = { seesInvisible: seesInvisible(user), seesCosts: roleMay(user.role, 'product.read') }
    const { rows, ...counted } = await listVisits(db, query, reader)
    return { ...counted, items: rows.map((row) => wireOf(VisitRow, row, posOf(row))) }
  },
}
