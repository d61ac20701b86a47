import type { MachineState } from '#contract/machines/machine.ts'
import type { Dashboard } from '#contract/sales/dashboard.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { failedResults, failedStatuses } from '#contract/vocabulary/remote-command.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { Place } from '#portal/ui/list/types.ts'

const today = 'today'
const types = saleTypes.map(String)
const machinesWith = (search: Place['search'] = {}): Place => ({ to: '/devices/list', search })
const machinesIn = (...states: MachineState[]) => machinesWith({ states })

/** Where each number of the dashboard leads: the list whose rows it counts or adds up. */
export const placeOf = {
  sales: { to: '/transactions/stats', search: { period: today, types } },
  vends: { to: '/transactions/data', search: { period: today, types, errorSale: 'false' } },
  selling: machinesIn('selling', 'warning'),
  blocked: machinesIn('blocked'),
  silent: machinesIn('silent'),
  cash: machinesWith({ ord: 'cashInBox', ordType: 'DESC' }),
  fullCashBoxes: machinesWith({ fullCashBox: 'true' }),
  soldOut: machinesWith({ soldOut: 'true' }),
  openBlockingAlarms: {
    to: '/alarms',
    search: { statuses: ['active', 'notification'], criticities: String(alarmCriticities.blocking) },
  },
  failedCommands: {
    to: '/devices/remote-commands',
    search: {
      part: 'history',
      period: today,
      statuses: failedStatuses.map(String),
      results: failedResults.map(String),
    },
  },
} as const satisfies Record<string, Place>

/** The counts below the machines that need attention. */
export const countsOf = ({ openBlockingAlarms, soldOut = 0, fullCashBoxes, failedCommands }: Dashboard) =>
  ({ openBlockingAlarms, soldOut, fullCashBoxes, failedCommands }) as const
