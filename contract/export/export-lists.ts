import { exportedAlarms } from '../alarms/alarm.ts'
import { exportedAlarmSettings } from '../alarms/alarm-setting.ts'
import { exportedMasterAlarms } from '../alarms/troubleshooting.ts'
import { exportedAudits } from '../audits/audit.ts'
import { exportedReconciledDays } from '../audits/reconciliation.ts'
import { exportedCashCollections } from '../cash/collection.ts'
import { exportedDeposits } from '../cash/deposit.ts'
import { exportedCustomers } from '../cashless/customer.ts'
import { exportedMedias } from '../cashless/media.ts'
import { exportedRefunds } from '../cashless/refund.ts'
import { exportedWebPaymentOrders } from '../cashless/web-payment-order.ts'
import { exportedNoVendProfiles } from '../catalogue/no-vend-profile.ts'
import { exportedPlanograms } from '../catalogue/planogram.ts'
import { exportedPriceChanges, exportedPrices } from '../catalogue/price.ts'
import { exportedPlannedPrices, exportedPricePlans } from '../catalogue/price-plan.ts'
import { exportedProducts } from '../catalogue/product.ts'
import { exportedWrongPrices } from '../catalogue/wrong-price.ts'
import { exportedRemoteCommands } from '../commands/remote-command.ts'
import { exportedConfigurations } from '../configurations/configuration.ts'
import { exportedScreenConfigurations } from '../configurations/screen-configuration.ts'
import { exportedScreenWhitelist } from '../configurations/screen-whitelist.ts'
import { exportedVpConfigurations } from '../configurations/vp-configuration.ts'
import type { HandlerInput } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type FactName, type FileColumnName, factsInFile } from '../frame/list-columns.ts'
import { exportedDataRetrievalRequests } from '../insight/data-retrieval-request.ts'
import { exportedPosKpis } from '../insight/distributor-kpis.ts'
import { exportedMachinesReport } from '../insight/machines-report.ts'
import { exportedClaims } from '../key-portal/claim.ts'
import { exportedLicences } from '../licences/licence.ts'
import { exportedMachines } from '../machines/machine-columns.ts'
import { exportedNotes } from '../machines/note.ts'
import { exportedSensors } from '../machines/sensor.ts'
import { exportedSensorThresholds } from '../machines/sensor-threshold.ts'
import { exportedClients } from '../merchants/client.ts'
import { exportedGroups } from '../merchants/group.ts'
import { exportedMerchants } from '../merchants/merchant.ts'
import { exportedSapCodes } from '../merchants/sap-code.ts'
import { exportedWebhooks } from '../merchants/webhook.ts'
import { exportedUsers, exportedUsersOfAll } from '../people/user-edit.ts'
import { exportedChangeLog } from '../platform/change-log.ts'
import { exportedDeadLetters } from '../platform/dead-letter.ts'
import { exportedProviderLog } from '../platform/provider-log.ts'
import { exportedMerchantsDashboard } from '../sales/merchants-dashboard.ts'
import { exportedStatsByPos, exportedTransactions } from '../sales/transaction.ts'
import { exportedRoundLoads, exportedRoundProducts, exportedRounds } from '../stock/round.ts'
import { exportedRoutes } from '../stock/route.ts'
import { exportedStock } from '../stock/stock.ts'
import { exportedStockMovements } from '../stock/stock-movement.ts'
import { exportedSupplies } from '../stock/supply.ts'
import { exportedVisits } from '../stock/visit-list.ts'
import { exportedCashDatabases } from '../updates/cash-database.ts'
import { exportedCashDatabaseRules } from '../updates/cash-database-rule.ts'
import { exportedFirmwareRules } from '../updates/firmware-rule.ts'
import { exportedProductsToBuy } from '../warehouse/buying.ts'
import { exportedPieceLosses } from '../warehouse/piece-loss.ts'
import { exportedStockPlaces } from '../warehouse/stock-place.ts'

/** What can be exported: the lists of all nouns, each declared beside its row. */
export const exportLists = {
  machines: exportedMachines,
  alarms: exportedAlarms,
  transactions: exportedTransactions,
  statsByPos: exportedStatsByPos,
  audits: exportedAudits,
  configurations: exportedConfigurations,
  vpConfigurations: exportedVpConfigurations,
  reconciledDays: exportedReconciledDays,
  cashCollections: exportedCashCollections,
  medias: exportedMedias,
  refunds: exportedRefunds,
  claims: exportedClaims,
  customers: exportedCustomers,
  remoteCommands: exportedRemoteCommands,
  posKpis: exportedPosKpis,
  machinesReport: exportedMachinesReport,
  notes: exportedNotes,
  masterAlarms: exportedMasterAlarms,
  stock: exportedStock,
  rounds: exportedRounds,
  roundLoads: exportedRoundLoads,
  roundProducts: exportedRoundProducts,
  routes: exportedRoutes,
  visits: exportedVisits,
  deposits: exportedDeposits,
  stockMovements: exportedStockMovements,
  supplies: exportedSupplies,
  prices: exportedPrices,
  priceChanges: exportedPriceChanges,
  pricePlans: exportedPricePlans,
  plannedPrices: exportedPlannedPrices,
  wrongPrices: exportedWrongPrices,
  alarmSettings: exportedAlarmSettings,
  sensors: exportedSensors,
  sensorThresholds: exportedSensorThresholds,
  changeLog: exportedChangeLog,
  providerLog: exportedProviderLog,
  users: exportedUsers,
  merchants: exportedMerchants,
  webhooks: exportedWebhooks,
  sapCodes: exportedSapCodes,
  merchantsDashboard: exportedMerchantsDashboard,
  dataRetrievalRequests: exportedDataRetrievalRequests,
  deadLetters: exportedDeadLetters,
  usersOfAll: exportedUsersOfAll,
  groups: exportedGroups,
  clients: exportedClients,
  products: exportedProducts,
  planograms: exportedPlanograms,
  screenConfigurations: exportedScreenConfigurations,
  screenWhitelist: exportedScreenWhitelist,
  noVendProfiles: exportedNoVendProfiles,
  stockPlaces: exportedStockPlaces,
  pieceLosses: exportedPieceLosses,
  productsToBuy: exportedProductsToBuy,
  licences: exportedLicences,
  webPaymentOrders: exportedWebPaymentOrders,
  firmwareRules: exportedFirmwareRules,
  cashDatabaseRules: exportedCashDatabaseRules,
  cashDatabases: exportedCashDatabases,
} as const satisfies Record<string, ExportedList>
type Lists = typeof exportLists
export type ExportList = keyof Lists
export type ExportColumn<L extends ExportList> = FileColumnName<Lists[L]['columns']>
/** Whether a list is of one machine, which its path names. */
export type IsOfMachine<L extends ExportList> =
  HandlerInput<Lists[L]['row']> extends { params: { posId: string } } ? true : false
export const isOfMachine = (list: ExportList): boolean => exportLists[list].row.path.includes('{posId}')

/** Names of a list's rows, each with a column in the file. */
export type ExportFact<L extends ExportList> = FactName<Lists[L]['columns']>

/** The columns of a list's file, in the order they are declared in. */
export const columnIdsOf = <L extends ExportList>(list: L) =>
  factsInFile(exportLists[list].columns).map(([id]) => id) as ExportColumn<L>[]
