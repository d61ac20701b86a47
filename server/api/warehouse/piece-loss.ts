import { roleMay } from '#contract/access.ts'
import { PieceLossRow, type pieceLosses } from '#contract/warehouse/piece-loss.ts'
import { listPieceLosses } from '#database/warehouse/piece-loss-list.ts'
import type { Handlers } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

export const pieceLossHandlers: Handlers<typeof pieceLosses> = {
  listPieceLosses: async ({ db, query, user }) => {
    refuseReversed(query)
    const reader = { seesInvisible: seesInvisible(user), seesCosts: roleMay(user.role, 'product.read') }
    const { rows, ...counted } = await listPieceLosses(db, query, reader)
    return { ...counted, items: rows.map((row) => wireOf(PieceLossRow, row)) }
  },
}
