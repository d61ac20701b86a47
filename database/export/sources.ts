import type { ExportList } from '#contract/export/export-lists.ts'
import { refundsSource } from '../cashless/refund-file.ts'
import type { ExportSource } from '../frame/export/source.ts'
import { dataRetrievalRequestsSource } from '../insight/data-retrieval-request.ts'
import { claimsSource } from '../key-portal/claim-file.ts'
import { alarmsSource } from './alarms.ts'
import { auditsSource } from './audits.ts'
import { cashCollectionsSource } from './cash-collections.ts'
import { changeLogSource } from './change-log.ts'
import { configurationsSource } from './configurations.ts'
import { deadLettersSource } from './dead-letters.ts'
import { posKpisSource } from './insight/distributor-kpis.ts'
import { machinesReportSource } from './insight/machines-report.ts'
import { machinesSource } from './machines.ts'
import { merchantsSource } from './merchants.ts'
import { merchantsDashboardSource } from './merchants-dashboard.ts'
import { notesSource } from './notes.ts'
import { pieceLossesSource } from './piece-losses.ts'
import { priceChangesSource } from './price-changes.ts'
import { plannedPricesSource, pricePlansSource } from './price-plans.ts'
import { providerLogSource } from './provider-log.ts'
import { reconciledDaysSource } from './reconciled-days.ts'
import { remoteCommandsSource } from './remote-commands.ts'
import { statsByPosSource } from './stats-by-pos.ts'
import { stockMovementsSource, suppliesSource } from './stock.ts'
import { transactionsSource } from './transactions.ts'
import { usersOfAllSource, usersSource } from './users.ts'
import { visitsSource } from './visits.ts'
import { wrongPricesSource } from './wrong-prices.ts'

/** The lists whose rows the database filters and sorts. */
export const exportSources = {
  machines: machinesSource,
  alarms: alarmsSource,
  transactions: transactionsSource,
  statsByPos: statsByPosSource,
  audits: auditsSource,
  configurations: configurationsSource,
  reconciledDays: reconciledDaysSource,
  cashCollections: cashCollectionsSource,
  refunds: refundsSource,
  claims: claimsSource,
  dataRetrievalRequests: dataRetrievalRequestsSource,
  remoteCommands: remoteCommandsSource,
  posKpis: posKpisSource,
  machinesReport: machinesReportSource,
  notes: notesSource,
  priceChanges: priceChangesSource,
  pricePlans: pricePlansSource,
  plannedPrices: plannedPricesSource,
  wrongPrices: wrongPricesSource,
  stockMovements: stockMovementsSource,
  supplies: suppliesSource,
  visits: visitsSource,
  pieceLosses: pieceLossesSource,
  changeLog: changeLogSource,
  providerLog: providerLogSource,
  users: usersSource,
  usersOfAll: usersOfAllSource,
  merchants: merchantsSource,
  merchantsDashboard: merchantsDashboardSource,
  deadLetters: deadLettersSource,
} satisfies { [L in ExportList]?: ExportSource<L> }
