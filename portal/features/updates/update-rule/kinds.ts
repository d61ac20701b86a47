import { cashDatabaseRollouts, cashDatabaseRules } from '#contract/updates/cash-database-rule.ts'
import { firmwareRollouts, firmwareRules } from '#contract/updates/firmware-rule.ts'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import { ruleAddresses } from './ruleAddresses.ts'

/** What differs between the screens of firmware rules and of cash database rules. */
export const kinds = {
  firmware: {
    words: 'firmware-rule',
    ...ruleAddresses.firmware,
    files: 'firmwareRules',
    write: 'firmwareRule.write',
    inUse: 'FirmwareRuleInUse',
    row: firmwareRules.listFirmwareRules,
    get: firmwareRules.getFirmwareRule,
    create: firmwareRules.createFirmwareRule,
    update: firmwareRules.updateFirmwareRule,
    remove: firmwareRules.deleteFirmwareRule,
    rollout: firmwareRollouts.getFirmwareRollout,
    machines: firmwareRollouts.listFirmwareRolloutMachines,
    control: firmwareRollouts.controlFirmwareRollout,
  },
  cashDatabase: {
    words: 'cash-database-rule',
    ...ruleAddresses.cashDatabase,
    files: 'cashDatabaseRules',
    write: 'cashDatabaseRule.write',
    inUse: 'CashDatabaseRuleInUse',
    row: cashDatabaseRules.listCashDatabaseRules,
    get: cashDatabaseRules.getCashDatabaseRule,
    create: cashDatabaseRules.createCashDatabaseRule,
    update: cashDatabaseRules.updateCashDatabaseRule,
    remove: cashDatabaseRules.deleteCashDatabaseRule,
    rollout: cashDatabaseRollouts.getCashDatabaseRollout,
    machines: cashDatabaseRollouts.listCashDatabaseRolloutMachines,
    control: cashDatabaseRollouts.controlCashDatabaseRollout,
  },
} as const satisfies Record<RuleKind, object>
