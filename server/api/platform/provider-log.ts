import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { ProviderChange, providerLog } from '#contract/platform/provider-log.ts'
import {
  findProviderChange,
  listProviderChanges,
  type ProviderChangeRecord,
  providerChangeChoices,
} from '#database/platform/provider-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { factsOf } from './change-log.ts'

const present = (row: ProviderChangeRecord): ProviderChange => ({
  id: row.id,
  at: toWire(row.at),
  userId: row.user_id,
  userName: row.user_name,
  action: row.action,
  subjectType: row.subject_type,
  subjectId: row.subject_id,
  subjectName: row.subject_name,
  before: factsOf(row.before),
  after: factsOf(row.after),
})

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
