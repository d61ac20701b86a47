import { FirmwareRule, type firmwareRollouts, NewFirmwareRule } from '#contract/updates/firmware-rule.ts'
import { removeRollout } from '#database/updates/rollout.ts'
import { firmwareRuleList } from '#database/updates/update-rule.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { control, getRollout, machinesOf } from './rollout.ts'
import { createRollout, preventsDeletion, rewriteRollout } from './update-rule.ts'

export const firmwareRuleRecord = editable({
  noun: 'firmwareRule',
  rows: firmwareRuleList,
  fields: NewFirmwareRule,
  present: (row) => wireOf(FirmwareRule, row),
  duplicates: { firmware_rules_by_name: ['FirmwareRuleAlreadyExists', 'name'] },
  blockedBy: (_, rule, call) => preventsDeletion(call, rule),
  also: async (call, rule) => {
    const { body } = call
    await rewriteRollout(call, 'firmware', rule, body.firmwareId, body)
    return undefined
  },
  clear: async ({ db }, rule) => {
    await removeRollout(db, rule)
  },
  created: async (call, key) => {
    const { body } = call
    await createRollout(call, 'firmware', key, body.firmwareId, body)
  },
})

export const firmwareRolloutHandlers: Handlers<typeof firmwareRollouts> = {
  getFirmwareRollout: (call) => getRollout(call, 'firmwareRule', call.params.firmwareRuleId),
  listFirmwareRolloutMachines: (call) => machinesOf(call, 'firmwareRule', call.params.firmwareRuleId),
  controlFirmwareRollout: (call) => control(call, 'firmwareRule', call.params.firmwareRuleId),
}
