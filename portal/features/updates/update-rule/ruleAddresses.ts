import type { RuleKind } from '#contract/updates/rollout-kind.ts'

/** Where the rules of a kind are, without their calls: the dashboard names halted rollouts. */
export const ruleAddresses = {
  firmware: {
    param: 'firmwareRuleId',
    list: '/devices/firmware-rules',
    page: '/devices/firmware-rules/$firmwareRuleId',
  },
  cashDatabase: {
    param: 'cashDatabaseRuleId',
    list: '/manage/cash-database-rules',
    page: '/manage/cash-database-rules/$cashDatabaseRuleId',
  },
} as const satisfies Record<RuleKind, object>
