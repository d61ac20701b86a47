import type { ExportedList } from '../frame/exported-list.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { MachineFilters, machineOrds, machines } from './machine.ts'

/** The columns of a list of machines and its file. */
export const machineColumns = {
  state: { kind: 'word', heading: 'machine:column.state', of: 'machineState' },
  posStatus: { kind: 'word', heading: 'machine:column.posStatus', of: 'posStatus' },
  name: {
    name: { kind: 'text', heading: 'machine:column.name' },
    deviceType: { kind: 'word', heading: 'machine:fact.deviceType', of: 'deviceType' },
    group: { kind: 'text', heading: 'machine:fact.group' },
  },
  merchant: { kind: 'text', heading: 'machine:column.merchant' },
  serial: { kind: 'text', heading: 'machine:column.serial' },
  worstAlarm: { kind: 'alarm', heading: 'machine:column.worstAlarm' },
  signalPercent: {
    signal: { kind: 'number', heading: 'export:column.signal' },
  },
  cashInBox: {
    cashInBox: { kind: 'amount', heading: 'machine:fact.cashInBox' },
    cashBoxCapacity: { kind: 'amount', heading: 'machine:fact.cashBoxCapacity' },
  },
  salesByDay: {
    salesOfDays: { kind: 'amount', heading: 'machine:column.salesByDay' },
  },
  salesToday: { kind: 'amount', heading: 'export:column.salesToday' },
  vendsToday: { kind: 'number', heading: 'machine:column.vendsToday' },
  lastSeenAt: { kind: 'instant', heading: 'machine:column.lastSeen' },
  connection: { kind: 'word', heading: 'machine:column.connection', of: 'connection' },
  openAlarms: { kind: 'number', heading: 'machine:column.openAlarms' },
  lastSaleAt: { kind: 'instant', heading: 'machine:column.lastSale' },
  lastAuditAt: { kind: 'instant', heading: 'machine:column.lastAudit' },
  firmwareVersion: {
    firmware: { kind: 'text', heading: 'machine:column.firmware' },
  },
  address: { kind: 'text', heading: 'machine:column.address' },
  sector: { kind: 'word', heading: 'machine:fact.sector', of: 'posSector' },
  client: { kind: 'text', heading: 'machine-act:column.client' },
  warrantyUntil: { kind: 'plain', heading: 'machine:fact.warranty' },
  prepaidUntil: { kind: 'plain', heading: 'machine:fact.prepaidUntil' },
  createdAt: { kind: 'instant', heading: 'machine-act:column.createdAt' },
  updatedAt: { kind: 'instant', heading: 'machine-act:column.updatedAt' },
  place: {
    latitude: { kind: 'plain', heading: 'export:column.latitude' },
    longitude: { kind: 'plain', heading: 'export:column.longitude' },
  },
  id: { kind: 'plain', heading: 'machine:fact.id' },
} as const satisfies ListColumns

/** The list as a file. */
export const exportedMachines = {
  row: machines.listMachines,
  filters: MachineFilters,
  ords: machineOrds,
  columns: machineColumns,
} as const satisfies ExportedList
