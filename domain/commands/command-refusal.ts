import type { CommandOrder, CommandRefusal } from '#contract/commands/remote-command.ts'
import { isBelowMaximum } from '#contract/rules/media.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import { commandFamilies, commandFeatures, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import type { CommandWindow } from './command-window.ts'

/** The requirements of a command on a machine and its merchant. */
export interface CommandTarget {
  features: readonly string[]
  productFamilies: readonly string[]
  /** Maximum refund in minor units, exclusive. */
  maximumRefund: number
  /** Largest recharge in minor units, inclusive. */
  largestRecharge: number
}

const ofFeature: { readonly [feature in Feature]?: CommandRefusal } = {
  firmwareUpdate: 'FirmwareNotEnabledException',
  cashDatabaseUpdate: 'CashDatabaseNotEnabledException',
}
const { sendVpConfig, sendCredit, refundCash } = remoteCommandTypes

/** Why a machine cannot get a command; undefined when it can. */
export function refusalOf(
  order: Pick<CommandOrder, 'type' | 'parameters'>,
  target: CommandTarget,
  window: CommandWindow,
  now: Date,
): CommandRefusal | null {
  const feature = commandFeatures[order.type]
  if (feature && !target.features.includes(feature))
    return order.type === sendVpConfig ? 'SendVpConfigNotAllowed' : (ofFeature[feature] ?? 'FeatureNotEnabled')
  const family = commandFamilies[order.type]
  if (family && !target.productFamilies.includes(family)) return 'ProductFamilyNotEnabled'
  const isTooLarge =
    order.type === refundCash &&
    'amount' in order.parameters &&
    !isBelowMaximum(order.parameters.amount, target.maximumRefund)
  if (isTooLarge) return 'CommandRefundTooLarge'
  const isCreditTooLarge =
    order.type === sendCredit && 'amount' in order.parameters && order.parameters.amount > target.largestRecharge
  if (isCreditTooLarge) return 'CommandCreditTooLarge'
  return window.expiresAt.getTime() <= now.getTime() ? 'CommandWindowPassed' : null
}
