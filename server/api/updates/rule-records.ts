import {
  CashDatabaseRule,
  type cashDatabaseRollouts,
  NewCashDatabaseRule,
} from '#contract/updates/cash-database-rule.ts'
import { FirmwareRule, type firmwareRollouts, NewFirmwareRule } from '#contract/updates/firmware-rule.ts'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { removeRollout } from '#database/updates/rollout.ts'
import { cashDatabaseRuleList, firmwareRuleList } from '#database/updates/update-rule.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { control, getRollout, machinesOf } from './rollout.ts'
import { createRollout, preventsDeletion, type RuleBody, rewriteRollout } from './update-rule.ts'

type Key = Parameters<typeof createRollout>[2]

/** What happens to the rollout of a rule beside an edit of it. `updateOf`: the firmware or database that the body names. */
const withRollout = <Body extends RuleBody>(kind: RuleKind, updateOf: (body: Body) => string) => {
  return {
    blockedBy: (_: unknown, rule: Key, call: TenantCall) => preventsDeletion(call, rule),
    alsoChange: async (call: TenantCall & { body: Body }, rule: Key) => {
      await rewriteRollout(call, kind, rule, updateOf(call.body), call.body)
      return undefined
    },
    clear: async ({ db }: { db: TenantDb }, rule: Key) => {
      await removeRollout(db, rule)
    },
    created: async (call: TenantCall & { body: Body }, key: Key) => {
      await createRollout(call, kind, key, updateOf(call.body), call.body)
    },
  }
}

export const firmwareRuleRecord = editable({
  noun: 'firmwareRule',
  rows: firmwareRuleList,
  fields: NewFirmwareRule,
  present: (row) => wireOf(FirmwareRule, row),
  duplicates: { firmware_rules_by_name: ['FirmwareRuleAlreadyExists', 'name'] },
  ...withRollout<NewFirmwareRule>('firmware', ({ firmwareId }) => firmwareId),
})

export const cashDatabaseRuleRecord = editable({
  noun: 'cashDatabaseRule',
  rows: cashDatabaseRuleList,
  fields: NewCashDatabaseRule,
  present: (row) => wireOf(CashDatabaseRule, row),
  duplicates: { cash_database_rules_by_name: ['CashDatabaseRuleAlreadyExists', 'name'] },
  ...withRollout<NewCashDatabaseRule>('cashDatabase', ({ cashDatabaseId }) => cashDatabaseId),
})

export const rolloutHandlers: Handlers<typeof firmwareRollouts & typeof cashDatabaseRollouts> = {
  getFirmwareRollout: (call) => getRollout(call, 'firmwareRule', call.params.firmwareRuleId),
  listFirmwareRolloutMachines: (call) => machinesOf(call, 'firmwareRule', call.params.firmwareRuleId),
  controlFirmwareRollout: (call) => control(call, 'firmwareRule', call.params.firmwareRuleId),
  getCashDatabaseRollout: (call) => getRollout(call, 'cashDatabaseRule', call.params.cashDatabaseRuleId),
  listCashDatabaseRolloutMachines: (call) => machinesOf(call, 'cashDatabaseRule', call.params.cashDatabaseRuleId),
  controlCashDatabaseRollout: (call) => control(call, 'cashDatabaseRule', call.params.cashDatabaseRuleId),
}
