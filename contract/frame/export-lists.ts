// Over 450 lines because one table holds every list that can be exported.

import { z } from 'zod'
import { AlarmFilters, alarmColumns, alarmOrds, alarms } from '../alarms/alarm.ts'
import { AlarmSettingFilters, alarmSettingColumns, alarmSettingOrds, alarmSettings } from '../alarms/alarm-setting.ts'
import { MasterAlarmFilters, masterAlarmColumns, masterAlarmOrds, masterAlarms } from '../alarms/troubleshooting.ts'
import { auditColumns, auditOrds, audits } from '../audits/audit.ts'
import {
  ReconciledDayFilters,
  reconciledDayColumns,
  reconciledDayOrds,
  reconciliations,
} from '../audits/reconciliation.ts'
import { CollectionFilters, cashCollections, collectionColumns, collectionOrds } from '../cash/collection.ts'
import { CustomerFilters, customerColumns, customerOrds, customers } from '../cashless/customer.ts'
import { MediaFilters, mediaColumns, mediaOrds, medias } from '../cashless/media.ts'
import { RefundFilters, refundColumns, refundOrds, refunds } from '../cashless/refund.ts'
import {
  WebPaymentOrderFilters,
  webPaymentOrderColumns,
  webPaymentOrderOrds,
  webPaymentOrders,
} from '../cashless/web-payment-order.ts'
import {
  NoVendProfileFilters,
  noVendProfileColumns,
  noVendProfileOrds,
  noVendProfiles,
} from '../catalogue/no-vend-profile.ts'
import { PlanogramFilters, planogramColumns, planogramOrds, planograms } from '../catalogue/planogram.ts'
import {
  PriceChangeFilters,
  PriceFilters,
  priceChangeColumns,
  priceChangeOrds,
  priceColumns,
  priceOrds,
  prices,
} from '../catalogue/price.ts'
import {
  PlannedPriceFilters,
  PricePlanFilters,
  plannedPriceColumns,
  plannedPriceOrds,
  pricePlanColumns,
  pricePlanOrds,
  pricePlans,
} from '../catalogue/price-plan.ts'
import { ProductFilters, productColumns, productOrds, products } from '../catalogue/product.ts'
import { WrongPriceFilters, wrongPriceColumns, wrongPriceOrds, wrongPrices } from '../catalogue/wrong-price.ts'
import {
  RemoteCommandFilters,
  remoteCommandColumns,
  remoteCommandOrds,
  remoteCommands,
} from '../commands/remote-command.ts'
import { configurationColumns, configurationOrds, configurations } from '../configurations/configuration.ts'
import {
  ScreenConfigurationFilters,
  screenConfigurationColumns,
  screenConfigurationOrds,
  screenConfigurations,
} from '../configurations/screen-configuration.ts'
import {
  screenWhitelist,
  WhitelistFilters,
  whitelistColumns,
  whitelistOrds,
} from '../configurations/screen-whitelist.ts'
import {
  VpConfigurationFilters,
  vpConfigurationColumns,
  vpConfigurationOrds,
  vpConfigurations,
} from '../configurations/vp-configuration.ts'
import {
  DataRetrievalRequestFilters,
  dataRetrievalRequestColumns,
  dataRetrievalRequestOrds,
  dataRetrievalRequests,
} from '../insight/data-retrieval-request.ts'
import { distributorKpis, PosKpiFilters, posKpiColumns, posKpiOrds } from '../insight/distributor-kpis.ts'
import {
  MachinesReportFilters,
  machinesReportColumns,
  machinesReportOrds,
  machinesReports,
} from '../insight/machines-report.ts'
import { ClaimFilters, claimColumns, claimOrds, claims } from '../key-portal/claim.ts'
import { LicenceFilters, licenceColumns, licenceOrds, licences } from '../licences/licence.ts'
import { MachineFilters, machineOrds, machines } from '../machines/machine.ts'
import { machineColumns } from '../machines/machine-columns.ts'
import { NoteFilters, noteColumns, noteOrds, notes } from '../machines/note.ts'
import { SensorFilters, sensorColumns, sensorOrds, sensors } from '../machines/sensor.ts'
import {
  SensorThresholdFilters,
  sensorThresholdColumns,
  sensorThresholdOrds,
  sensorThresholds,
} from '../machines/sensor-threshold.ts'
import { ClientFilters, clientColumns, clientOrds, clients } from '../merchants/client.ts'
import { GroupFilters, groupColumns, groupOrds, groups } from '../merchants/group.ts'
import { MerchantFilters, merchantColumns, merchantOrds, merchants } from '../merchants/merchant.ts'
import { SapCodeFilters, sapCodeColumns, sapCodeOrds, sapCodes } from '../merchants/sap-code.ts'
import { UserFilters, userColumns, userEdits, userOfAllColumns, userOrds } from '../people/user-edit.ts'
import { ChangeLogFilters, changeLog, changeLogColumns, changeLogOrds } from '../platform/change-log.ts'
import { DeadLetterFilters, deadLetterColumns, deadLetterOrds, deadLetters } from '../platform/dead-letter.ts'
import { providerLog, providerLogColumns } from '../platform/provider-log.ts'
import {
  MerchantOfDashboardFilters,
  merchantOfDashboardColumns,
  merchantOfDashboardOrds,
  merchantsDashboard,
} from '../sales/merchants-dashboard.ts'
import {
  PosStatsFilters,
  posSumsColumns,
  posSumsOrds,
  TransactionFilters,
  transactionColumns,
  transactionOrds,
  transactions,
} from '../sales/transaction.ts'
import {
  LoadFilters,
  loadColumns,
  loadOrds,
  RoundFilters,
  roundColumns,
  roundOrds,
  roundProductColumns,
  roundProductOrds,
  rounds,
} from '../stock/round.ts'
import { StockFilters, stock, stockColumns, stockOrds } from '../stock/stock.ts'
import {
  StockMovementFilters,
  stockMovementColumns,
  stockMovementOrds,
  stockMovements,
} from '../stock/stock-movement.ts'
import { SupplyFilters, supplies, supplyColumns, supplyOrds } from '../stock/supply.ts'
import { CashDatabaseFilters, cashDatabaseColumns, cashDatabaseOrds, cashDatabases } from '../updates/cash-database.ts'
import {
  CashDatabaseRuleFilters,
  cashDatabaseRuleColumns,
  cashDatabaseRuleOrds,
  cashDatabaseRules,
} from '../updates/cash-database-rule.ts'
import { FirmwareRuleFilters, firmwareRuleColumns, firmwareRuleOrds, firmwareRules } from '../updates/firmware-rule.ts'
import type { AnyEndpoint } from './endpoint.ts'
import type { FactName, ListColumns } from './list-columns.ts'

const noFilters = z.strictObject({})

/**
 * What can be exported: by the row whose permission and feature it takes, what can be filtered and sorted by, and its columns.
 * A column has the id it has on the screen, where one may hold several facts: each of them has a column in the file.
 */
export const exportLists = {
  machines: {
    row: machines.listMachines,
    filters: MachineFilters,
    ords: machineOrds,
    isOfMachine: false,
    columns: machineColumns,
  },
  alarms: {
    row: alarms.listAlarms,
    filters: AlarmFilters,
    ords: alarmOrds,
    isOfMachine: false,
    columns: alarmColumns,
  },
  transactions: {
    row: transactions.listTransactions,
    filters: TransactionFilters,
    ords: transactionOrds,
    isOfMachine: false,
    columns: transactionColumns,
  },
  statsByPos: {
    row: transactions.statsByPos,
    filters: PosStatsFilters,
    ords: posSumsOrds,
    isOfMachine: false,
    columns: posSumsColumns,
  },
  audits: {
    row: audits.listAudits,
    filters: noFilters,
    ords: auditOrds,
    isOfMachine: true,
    columns: auditColumns,
  },
  configurations: {
    row: configurations.listConfigs,
    filters: noFilters,
    ords: configurationOrds,
    isOfMachine: true,
    columns: configurationColumns,
  },
  vpConfigurations: {
    row: vpConfigurations.listVpConfigurations,
    filters: VpConfigurationFilters,
    ords: vpConfigurationOrds,
    isOfMachine: false,
    columns: vpConfigurationColumns,
  },
  reconciledDays: {
    row: reconciliations.listReconciledDays,
    filters: ReconciledDayFilters,
    ords: reconciledDayOrds,
    isOfMachine: false,
    columns: reconciledDayColumns,
  },
  cashCollections: {
    row: cashCollections.listCashCollections,
    filters: CollectionFilters,
    ords: collectionOrds,
    isOfMachine: false,
    columns: collectionColumns,
  },
  medias: {
    row: medias.listMedias,
    filters: MediaFilters,
    ords: mediaOrds,
    isOfMachine: false,
    columns: mediaColumns,
  },
  refunds: {
    row: refunds.listRefunds,
    filters: RefundFilters,
    ords: refundOrds,
    isOfMachine: false,
    columns: refundColumns,
  },
  claims: {
    row: claims.listClaims,
    filters: ClaimFilters,
    ords: claimOrds,
    isOfMachine: false,
    columns: claimColumns,
  },
  customers: {
    row: customers.listCustomers,
    filters: CustomerFilters,
    ords: customerOrds,
    isOfMachine: false,
    columns: customerColumns,
  },
  remoteCommands: {
    row: remoteCommands.listRemoteCommands,
    filters: RemoteCommandFilters,
    ords: remoteCommandOrds,
    isOfMachine: false,
    columns: remoteCommandColumns,
  },
  posKpis: {
    row: distributorKpis.listPosKpis,
    filters: PosKpiFilters,
    ords: posKpiOrds,
    isOfMachine: false,
    columns: posKpiColumns,
  },
  machinesReport: {
    row: machinesReports.listMachinesReport,
    filters: MachinesReportFilters,
    ords: machinesReportOrds,
    isOfMachine: false,
    columns: machinesReportColumns,
  },
  notes: {
    row: notes.listNotes,
    filters: NoteFilters,
    ords: noteOrds,
    isOfMachine: true,
    columns: noteColumns,
  },
  /** Files omit the authors of the texts. */
  masterAlarms: {
    row: masterAlarms.listMasterAlarms,
    filters: MasterAlarmFilters,
    ords: masterAlarmOrds,
    isOfMachine: false,
    columns: masterAlarmColumns,
  },
  stock: {
    row: stock.listStock,
    filters: StockFilters,
    ords: stockOrds,
    isOfMachine: true,
    columns: stockColumns,
  },
  /** Their quantities are in the two lists below. */
  rounds: {
    row: rounds.listRounds,
    filters: RoundFilters,
    ords: roundOrds,
    isOfMachine: false,
    columns: roundColumns,
  },
  roundLoads: {
    row: rounds.listRoundLoads,
    filters: LoadFilters,
    ords: loadOrds,
    isOfMachine: false,
    columns: loadColumns,
  },
  roundProducts: {
    row: rounds.listRoundProducts,
    filters: LoadFilters,
    ords: roundProductOrds,
    isOfMachine: false,
    columns: roundProductColumns,
  },
  stockMovements: {
    row: stockMovements.listStockMovements,
    filters: StockMovementFilters,
    ords: stockMovementOrds,
    isOfMachine: true,
    columns: stockMovementColumns,
  },
  supplies: {
    row: supplies.listSupplies,
    filters: SupplyFilters,
    ords: supplyOrds,
    isOfMachine: false,
    columns: supplyColumns,
  },
  /** A column to each price list; a machine has some of them. */
  prices: {
    row: prices.listPrices,
    filters: PriceFilters,
    ords: priceOrds,
    isOfMachine: true,
    columns: priceColumns,
  },
  priceChanges: {
    row: prices.listPriceChanges,
    filters: PriceChangeFilters,
    ords: priceChangeOrds,
    isOfMachine: true,
    columns: priceChangeColumns,
  },
  pricePlans: {
    row: pricePlans.listPricePlans,
    filters: PricePlanFilters,
    ords: pricePlanOrds,
    isOfMachine: false,
    columns: pricePlanColumns,
  },
  plannedPrices: {
    row: pricePlans.listPlannedPrices,
    filters: PlannedPriceFilters,
    ords: plannedPriceOrds,
    isOfMachine: false,
    columns: plannedPriceColumns,
  },
  wrongPrices: {
    row: wrongPrices.listWrongPrices,
    filters: WrongPriceFilters,
    ords: wrongPriceOrds,
    isOfMachine: false,
    columns: wrongPriceColumns,
  },
  alarmSettings: {
    row: alarmSettings.listAlarmSettings,
    filters: AlarmSettingFilters,
    ords: alarmSettingOrds,
    isOfMachine: false,
    columns: alarmSettingColumns,
  },
  sensors: {
    row: sensors.listSensors,
    filters: SensorFilters,
    ords: sensorOrds,
    isOfMachine: true,
    columns: sensorColumns,
  },
  sensorThresholds: {
    row: sensorThresholds.listSensorThresholds,
    filters: SensorThresholdFilters,
    ords: sensorThresholdOrds,
    isOfMachine: false,
    columns: sensorThresholdColumns,
  },
  changeLog: {
    row: changeLog.listChangeLog,
    filters: ChangeLogFilters,
    ords: changeLogOrds,
    isOfMachine: false,
    columns: changeLogColumns,
  },
  /** The same for every merchant in the path. */
  providerLog: {
    row: providerLog.listProviderLog,
    filters: ChangeLogFilters,
    ords: changeLogOrds,
    isOfMachine: false,
    columns: providerLogColumns,
  },
  users: {
    row: userEdits.listUsers,
    filters: UserFilters,
    ords: userOrds,
    isOfMachine: false,
    columns: userColumns,
  },
  merchants: {
    row: merchants.listMerchants,
    filters: MerchantFilters,
    ords: merchantOrds,
    isOfMachine: false,
    columns: merchantColumns,
  },
  sapCodes: {
    row: sapCodes.listSapCodes,
    filters: SapCodeFilters,
    ords: sapCodeOrds,
    isOfMachine: false,
    columns: sapCodeColumns,
  },
  merchantsDashboard: {
    row: merchantsDashboard.listMerchantsDashboard,
    filters: MerchantOfDashboardFilters,
    ords: merchantOfDashboardOrds,
    isOfMachine: false,
    columns: merchantOfDashboardColumns,
  },
  dataRetrievalRequests: {
    row: dataRetrievalRequests.listDataRetrievalRequests,
    filters: DataRetrievalRequestFilters,
    ords: dataRetrievalRequestOrds,
    isOfMachine: false,
    columns: dataRetrievalRequestColumns,
  },
  /** The same for every merchant in the path, like the next list. */
  deadLetters: {
    row: deadLetters.listDeadLetters,
    filters: DeadLetterFilters,
    ords: deadLetterOrds,
    isOfMachine: false,
    columns: deadLetterColumns,
  },
  usersOfAll: {
    row: userEdits.listUsersOfAll,
    filters: UserFilters,
    ords: userOrds,
    isOfMachine: false,
    columns: userOfAllColumns,
  },
  /** The number of users is in another table; files omit it. */
  groups: {
    row: groups.pageGroups,
    filters: GroupFilters,
    ords: groupOrds,
    isOfMachine: false,
    columns: groupColumns,
  },
  clients: {
    row: clients.listClients,
    filters: ClientFilters,
    ords: clientOrds,
    isOfMachine: false,
    columns: clientColumns,
  },
  products: {
    row: products.listProducts,
    filters: ProductFilters,
    ords: productOrds,
    isOfMachine: false,
    columns: productColumns,
  },
  /** The selections of a planogram are in its PDF. */
  planograms: {
    row: planograms.listPlanograms,
    filters: PlanogramFilters,
    ords: planogramOrds,
    isOfMachine: false,
    columns: planogramColumns,
  },
  screenConfigurations: {
    row: screenConfigurations.listScreenConfigurations,
    filters: ScreenConfigurationFilters,
    ords: screenConfigurationOrds,
    isOfMachine: false,
    columns: screenConfigurationColumns,
  },
  screenWhitelist: {
    row: screenWhitelist.listWhitelist,
    filters: WhitelistFilters,
    ords: whitelistOrds,
    isOfMachine: false,
    columns: whitelistColumns,
  },
  noVendProfiles: {
    row: noVendProfiles.listNoVendProfiles,
    filters: NoVendProfileFilters,
    ords: noVendProfileOrds,
    isOfMachine: false,
    columns: noVendProfileColumns,
  },
  licences: {
    row: licences.listLicences,
    filters: LicenceFilters,
    ords: licenceOrds,
    isOfMachine: false,
    columns: licenceColumns,
  },
  webPaymentOrders: {
    row: webPaymentOrders.listWebPaymentOrders,
    filters: WebPaymentOrderFilters,
    ords: webPaymentOrderOrds,
    isOfMachine: false,
    columns: webPaymentOrderColumns,
  },
  firmwareRules: {
    row: firmwareRules.listFirmwareRules,
    filters: FirmwareRuleFilters,
    ords: firmwareRuleOrds,
    isOfMachine: false,
    columns: firmwareRuleColumns,
  },
  cashDatabaseRules: {
    row: cashDatabaseRules.listCashDatabaseRules,
    filters: CashDatabaseRuleFilters,
    ords: cashDatabaseRuleOrds,
    isOfMachine: false,
    columns: cashDatabaseRuleColumns,
  },
  cashDatabases: {
    row: cashDatabases.listCashDatabases,
    filters: CashDatabaseFilters,
    ords: cashDatabaseOrds,
    isOfMachine: false,
    columns: cashDatabaseColumns,
  },
} as const satisfies Record<
  string,
  {
    row: { needs: AnyEndpoint['needs']; feature: AnyEndpoint['feature'] }
    filters: z.ZodType
    ords: readonly [string, ...string[]]
    isOfMachine: boolean
    columns: ListColumns
  }
>
type Lists = typeof exportLists
export type ExportList = keyof Lists
export type ExportColumn<L extends ExportList> = keyof Lists[L]['columns'] & string
/** Names of a list's rows, each with a column in the file. */
export type ExportFact<L extends ExportList> = FactName<Lists[L]['columns']>

/** The columns of a list, in the order they are declared in. */
export const columnIdsOf = <L extends ExportList>(list: L) =>
  Object.keys(exportLists[list].columns) as ExportColumn<L>[]
