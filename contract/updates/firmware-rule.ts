import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { recordOf } from '../frame/record-of.ts'
import { paged, pageOf } from '../frame/shapes.ts'
import { ControlRollout, Rollout, RolloutMachine, rolloutMachineQuery } from './rollout.ts'
import {
  ruleColumns,
  ruleFaults,
  ruleFields,
  ruleFilters,
  ruleOrds,
  ruleTargetFaults,
  shownOfRule,
} from './update-rule.ts'

export const NewFirmwareRule = z.strictObject({ ...ruleFields, firmwareId: ids.firmwareId })
export type NewFirmwareRule = z.output<typeof NewFirmwareRule>

/** A rule that brings a firmware version to machines. */
export const FirmwareRule = recordOf(NewFirmwareRule, shownOfRule)
export type FirmwareRule = z.infer<typeof FirmwareRule>

export const FirmwareRuleFilters = z.strictObject(ruleFilters)
export const firmwareRuleOrds = ruleOrds
export const firmwareRuleColumns = ruleColumns

const path = '/merchants/{merchantId}/firmware-rules' as const
const one = '/merchants/{merchantId}/firmware-rules/{firmwareRuleId}' as const
const feature = 'firmwareUpdate'

export const firmwareRules = {
  listFirmwareRules: endpoint({
    method: 'GET',
    path,
    summary: 'List rules of a firmware version with their rollouts',
    needs: 'firmwareRule.read',
    feature,
    topics: ['firmwareRule'],
    query: FirmwareRuleFilters.extend(paged(ruleOrds)),
    ok: pageOf(FirmwareRule),
  }),
  getFirmwareRule: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a rule',
    needs: 'firmwareRule.read',
    feature,
    topics: ['firmwareRule'],
    ok: FirmwareRule,
    fails: ['FirmwareRuleNotFound'],
  }),
  createFirmwareRule: endpoint({
    method: 'POST',
    path,
    summary: 'Create a rule; its rollout is started separately',
    needs: 'firmwareRule.write',
    feature,
    body: NewFirmwareRule,
    ok: FirmwareRule,
    status: 201,
    fails: ['MerchantNotSelected', 'FirmwareRuleAlreadyExists', 'FirmwareNotFound', ...ruleTargetFaults, ...ruleFaults],
    timeOut: 'large',
  }),
  updateFirmwareRule: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a rule; after its start the version stays',
    needs: 'firmwareRule.write',
    feature,
    body: editOf(NewFirmwareRule),
    ok: FirmwareRule,
    fails: [
      'FirmwareRuleNotFound',
      'FirmwareRuleAlreadyExists',
      'FirmwareNotFound',
      'RolloutStarted',
      'EditConflict',
      ...ruleTargetFaults,
      ...ruleFaults,
    ],
    timeOut: 'large',
  }),
  deleteFirmwareRule: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a rule whose rollout is not under way',
    needs: 'firmwareRule.write',
    feature,
    fails: ['FirmwareRuleNotFound', 'FirmwareRuleInUse', 'RuleOfOtherGroups'],
  }),
}

/** The rollout of a rule. */
export const firmwareRollouts = {
  getFirmwareRollout: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/firmware-rules/{firmwareRuleId}/rollout',
    summary: 'Get a rollout: cohorts, machines by state, next steps, history',
    needs: 'firmwareRule.read',
    feature,
    finds: ['firmwareRuleId'],
    topics: ['firmwareRule', 'command', 'machine'],
    ok: Rollout,
    fails: ['FirmwareRuleNotFound'],
  }),
  listFirmwareRolloutMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/firmware-rules/{firmwareRuleId}/rollout/pos',
    summary: 'List machines of a rollout with their states and reasons',
    needs: 'firmwareRule.read',
    feature,
    finds: ['firmwareRuleId'],
    topics: ['firmwareRule', 'command', 'machine'],
    query: rolloutMachineQuery,
    ok: pageOf(RolloutMachine),
    fails: ['FirmwareRuleNotFound'],
  }),
  controlFirmwareRollout: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/firmware-rules/{firmwareRuleId}/rollout',
    summary:
      'Change the state of a rollout: start, pause, resume, halt, end, retry failed machines, or return to the version before',
    needs: 'firmwareRule.write',
    feature,
    finds: ['firmwareRuleId'],
    body: ControlRollout,
    ok: Rollout,
    fails: [
      'FirmwareRuleNotFound',
      'RolloutNotPossible',
      'RuleContradicts',
      'UpdateFileMissing',
      'UpdateNotForTargets',
      'RuleOfOtherGroups',
    ],
    timeOut: 'large',
  }),
}

/** The list as a file. */
export const exportedFirmwareRules = {
  row: firmwareRules.listFirmwareRules,
  filters: FirmwareRuleFilters,
  ords: firmwareRuleOrds,
  columns: firmwareRuleColumns,
} as const satisfies ExportedList
