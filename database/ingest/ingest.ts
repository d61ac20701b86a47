import { sql } from 'kysely'
import type { CashItem, SaleItem } from '#contract/device-protocol.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { AlarmAfter } from '#domain/alarms/event-alarms.ts'
import { cashMoved } from '#domain/cash/movement.ts'
import { compactSerial } from '#domain/cashless/media-serial.ts'
import { chargedForFailure } from '#domain/sales/sale.ts'
import { localDayOf, startOfLocalHour } from '#domain/time/local-hour.ts'
import { type Column, type Insertion, insertColumns, insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { addCashToHours } from '../sums/cash-hours.ts'
import { markLate, markLateStretches } from '../sums/changed-days.ts'
import { amounts, groupHourRows, type KindOfSales, noAmounts } from '../sums/group-hours.ts'
import { instant } from './instant.ts'
import { type Journal, journalRows } from './journal.ts'

/** The machine of an item, its number in the journal and its time. */
export interface ItemHead {
  merchantId: string
  machineId: string
  timeZone: string
  epoch: number | null
  seq: number | null
  /** The time of the item in milliseconds, corrected for the machine's clock, and the clock's own time. */
  at: number
  machineTime: string | null
  id: string
}

export interface SaleRow extends ItemHead {
  /** The group under which the machine's sums are stored. */
  groupId: string | null
  sale: SaleItem
  /** Whether it lowers the managed stock of its price line, and the selection of the machine's total that it lowers. */
  lowersLine?: boolean
  lowersTotal?: string
}

/** Columns that many machines never fill; a column without values in the batch is left out. */
const rareSaleColumns = [
  ['price_table', 'smallint', (sale) => sale.priceTable],
  ['price_line', 'int', (sale) => sale.priceLine],
  ['original_seq', 'bigint', (sale) => sale.originalSeq],
  ['product', 'text', (sale) => sale.product],
  ['product_code', 'text', (sale) => sale.productCode],
  ['media_serial', 'text', (sale) => compactSerial(sale.mediaSerial ?? '') || undefined],
  ['reservation_id', 'uuid', (sale) => sale.reservationId],
  ['credit_card_file_id', 'text', (sale) => sale.creditCardFileId],
  ['external_user_id', 'text', (sale) => sale.externalUserId],
  ['paid_with', 'smallint', (sale) => sale.paidWith],
  ['lowers_line', 'boolean', (_, row) => row.lowersLine],
  ['lowers_total', 'text', (_, row) => row.lowersTotal],
] as const satisfies readonly (readonly [string, Column['type'], (sale: SaleItem, row: SaleRow) => RareValue])[]
type RareValue = string | number | boolean | undefined

/** Stores sales with what they book, adds them to the hourly sums by machine, group and merchant, and updates the journals. */
export async function insertSales(
  db: TenantDb,
  rows: readonly SaleRow[],
  journals: readonly Journal[],
  booked: readonly Insertion[],
  savedAt: Date,
): Promise<void> {
  if (rows.length === 0) return
  const journalInsertions = journals.length > 0 ? [journalRows(journals)] : []
  const hours = hoursOf(rows)
  await insertColumns(
    db.query,
    ...booked,
    saleRows(rows, savedAt),
    hourRows(hours),
    ...journalInsertions,
    groupHourRows(hours),
  )
  await markLate(db, rows, savedAt)
}

function saleRows(rows: readonly SaleRow[], savedAt: Date): Insertion {
  const rare = rareSaleColumns.filter(([, , of]) => rows.some((row) => of(row.sale, row) !== undefined))
  const columns: Column[] = [
    { name: 'merchant_id', type: 'uuid', values: rows.map((row) => row.merchantId) },
    { name: 'created_at', type: 'timestamptz', values: rows.map((row) => instant(row.at)) },
    { name: 'id', type: 'uuid', values: rows.map((row) => row.id) },
    { name: 'machine_id', type: 'uuid', values: rows.map((row) => row.machineId) },
    { name: 'saved_at', type: 'timestamptz', value: savedAt.toISOString() },
    { name: 'machine_time', type: 'text', values: rows.map((row) => row.machineTime) },
    { name: 'type', type: 'smallint', values: rows.map(({ sale }) => sale.type) },
    { name: 'media_type', type: 'smallint', values: rows.map(({ sale }) => sale.mediaType) },
    { name: 'media_source', type: 'smallint', values: rows.map(({ sale }) => sale.mediaSource) },
    { name: 'free_sale', type: 'boolean', values: rows.map(({ sale }) => sale.freeSale) },
    { name: 'error_sale', type: 'boolean', values: rows.map(({ sale }) => sale.errorSale) },
    { name: 'value', type: 'bigint', values: rows.map(({ sale }) => sale.value) },
    { name: 'value_charge', type: 'bigint', values: rows.map(({ sale }) => sale.valueCharge) },
    { name: 'seq', type: 'bigint', values: rows.map((row) => row.seq) },
    { name: 'epoch', type: 'int', values: rows.map((row) => row.epoch) },
    ...rare.map(([name, type, of]) => ({ name, type, values: rows.map((row) => of(row.sale, row)) })),
  ]
  return { table: 'transactions', columns }
}

/** Product and price list of a sale in the key of the hourly sums; a key cannot hold null. */
const productOf = (sale: SaleItem) => sale.product ?? sale.productCode ?? ''
const priceTableOf = (sale: SaleItem) => sale.priceTable ?? -1

const typeOfSum = {
  count: 'int',
  value: 'bigint',
  value_charge: 'bigint',
  free_count: 'int',
  error_count: 'int',
  error_value: 'bigint',
  cash_value: 'bigint',
} as const satisfies Record<(typeof amounts)[number], Column['type']>

type MachineHour = KindOfSales & { machineId: string; day: string; hour: string; priceTable: number; product: string }

/** The amounts that sales add to the hours of their machines. */
function hoursOf(rows: readonly SaleRow[]): MachineHour[] {
  const hours = new Map<string, MachineHour>()
  for (const row of rows) {
    const { merchantId, machineId, groupId, timeZone, at, sale } = row
    const { type, mediaType, mediaSource } = sale
    const priceTable = priceTableOf(sale)
    const product = productOf(sale)
    const start = startOfLocalHour(at, timeZone)
    const key = `${machineId} ${start} ${type} ${mediaType} ${mediaSource} ${priceTable} ${product}`
    let sums = hours.get(key)
    if (!sums) {
      const kind = {
        merchantId,
        groupId,
        machineId,
        day: localDayOf(start, timeZone),
        hour: instant(start),
        type,
        mediaType,
        mediaSource,
        priceTable,
        product,
      }
      sums = { ...kind, ...noAmounts() }
      hours.set(key, sums)
    }
    sums.count += 1
    const failed = chargedForFailure(sale)
    sums.value += sale.value - failed
    sums.value_charge += sale.valueCharge
    sums.free_count += sale.freeSale ? 1 : 0
    sums.error_count += sale.errorSale ? 1 : 0
    sums.error_value += failed
    sums.cash_value += cashMoved(sale)
  }
  // All transactions lock rows in this order, which avoids deadlocks.
  return [...hours].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sums]) => sums)
}

function hourRows(hours: readonly MachineHour[]): Insertion {
  return {
    table: 'open_sales_hourly',
    columns: [
      { name: 'merchant_id', type: 'uuid', values: hours.map(({ merchantId }) => merchantId) },
      { name: 'day', type: 'date', values: hours.map(({ day }) => day) },
      { name: 'hour', type: 'timestamptz', values: hours.map(({ hour }) => hour) },
      { name: 'machine_id', type: 'uuid', values: hours.map(({ machineId }) => machineId) },
      { name: 'type', type: 'smallint', values: hours.map(({ type }) => type) },
      { name: 'media_type', type: 'smallint', values: hours.map(({ mediaType }) => mediaType) },
      { name: 'media_source', type: 'smallint', values: hours.map(({ mediaSource }) => mediaSource) },
      { name: 'price_table', type: 'smallint', values: hours.map(({ priceTable }) => priceTable) },
      { name: 'product', type: 'text', values: hours.map(({ product }) => product) },
      ...amounts.map((name) => ({ name, type: typeOfSum[name], values: hours.map((sums) => sums[name]) })),
    ],
    tail: `on conflict (merchant_id, day, machine_id, hour, type, media_type, media_source, price_table, product) do update set
      ${amounts.map((column) => `${column} = open_sales_hourly.${column} + excluded.${column}`).join(', ')}`,
  }
}

export interface EventRow extends ItemHead {
  code: string
  active: boolean
  message: string | null
  detail: string | null
}

export async function insertEvents(db: TenantDb, rows: readonly EventRow[], savedAt: Date): Promise<void> {
  await insertRows(
    db.query,
    'events',
    [
      'merchant_id',
      'at',
      'id',
      'machine_id',
      'saved_at',
      'machine_time',
      'seq',
      'epoch',
      'code',
      'active',
      'message',
      'detail',
    ],
    rows.map((row) => [
      row.merchantId,
      instant(row.at),
      row.id,
      row.machineId,
      savedAt,
      row.machineTime,
      row.seq,
      row.epoch,
      row.code,
      row.active,
      row.message,
      row.detail,
    ]),
  )
}

/** Events of a machine's current association after `seq`, from an instant on. */
export const eventsAfter = (
  db: TenantDb,
  machine: { merchantId: string; machineId: string; epoch: number },
  seq: number,
  from: Date,
) =>
  db
    .from('events')
    .where('merchant_id', '=', machine.merchantId)
    .where('machine_id', '=', machine.machineId)
    .where('at', '>=', from)
    .where('epoch', '=', machine.epoch)
    .where('seq', '>', seq)
    .select(['code', 'active', 'at', 'seq'])
    .orderBy('seq')
    .limit(1000)
    .execute()

/** The alarms of some machines that are open, or that the machine ended after an instant: their faults may return. */
export const knownAlarms = (db: TenantDb, machineIds: readonly string[], endedAfter: Date) =>
  db
    .from('alarms')
    .where('machine_id', 'in', [...machineIds])
    .where(({ or, and, eb }) =>
      or([
        eb('status', 'in', ['active', 'notification']),
        and([eb('status', '=', 'repaired'), eb('repaired_at', '>=', endedAfter)]),
      ]),
    )
    .select(['id', 'machine_id as machineId', 'code', 'count', 'created_at as createdAt', 'last_at as lastAt'])
    .select('repaired_at as repairedAt')
    .execute()

/** The open status of an alarm by the severity that it has. */
const openStatusOfRow = sql<string>`case when criticity = ${alarmCriticities.notification} then 'notification' else 'active' end`

/** Stores the changes that events cause in a machine's alarms. */
export async function writeAlarms(
  db: TenantDb,
  machine: { merchantId: string; machineId: string },
  alarms: readonly AlarmAfter[],
): Promise<void> {
  for (const alarm of alarms.filter(({ isNew }) => !isNew)) {
    await db.query
      .updateTable('alarms')
      .set({
        count: alarm.count,
        created_at: alarm.createdAt,
        last_at: alarm.lastAt,
        ...(alarm.message !== null && { message: alarm.message }),
        ...(alarm.detail !== null && { detail: alarm.detail }),
        ...(alarm.repairedAt
          ? { status: 'repaired', repaired_at: alarm.repairedAt }
          : { status: openStatusOfRow, repaired_at: null }),
      })
      .where('merchant_id', '=', machine.merchantId)
      .where('id', '=', alarm.id)
      // Not alarms that a user has repaired meanwhile.
      .where('status', 'in', ['active', 'notification', 'repaired'])
      .execute()
  }
  await insertRows(
    db.query,
    'alarms',
    [
      'merchant_id',
      'id',
      'machine_id',
      'code',
      'source',
      'category',
      'criticity',
      'status',
      'message',
      'detail',
      'count',
      'created_at',
      'last_at',
      'repaired_at',
    ],
    alarms
      .filter(({ isNew }) => isNew)
      .map((alarm) => [
        machine.merchantId,
        alarm.id,
        machine.machineId,
        alarm.code,
        alarm.source,
        alarm.category,
        alarm.criticity,
        alarm.status,
        alarm.message,
        alarm.detail,
        alarm.count,
        alarm.createdAt,
        alarm.lastAt,
        alarm.repairedAt,
      ]),
  )
  await insertRows(
    db.query,
    'alarm_pauses',
    ['merchant_id', 'alarm_id', 'machine_id', 'ended_at', 'raised_at'],
    alarms.flatMap(({ id, pauses }) =>
      pauses.map(({ endedAt, raisedAt }) => [machine.merchantId, id, machine.machineId, endedAt, raisedAt]),
    ),
    'on conflict do nothing',
  )
  const now = new Date()
  await markLateStretches(
    db,
    alarms.flatMap(({ isNew, isRaisedAgain, pauses, createdAt, repairedAt }) => {
      if (isNew) return { merchantId: machine.merchantId, from: createdAt, to: repairedAt ?? now }
      const [first] = pauses
      if (isRaisedAgain && first) return { merchantId: machine.merchantId, from: first.endedAt, to: repairedAt ?? now }
      return repairedAt ? { merchantId: machine.merchantId, from: repairedAt, to: now } : []
    }),
    now,
  )
}

export interface CashRow extends ItemHead {
  cash: CashItem
}

/** Stores readings of the cash devices; the newest one sets the contents of the cash box. */
export async function insertCash(db: TenantDb, rows: readonly CashRow[], savedAt: Date): Promise<void> {
  await insertRows(
    db.query,
    'cash_readings',
    [
      'merchant_id',
      'at',
      'id',
      'machine_id',
      'saved_at',
      'seq',
      'epoch',
      'box',
      'box_capacity',
      'box_pieces',
      'tubes',
      'recyclers',
      'accepted',
      'rejected',
    ],
    rows.map(({ cash, ...row }) => [
      row.merchantId,
      instant(row.at),
      row.id,
      row.machineId,
      savedAt,
      row.seq,
      row.epoch,
      cash.box ?? null,
      cash.boxCapacity ?? null,
      cash.boxPieces === undefined ? null : JSON.stringify(cash.boxPieces),
      ...[cash.tubes, cash.recyclers, cash.accepted, cash.rejected].map((counts) => JSON.stringify(counts)),
    ]),
  )
  await addCashToHours(db, rows)
  await markLate(db, rows, savedAt)
  for (const { cash, ...row } of rows.toSorted((one, other) => (one.machineId < other.machineId ? -1 : 1))) {
    if (cash.box === undefined && cash.boxCapacity === undefined) continue
    await sql`update machines set cash_in_box = coalesce(${cash.box ?? null}::bigint, cash_in_box),
        cash_box_capacity = coalesce(${cash.boxCapacity ?? null}::bigint, cash_box_capacity)
      where merchant_id = ${row.merchantId} and id = ${row.machineId} and not exists (
        select 1 from cash_readings later where later.merchant_id = ${row.merchantId}
          and later.machine_id = ${row.machineId} and later.at > ${instant(row.at)}::timestamptz
          and later.box is not null)`.execute(db.query)
  }
}
