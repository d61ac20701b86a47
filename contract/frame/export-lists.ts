// Over 400 lines because one table holds every list that can be exported.
import { z } from 'zod'
import { AlarmFilters, alarmOrds, alarms } from '../alarms/alarm.ts'
import { AlarmSettingFilters, alarmSettingOrds, alarmSettings } from '../alarms/alarm-setting.ts'
import { MasterAlarmFilters, masterAlarmOrds, masterAlarms } from '../alarms/troubleshooting.ts'
import { auditOrds, audits } from '../audits/audit.ts'
import { ReconciledDayFilters, reconciledDayOrds, reconciliations } from '../audits/reconciliation.ts'
import { RemoteCommandFilters, remoteCommandOrds, remoteCommands } from '../commands/remote-command.ts'
import { configurationOrds, configurations } from '../configurations/configuration.ts'
import { MachinesReportFilters, machinesReportOrds, machinesReports } from '../insight/machines-report.ts'
import { MachineFilters, machineOrds, machines } from '../machines/machine.ts'
import { NoteFilters, noteOrds, notes } from '../machines/note.ts'
import { SensorFilters, sensorOrds, sensors } from '../machines/sensor.ts'
import { SensorThresholdFilters, sensorThresholdOrds, sensorThresholds } from '../machines/sensor-threshold.ts'
import { ClientFilters, clientOrds, clients } from '../merchants/client.ts'
import { GroupFilters, groupOrds, groups } from '../merchants/group.ts'
import { MerchantFilters, merchantOrds, merchants } from '../merchants/merchant.ts'
import { SapCodeFilters, sapCodeOrds, sapCodes } from '../merchants/sap-code.ts'
import { UserFilters, userEdits, userOrds } from '../people/user-edit.ts'
import { ChangeLogFilters, changeLog, changeLogOrds } from '../platform/change-log.ts'
import { DeadLetterFilters, deadLetterOrds, deadLetters } from '../platform/dead-letter.ts'
import { providerLog } from '../platform/provider-log.ts'
import {
  MerchantOfDashboardFilters,
  merchantOfDashboardOrds,
  merchantsDashboard,
} from '../sales/merchants-dashboard.ts'
import { posSumsOrds, StatsFilters, TransactionFilters, transactionOrds, transactions } from '../sales/transaction.ts'
import { PriceFilters, priceOrds, StockFilters, stock, stockOrds } from '../stock/stock.ts'
import type { AnyEndpoint } from './endpoint.ts'

const nothingAsked = z.strictObject({})

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
    columns: [
      'state',
      'posStatus',
      'name',
      'merchant',
      'serial',
      'worstAlarm',
      'signalPercent',
      'cashInBox',
      'salesByDay',
      'salesToday',
      'vendsToday',
      'lastSeenAt',
      'connection',
      'openAlarms',
      'lastSaleAt',
      'lastAuditAt',
      'firmwareVersion',
      'address',
      'sector',
      'client',
      'warrantyUntil',
      'prepaidUntil',
      'createdAt',
      'updatedAt',
      'place',
      'id',
    ],
  },
  alarms: {
    row: alarms.listAlarms,
    filters: AlarmFilters,
    ords: alarmOrds,
    isOfMachine: false,
    columns: [
      'criticity',
      'code',
      'posName',
      'merchant',
      'category',
      'source',
      'deviceType',
      'group',
      'status',
      'createdAt',
      'lastAt',
      'repairedAt',
      'mcbf',
      'remainingCycles',
      'detail',
      'id',
    ],
  },
  transactions: {
    row: transactions.listTransactions,
    filters: TransactionFilters,
    ords: transactionOrds,
    isOfMachine: false,
    columns: [
      'createdAt',
      'machine',
      'merchant',
      'type',
      'product',
      'price',
      'media',
      'serial',
      'flags',
      'savedAt',
      'charge',
      'value',
      'machineTime',
      'cardFile',
      'externalUser',
      'id',
    ],
  },
  statsByPos: {
    row: transactions.statsByPos,
    filters: StatsFilters,
    ords: posSumsOrds,
    isOfMachine: false,
    columns: [
      'posName',
      'merchant',
      'serial',
      'count',
      'average',
      'freeCount',
      'errorCount',
      'share',
      'charge',
      'value',
    ],
  },
  audits: {
    row: audits.listAudits,
    filters: nothingAsked,
    ords: auditOrds,
    isOfMachine: true,
    columns: [
      'readAt',
      'origin',
      'port',
      'crc',
      'warnings',
      'salesTotal',
      'vendsTotal',
      'selectionsTotal',
      'machineTime',
      'size',
      'id',
    ],
  },
  configurations: {
    row: configurations.listConfigs,
    filters: nothingAsked,
    ords: configurationOrds,
    isOfMachine: true,
    columns: ['readAt', 'changes', 'origin', 'port', 'confirmedAt', 'parameters'],
  },
  reconciledDays: {
    row: reconciliations.listReconciledDays,
    filters: ReconciledDayFilters,
    ords: reconciledDayOrds,
    isOfMachine: false,
    columns: [
      'day',
      'machine',
      'state',
      'audited',
      'transmitted',
      'difference',
      'cashIn',
      'cashReported',
      'cashDifference',
      'boxDifference',
      'reads',
      'stretch',
    ],
  },
  remoteCommands: {
    row: remoteCommands.listRemoteCommands,
    filters: RemoteCommandFilters,
    ords: remoteCommandOrds,
    isOfMachine: false,
    columns: [
      'type',
      'posName',
      'status',
      'result',
      'attempts',
      'by',
      'createdAt',
      'notBefore',
      'expiresAt',
      'startedAt',
      'executedAt',
      'id',
    ],
  },
  machinesReport: {
    row: machinesReports.listMachinesReport,
    filters: MachinesReportFilters,
    ords: machinesReportOrds,
    isOfMachine: false,
    columns: [
      'merchant',
      'deviceType',
      'firmware',
      'connection',
      'warranty',
      'machines',
      'created',
      'withoutData',
      'lastSeenAt',
    ],
  },
  notes: {
    row: notes.listNotes,
    filters: NoteFilters,
    ords: noteOrds,
    isOfMachine: true,
    columns: ['creationDate', 'createdBy', 'note'],
  },
  /** Who wrote the texts stands in no file. */
  masterAlarms: {
    row: masterAlarms.listMasterAlarms,
    filters: MasterAlarmFilters,
    ords: masterAlarmOrds,
    isOfMachine: false,
    columns: ['code', 'criticity', 'source', 'category', 'languages', 'updatedAt'],
  },
  stock: {
    row: stock.listStock,
    filters: StockFilters,
    ords: stockOrds,
    isOfMachine: true,
    columns: ['selection', 'product', 'stockType', 'level', 'status', 'warningLevel', 'refilledAt', 'updatedAt'],
  },
  /** A column to each price list; a machine has some of them. */
  prices: {
    row: stock.listPrices,
    filters: PriceFilters,
    ords: priceOrds,
    isOfMachine: true,
    columns: [
      'selection',
      'product',
      'list1',
      'list2',
      'list3',
      'list4',
      'list5',
      'list6',
      'list7',
      'list8',
      'differing',
      'updatedAt',
    ],
  },
  alarmSettings: {
    row: alarmSettings.listAlarmSettings,
    filters: AlarmSettingFilters,
    ords: alarmSettingOrds,
    isOfMachine: false,
    columns: ['code', 'criticity', 'enabled', 'mailFrom', 'delayMinutes', 'recipients', 'origin'],
  },
  sensors: {
    row: sensors.listSensors,
    filters: SensorFilters,
    ords: sensorOrds,
    isOfMachine: true,
    columns: ['name', 'submodule', 'dirtiness', 'value', 'thresholds', 'at'],
  },
  sensorThresholds: {
    row: sensorThresholds.listSensorThresholds,
    filters: SensorThresholdFilters,
    ords: sensorThresholdOrds,
    isOfMachine: false,
    columns: ['name', 'submodule', 'valuesIncrease', 'warning', 'critical'],
  },
  changeLog: {
    row: changeLog.listChangeLog,
    filters: ChangeLogFilters,
    ords: changeLogOrds,
    isOfMachine: false,
    columns: ['action', 'subject', 'merchant', 'changes', 'who', 'at'],
  },
  /** Whichever merchant the path names. */
  providerLog: {
    row: providerLog.listProviderLog,
    filters: ChangeLogFilters,
    ords: changeLogOrds,
    isOfMachine: false,
    columns: ['action', 'subject', 'changes', 'who', 'at'],
  },
  users: {
    row: userEdits.listUsers,
    filters: UserFilters,
    ords: userOrds,
    isOfMachine: false,
    columns: [
      'email',
      'name',
      'role',
      'status',
      'language',
      'merchants',
      'groups',
      'options',
      'lastSeenAt',
      'createdAt',
      'id',
    ],
  },
  merchants: {
    row: merchants.listMerchants,
    filters: MerchantFilters,
    ords: merchantOrds,
    isOfMachine: false,
    columns: [
      'name',
      'isDemo',
      'demoExpiresOn',
      'legalName',
      'contact',
      'sapCode',
      'country',
      'currency',
      'timeZone',
      'features',
      'families',
      'machines',
      'createdAt',
      'id',
    ],
  },
  sapCodes: {
    row: sapCodes.listSapCodes,
    filters: SapCodeFilters,
    ords: sapCodeOrds,
    isOfMachine: false,
    columns: ['code', 'description', 'createdAt'],
  },
  merchantsDashboard: {
    row: merchantsDashboard.listMerchantsDashboard,
    filters: MerchantOfDashboardFilters,
    ords: merchantOfDashboardOrds,
    isOfMachine: false,
    columns: ['name', 'isDemo', 'blockingAlarms', 'states', 'silent', 'machines', 'against', 'value', 'vends'],
  },
  /** Whichever merchant the path names, like the next one. */
  deadLetters: {
    row: deadLetters.listDeadLetters,
    filters: DeadLetterFilters,
    ords: deadLetterOrds,
    isOfMachine: false,
    columns: ['reason', 'state', 'serial', 'merchant', 'kind', 'transport', 'detail', 'size', 'at'],
  },
  usersOfAll: {
    row: userEdits.listUsersOfAll,
    filters: UserFilters,
    ords: userOrds,
    isOfMachine: false,
    columns: ['email', 'name', 'role', 'status', 'language', 'merchants', 'options', 'lastSeenAt', 'createdAt', 'id'],
  },
  /** How many people have a group is asked of another table, and in no file. */
  groups: {
    row: groups.pageGroups,
    filters: GroupFilters,
    ords: groupOrds,
    isOfMachine: false,
    columns: ['name', 'merchant', 'machines', 'id'],
  },
  clients: {
    row: clients.listClients,
    filters: ClientFilters,
    ords: clientOrds,
    isOfMachine: false,
    columns: [
      'name',
      'code',
      'merchant',
      'companyName',
      'sector',
      'address',
      'zipCode',
      'city',
      'province',
      'country',
      'vatCode',
      'contactName',
      'contactEmail',
      'phone',
      'website',
      'machines',
      'createdAt',
      'id',
    ],
  },
} as const satisfies Record<
  string,
  {
    row: { needs: AnyEndpoint['needs']; feature: AnyEndpoint['feature'] }
    filters: z.ZodType
    ords: readonly [string, ...string[]]
    isOfMachine: boolean
    columns: readonly [string, ...string[]]
  }
>
type Lists = typeof exportLists
export type ExportList = keyof Lists
export type ExportColumn<L extends ExportList> = Lists[L]['columns'][number]
