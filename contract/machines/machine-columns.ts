import type { ExportedList } from '../frame/exported-list.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { MachineFilters, machineOrds, machines } from './machine.ts'

/** The columns of a list of machines and its file. */
export const machineColumns = {
  state: { kind: 'status', heading: 'machine:column.state', of: 'machineState' },
  name: {
    facts: {
      name: { kind: 'text', heading: 'machine:column.name' },
      deviceType: { kind: 'word', heading: 'machine:fact.deviceType', of: 'deviceType' },
      group: { kind: 'text', heading: 'machine:fact.group' },
    },
  },
  merchant: { kind: 'text', heading: 'machine:column.merchant' },
  serial: { kind: 'serial', heading: 'machine:column.serial' },
  worstAlarm: { kind: 'alarm', heading: 'machine:column.worstAlarm' },
  signalPercent: { facts: { signal: { kind: 'number', unit: 'percent', heading: 'machine:column.signal' } } },
  cashInBox: {
    facts: {
      cashInBox: { kind: 'amount', heading: 'machine:column.cashBox' },
      cashBoxCapacity: { kind: 'amount', heading: 'machine:fact.cashBoxCapacity' },
    },
  },
  salesByDay: { facts: { salesOfDays: { kind: 'amount', heading: 'machine:column.salesByDay' } } },
  salesToday: { kind: 'amount', heading: 'machine:column.today' },
  vendsToday: { kind: 'number', heading: 'machine:column.vendsToday' },
  lastSeenAt: { kind: 'instant', heading: 'machine:column.lastSeen' },
  posStatus: { kind: 'status', heading: 'machine:column.posStatus', of: 'posStatus' },
  connection: { kind: 'status', heading: 'machine:column.connection', of: 'connection' },
  openAlarms: { kind: 'number', heading: 'machine:column.openAlarms' },
  lastSaleAt: { kind: 'instant', heading: 'machine:column.lastSale' },
  lastAuditAt: { kind: 'instant', heading: 'machine:column.lastAudit' },
  firmwareVersion: { facts: { firmware: { kind: 'text', heading: 'machine:column.firmware' } } },
  address: { kind: 'text', heading: 'machine:column.address' },
  sector: { kind: 'word', heading: 'machine:fact.sector', of: 'posSector' },
  client: { kind: 'text', heading: 'machine-act:column.client', field: 'clientName', ord: 'clientName' },
  warrantyUntil: { kind: 'day', heading: 'machine:fact.warranty' },
  prepaidUntil: { kind: 'day', heading: 'machine:fact.prepaidUntil' },
  createdAt: { kind: 'instant', heading: 'machine-act:column.createdAt' },
  updatedAt: { kind: 'instant', heading: 'machine-act:column.updatedAt' },
  acts: { kind: 'own', heading: 'machine:column.acts' },
  place: {
    only: 'file',
    facts: {
      latitude: { kind: 'plain', heading: 'export:column.latitude' },
      longitude: { kind: 'plain', heading: 'export:column.longitude' },
    },
  },
  id: { kind: 'plain', heading: 'machine:fact.id', only: 'file' },
} as const satisfies ListColumns

/** The list as a file. */
export const exportedMachines = {
  row: machines.listMachines,
  filters: MachineFilters,
  ords: machineOrds,
  columns: machineColumns,
} as const satisfies ExportedList
