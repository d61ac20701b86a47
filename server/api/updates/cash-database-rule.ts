import {
  CashDatabaseRule,
  type cashDatabaseRollouts,
  NewCashDatabaseRule,
} from '#contract/updates/cash-database-rule.ts'
import { removeRollout } from '#database/updates/rollout.ts'
import { cashDatabaseRuleList } from '#database/updates/update-rule.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { control, getRollout, machinesOf } from './rollout.ts'
import { createRollout, preventsDeletion, rewriteRollout } from './update-rule.ts'

export const cashDatabaseRuleRecord = editable({
  noun: 'cashDatabaseRule',
  rows: cashDatabaseRuleList,
  fields: NewCashDatabaseRule,
  present: (row) => wireOf(CashDatabaseRule, row),
  duplicates: { cash_database_rules_by_name: ['CashDatabaseRuleAlreadyExists', 'name'] },
  blockedBy: (_, rule, call) => preventsDeletion(call, rule),
  also: async (call, rule) => {
    const { body } = call
    await rewriteRollout(call, 'cashDatabase', rule, body.cashDatabaseId, body)
    return undefined
  },
  clear: async ({ db }, rule) => {
    await removeRollout(db, rule)
  },
  created: async (call, key) => {
    const { body } = call
    await createRollout(call, 'cashDatabase', key, body.cashDatabaseId, body)
  },
})

export const cashDatabaseRolloutHandlers: Handlers<typeof cashDatabaseRollouts> = {
  getCashDatabaseRollout: (call) => getRollout(call, 'cashDatabaseRule', call.params.cashDatabaseRuleId),
  listCashDatabaseRolloutMachines: (call) => machinesOf(call, 'cashDatabaseRule', call.params.cashDatabaseRuleId),
  controlCashDatabaseRollout: (call) => control(call, 'cashDatabaseRule', call.params.cashDatabaseRuleId),
}
