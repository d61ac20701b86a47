import type { alarms } from '#contract/alarms/alarm.ts'
import type { wrongPrices } from '#contract/catalogue/wrong-price.ts'
import type { remoteCommands } from '#contract/commands/remote-command.ts'
import type { claims } from '#contract/key-portal/claim.ts'
import type { machines } from '#contract/machines/machine.ts'
import type { MachineState } from '#contract/machines/machine-state.ts'
import type { Dashboard } from '#contract/sales/dashboard.ts'
import type { transactions } from '#contract/sales/transaction.ts'
import type { supplies } from '#contract/stock/supply.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { failedResults, failedStatuses } from '#contract/vocabulary/remote-command.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { stockPlaces } from '#contract/warehouse/stock-place.ts'
import type { Place } from '#portal/app/place.ts'
import { listPlace } from '#portal/ui/list/listPlace.ts'

const today = 'today'
const toMachines = listPlace<typeof machines.listMachines>
const machinesIn = (...states: MachineState[]) => toMachines('/devices/list', { states })

const withSearch = ({ search, ...place }: Place, more: Place['search']): Place => ({
  ...place,
  search: { ...more, ...search },
})

/** The link of each number of the dashboard: the list whose rows it counts or adds up. */
export const placeOf = {
  sales: listPlace<typeof transactions.statsOfPeriod>('/transactions/stats', { period: today, types: saleTypes }),
  vends: listPlace<typeof transactions.listTransactions>('/transactions/data', {
    period: today,
    types: saleTypes,
    errorSale: false,
  }),
  failedVends: listPlace<typeof transactions.listTransactions>('/transactions/data', {
    period: today,
    types: saleTypes,
    errorSale: true,
  }),
  selling: machinesIn('selling', 'warning'),
  blocked: machinesIn('blocked'),
  silent: machinesIn('silent'),
  cash: toMachines('/devices/list', { ord: 'cashInBox', ordType: 'DESC' }),
  fullCashBoxes: toMachines('/devices/list', { fullCashBox: true }),
  soldOut: toMachines('/devices/list', { soldOut: true }),
  stockFindings: listPlace<typeof supplies.listSupplies>('/devices/manage-stock', {
    findings: ['difference', 'waiting'],
  }),
  expiredPieces: listPlace<typeof stockPlaces.listStockPlaces>('/stock-places', { ord: 'expired', ordType: 'DESC' }),
  wrongPrices: listPlace<typeof wrongPrices.listWrongPrices>('/devices/wrong-prices', { isOld: true }),
  openClaims: listPlace<typeof claims.listClaims>('/customers-medias/claims', { states: ['open'] }),
  openBlockingAlarms: listPlace<typeof alarms.listAlarms>('/alarms', {
    statuses: ['active', 'notification'],
    criticities: [alarmCriticities.blocking],
  }),
  failedCommands: withSearch(
    listPlace<typeof remoteCommands.listRemoteCommands>('/devices/remote-commands', {
      period: today,
      statuses: failedStatuses,
      results: failedResults,
    }),
    { part: 'history' },
  ),
} satisfies Record<string, Place>

/** The counts below the machines that need attention. */
export const countsOf = (today: Omit<Dashboard, 'hasFirstSteps' | 'haltedRollouts'>) => {
  const { openBlockingAlarms, soldOut = 0, stockFindings: findings = 0, expiredPieces = 0, wrongPrices = 0 } = today
  const { fullCashBoxes, failedCommands, openClaims = 0 } = today
  return {
    openBlockingAlarms,
    soldOut,
    stockFindings: findings,
    expiredPieces,
    wrongPrices,
    fullCashBoxes,
    failedCommands,
    openClaims,
  } as const
}
