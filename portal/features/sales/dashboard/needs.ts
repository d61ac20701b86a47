import type { NeedsYou } from '#contract/sales/dashboard.ts'
import { posStatuses } from '#contract/vocabulary/device.ts'

/** The connection problem of a machine that needs attention without an alarm. */
export const unconnected = ({ posStatus }: Pick<NeedsYou, 'posStatus'>) =>
  posStatus === posStatuses.critical ? 'offline' : 'unknown'
