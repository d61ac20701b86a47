import { z } from 'zod'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { recordOf } from '../frame/record-of.ts'
import { exportedRules, ruleRowsOf } from './rule-rows.ts'
import { ruleFields, shownOfRule } from './update-rule.ts'

export const NewCashDatabaseRule = z.strictObject({ ...ruleFields, cashDatabaseId: ids.cashDatabaseId })
export type NewCashDatabaseRule = z.output<typeof NewCashDatabaseRule>

/** A rule that brings a cash database to machines. */
export const CashDatabaseRule = recordOf(NewCashDatabaseRule, shownOfRule)
export type CashDatabaseRule = z.infer<typeof CashDatabaseRule>

const rows = ruleRowsOf('cashDatabase', '/merchants/{merchantId}/cash-database-rules', {
  fields: NewCashDatabaseRule,
  presented: CashDatabaseRule,
})

export const cashDatabaseRules = {
  listCashDatabaseRules: rows.list,
  getCashDatabaseRule: rows.get,
  createCashDatabaseRule: rows.create,
  updateCashDatabaseRule: rows.update,
  deleteCashDatabaseRule: rows.delete,
}

/** The rollout of a rule. */
export const cashDatabaseRollouts = {
  getCashDatabaseRollout: rows.rollout,
  listCashDatabaseRolloutMachines: rows.machines,
  controlCashDatabaseRollout: rows.control,
}

/** The list as a file. */
export const exportedCashDatabaseRules = {
  row: cashDatabaseRules.listCashDatabaseRules,
  ...exportedRules,
} as const satisfies ExportedList
