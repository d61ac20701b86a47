import { z } from 'zod'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { recordOf } from '../frame/record-of.ts'
import { exportedRules, ruleRowsOf } from './rule-rows.ts'
import { ruleFields, shownOfRule } from './update-rule.ts'

export const NewFirmwareRule = z.strictObject({ ...ruleFields, firmwareId: ids.firmwareId })
export type NewFirmwareRule = z.output<typeof NewFirmwareRule>

/** A rule that brings a firmware version to machines. */
export const FirmwareRule = recordOf(NewFirmwareRule, shownOfRule)
export type FirmwareRule = z.infer<typeof FirmwareRule>

const rows = ruleRowsOf('firmware', '/merchants/{merchantId}/firmware-rules', {
  fields: NewFirmwareRule,
  presented: FirmwareRule,
})

export const firmwareRules = {
  listFirmwareRules: rows.list,
  getFirmwareRule: rows.get,
  createFirmwareRule: rows.create,
  updateFirmwareRule: rows.update,
  deleteFirmwareRule: rows.delete,
}

/** The rollout of a rule. */
export const firmwareRollouts = {
  getFirmwareRollout: rows.rollout,
  listFirmwareRolloutMachines: rows.machines,
  controlFirmwareRollout: rows.control,
}

/** The list as a file. */
export const exportedFirmwareRules = {
  row: firmwareRules.listFirmwareRules,
  ...exportedRules,
} as const satisfies ExportedList
