import { sql } from 'kysely'
import type { ExportOrderOf } from '#contract/frame/export.ts'
import type { TenantDb } from '../frame/tenant.ts'
import {
  daysShown,
  filteredMachines,
  machineOrdering,
  needsWork,
  posStatusOf,
  prepaidUntil,
  stateOf,
} from '../machines/machine.ts'
import { isSale, vends } from '../sales/sales.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

const openAlarms = sql`a.merchant_id = machines.merchant_id and a.machine_id = machines.id and a.status in ('active', 'notification')`

/** Sums of a machine's sales from some local days ago until now. */
const sold = (what: typeof value, days: number) => sql`(select coalesce(${what}, 0) from sales_hourly s
  where s.merchant_id = machines.merchant_id and s.machine_id = machines.id and ${isSale('s')} and s.hour >=
    ((now() at time zone merchants.time_zone)::date - ${sql.lit(days)}::int)::timestamp at time zone merchants.time_zone)`
const value = sql`sum(s.value)::bigint`

/** Machines, as filtered and sorted. */
export const machinesSource: ExportSource<'machines'> = {
  ...homeOf('merchants'),
  columns: {
    state: { state: { heading: 'machine:column.state', kind: 'word', of: 'machineState', sql: stateOf } },
    posStatus: {
      posStatus: { heading: 'machine:column.posStatus', kind: 'word', of: 'posStatus', sql: posStatusOf },
    },
    name: {
      name: { heading: 'machine:column.name', kind: 'text', sql: sql`machines.name` },
      deviceType: {
        heading: 'machine:fact.deviceType',
        kind: 'word',
        of: 'deviceType',
        sql: sql`machines.device_type`,
      },
      group: { heading: 'machine:fact.group', kind: 'text', sql: sql`groups.name` },
    },
    merchant: { merchant: { heading: 'machine:column.merchant', kind: 'text', sql: sql`merchants.name` } },
    serial: { serial: { heading: 'machine:column.serial', kind: 'text', sql: sql`machines.serial` } },
    worstAlarm: {
      worstAlarm: {
        heading: 'machine:column.worstAlarm',
        kind: 'alarm',
        sql: sql`(select a.code from alarms a where ${openAlarms} and ${needsWork('a')} order by a.criticity desc, a.created_at limit 1)`,
      },
    },
    signalPercent: {
      signal: { heading: 'export:column.signal', kind: 'number', sql: sql`machines.signal_percent` },
    },
    cashInBox: {
      cashInBox: { heading: 'machine:fact.cashInBox', kind: 'amount', sql: sql`machines.cash_in_box` },
      cashBoxCapacity: {
        heading: 'machine:fact.cashBoxCapacity',
        kind: 'amount',
        sql: sql`machines.cash_box_capacity`,
      },
    },
    salesByDay: {
      salesOfDays: { heading: 'machine:column.salesByDay', kind: 'amount', sql: sold(value, daysShown - 1) },
    },
    salesToday: { salesToday: { heading: 'export:column.salesToday', kind: 'amount', sql: sold(value, 0) } },
    vendsToday: {
      vendsToday: { heading: 'machine:column.vendsToday', kind: 'number', sql: sold(sql`${vends('s')}::bigint`, 0) },
    },
    lastSeenAt: {
      lastSeenAt: { heading: 'machine:column.lastSeen', kind: 'instant', sql: sql`machines.last_seen_at` },
    },
    connection: {
      connection: {
        heading: 'machine:column.connection',
        kind: 'word',
        of: 'connection',
        sql: sql`machines.connection`,
      },
    },
    openAlarms: {
      openAlarms: {
        heading: 'machine:column.openAlarms',
        kind: 'number',
        sql: sql`(select count(*) from alarms a where ${openAlarms})`,
      },
    },
    lastSaleAt: {
      lastSaleAt: { heading: 'machine:column.lastSale', kind: 'instant', sql: sql`machines.last_sale_at` },
    },
    lastAuditAt: {
      lastAuditAt: { heading: 'machine:column.lastAudit', kind: 'instant', sql: sql`machines.last_audit_at` },
    },
    firmwareVersion: {
      firmware: { heading: 'machine:column.firmware', kind: 'text', sql: sql`machines.firmware_version` },
    },
    address: { address: { heading: 'machine:column.address', kind: 'text', sql: sql`machines.address` } },
    sector: { sector: { heading: 'machine:fact.sector', kind: 'word', of: 'posSector', sql: sql`machines.sector` } },
    client: { client: { heading: 'machine-act:column.client', kind: 'text', sql: sql`clients.name` } },
    warrantyUntil: {
      warrantyUntil: { heading: 'machine:fact.warranty', kind: 'plain', sql: sql`machines.warranty_until` },
    },
    prepaidUntil: { prepaidUntil: { heading: 'machine:fact.prepaidUntil', kind: 'plain', sql: sql`prepaid.until` } },
    createdAt: {
      createdAt: { heading: 'machine-act:column.createdAt', kind: 'instant', sql: sql`machines.created_at` },
    },
    updatedAt: {
      updatedAt: { heading: 'machine-act:column.updatedAt', kind: 'instant', sql: sql`machines.updated_at` },
    },
    place: {
      latitude: { heading: 'export:column.latitude', kind: 'plain', sql: sql`machines.latitude` },
      longitude: { heading: 'export:column.longitude', kind: 'plain', sql: sql`machines.longitude` },
    },
    id: { id: { heading: 'machine:fact.id', kind: 'plain', sql: sql`machines.id` } },
  },
  open: async (db: TenantDb, order: ExportOrderOf<'machines'>) => {
    const prepaid = sql<{ until: string | null }>`(select ${prepaidUntil(db)} as until)`.as('prepaid')
    const machines = filteredMachines(db, order.filter).innerJoinLateral(prepaid, (join) => join.onTrue())
    return rowsOf(machines, machineOrdering(order))
  },
}
