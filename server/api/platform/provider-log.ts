import { ProductError } from '#contract/errors.ts'
import { ProviderChange, type providerLog } from '#contract/platform/provider-log.ts'
import {
  findProviderChange,
  listProviderChanges,
  type ProviderChangeRecord,
  providerChangeChoices,
} from '#database/platform/provider-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { factsOf } from './change-log.ts'

const present = (row: ProviderChangeRecord): ProviderChange =>
  wireOf(ProviderChange, row, { before: factsOf(row.before), after: factsOf(row.after) })

/** Changes that belong to no merchant. */
export const providerLogHandlers: Handlers<typeof providerLog> = {
  listProviderLog: async ({ doors, query }) => {
    refuseReversed(query)
    const { rows, ...page } = await listProviderChanges(doors, query)
    return { ...page, items: rows.map(present) }
  },

  getProviderLogChoices: ({ doors }) => providerChangeChoices(doors),

  getProviderChange: async ({ doors, params }) => {
    const row = await findProviderChange(doors, params.changeId)
    if (!row) throw new ProductError('NotFound')
    return present(row)
  },
}
