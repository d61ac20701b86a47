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

export const NewCashDatabaseRule = z.strictObject({ ...ruleFields, cashDatabaseId: ids.cashDatabaseId })
export type NewCashDatabaseRule = z.output<typeof NewCashDatabaseRule>

/** A rule that brings a cash database to machines. */
export const CashDatabaseRule = recordOf(NewCashDatabaseRule, shownOfRule)
export type CashDatabaseRule = z.infer<typeof CashDatabaseRule>

export const CashDatabaseRuleFilters = z.strictObject(ruleFilters)
export const cashDatabaseRuleOrds = ruleOrds
export const cashDatabaseRuleColumns = ruleColumns

const path = '/merchants/{merchantId}/cash-database-rules' as const
const one = '/merchants/{merchantId}/cash-database-rules/{cashDatabaseRuleId}' as const
const feature = 'cashDatabaseUpdate'

export const cashDatabaseRules = {
  listCashDatabaseRules: endpoint({
    method: 'GET',
    path,
    summary: 'List rules of a cash database with their rollouts',
    needs: 'cashDatabaseRule.read',
    feature,
    topics: ['cashDatabaseRule'],
    query: CashDatabaseRuleFilters.extend(paged(ruleOrds)),
    ok: pageOf(CashDatabaseRule),
  }),
  getCashDatabaseRule: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a rule',
    needs: 'cashDatabaseRule.read',
    feature,
    topics: ['cashDatabaseRule'],
    ok: CashDatabaseRule,
    fails: ['CashDatabaseRuleNotFound'],
  }),
  createCashDatabaseRule: endpoint({
    method: 'POST',
    path,
    summary: 'Create a rule; its rollout is started separately',
    needs: 'cashDatabaseRule.write',
    feature,
    body: NewCashDatabaseRule,
    ok: CashDatabaseRule,
    status: 201,
    fails: [
      'MerchantNotSelected',
      'CashDatabaseRuleAlreadyExists',
      'CashDatabaseNotFound',
      'UpdateNotForMachine',
      ...ruleTargetFaults,
      ...ruleFaults,
    ],
    timeOut: 'large',
  }),
  updateCashDatabaseRule: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a rule; after its start the version stays',
    needs: 'cashDatabaseRule.write',
    feature,
    body: editOf(NewCashDatabaseRule),
    ok: CashDatabaseRule,
    fails: [
      'CashDatabaseRuleNotFound',
      'CashDatabaseRuleAlreadyExists',
      'CashDatabaseNotFound',
      'UpdateNotForMachine',
      'RolloutStarted',
      'EditConflict',
      ...ruleTargetFaults,
      ...ruleFaults,
    ],
    timeOut: 'large',
  }),
  deleteCashDatabaseRule: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a rule whose rollout is not under way',
    needs: 'cashDatabaseRule.write',
    feature,
    fails: ['CashDatabaseRuleNotFound', 'CashDatabaseRuleInUse', 'RuleOfOtherGroups'],
  }),
}

/** The rollout of a rule. */
export const cashDatabaseRollouts = {
  getCashDatabaseRollout: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/cash-database-rules/{cashDatabaseRuleId}/rollout',
    summary: 'Get a rollout: cohorts, machines by state, next steps, history',
    needs: 'cashDatabaseRule.read',
    feature,
    finds: ['cashDatabaseRuleId'],
    topics: ['cashDatabaseRule', 'command', 'machine'],
    ok: Rollout,
    fails: ['CashDatabaseRuleNotFound'],
  }),
  listCashDatabaseRolloutMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/cash-database-rules/{cashDatabaseRuleId}/rollout/pos',
    summary: 'List machines of a rollout with their states and reasons',
    needs: 'cashDatabaseRule.read',
    feature,
    finds: ['cashDatabaseRuleId'],
    topics: ['cashDatabaseRule', 'command', 'machine'],
    query: rolloutMachineQuery,
    ok: pageOf(RolloutMachine),
    fails: ['CashDatabaseRuleNotFound'],
  }),
  controlCashDatabaseRollout: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/cash-database-rules/{cashDatabaseRuleId}/rollout',
    summary:
      'Change the state of a rollout: start, pause, resume, halt, end, retry failed machines, or return to the version before',
    needs: 'cashDatabaseRule.write',
    feature,
    finds: ['cashDatabaseRuleId'],
    body: ControlRollout,
    ok: Rollout,
    fails: [
      'CashDatabaseRuleNotFound',
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
export const exportedCashDatabaseRules = {
  row: cashDatabaseRules.listCashDatabaseRules,
  filters: CashDatabaseRuleFilters,
  ords: cashDatabaseRuleOrds,
  columns: cashDatabaseRuleColumns,
} as const satisfies ExportedList
