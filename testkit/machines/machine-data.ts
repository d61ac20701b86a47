import { randomUUIDv7 } from 'node:crypto'
import { writeIntervals } from '#database/audits/audit-interval.ts'
import { noGroup, wholeMerchantGroup } from '#database/frame/tenant.ts'
import { countedAmounts } from '#database/sums/counted-amounts.ts'
import { amounts } from '#database/sums/group-hours.ts'
import { firstOf, kpiSpans } from '#domain/insight/kpi-spans.ts'
import type { TestDatabase } from '../database.ts'
import type { TestMachine } from '../fixtures.ts'

type Columns = Record<string, unknown>

async function insert(database: TestDatabase, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns)
  const places = names.map((_, index) => `$${index + 1}`)
  await database.admin(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(columns),
  )
}

/** An open, blocking alarm of a machine, an hour old. */
export async function anAlarm(
  database: TestDatabase,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  with_: Columns = {},
): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'alarms', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    code: 'ENE',
    source: 'bill',
    category: 'maintenance',
    criticity: 4,
    status: 'active',
    created_at: new Date(Date.now() - 3_600_000),
    last_at: new Date(Date.now() - 3_600_000),
    ...with_,
  })
  return id
}

/** A cash sale of 1.50 a minute ago, with its rollup. */
export async function aSale(database: TestDatabase, machine: TestMachine, with_: Columns = {}): Promise<string> {
  const id = randomUUIDv7()
  const row: Columns = {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    created_at: new Date(Date.now() - 60_000),
    saved_at: new Date(),
    type: 1,
    media_type: 1,
    media_source: 1,
    free_sale: false,
    error_sale: false,
    value: 150,
    value_charge: 0,
    product: 'Espresso',
    ...with_,
  }
  await insert(database, 'transactions', row)
  const added = (table: string) => amounts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
  await database.admin(
    `insert into open_sales_hourly (merchant_id, day, hour, machine_id, type, media_type, media_source, price_table, product, ${amounts.join(', ')})
     select t.merchant_id, (t.created_at at time zone m.time_zone)::date, date_trunc('hour', t.created_at, m.time_zone), t.machine_id, t.type,
       t.media_type, t.media_source, coalesce(t.price_table, -1), coalesce(t.product, t.product_code, ''), ${countedAmounts('t')}
     from transactions t join merchants m on m.id = t.merchant_id where t.id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8, 9
     on conflict (merchant_id, day, machine_id, hour, type, media_type, media_source, price_table, product) do update set ${added('open_sales_hourly')}`,
    [id],
  )
  await database.admin(
    `insert into open_group_sales_hourly (merchant_id, group_id, day, hour, type, media_type, media_source, slot, ${amounts.join(', ')})
     select t.merchant_id, g.id, (t.created_at at time zone m.time_zone)::date, date_trunc('hour', t.created_at, m.time_zone), t.type, t.media_type, t.media_source, 0, ${countedAmounts('t')}
     from transactions t join merchants m on m.id = t.merchant_id join machines p on p.merchant_id = m.id and p.id = t.machine_id
     cross join lateral (values (coalesce(p.group_id, $2)), ($3::uuid)) g (id) where t.id = $1 group by 1, 2, 3, 4, 5, 6, 7
     on conflict (merchant_id, group_id, day, hour, type, media_type, media_source, slot) do update set ${added('open_group_sales_hourly')}`,
    [id, noGroup, wholeMerchantGroup],
  )
  return id
}

/** An audit with the given bytes and content. */
export async function anAudit(database: TestDatabase, machine: TestMachine, with_: Columns = {}): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'audits', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    read_at: new Date(Date.now() - 60_000),
    saved_at: new Date(),
    origin: 2,
    port: 'mqtt',
    crc: 'holds',
    size: 3,
    warnings: 0,
    sha256: Buffer.alloc(32),
    content: '{}',
    raw: Buffer.from('DXS'),
    ...with_,
  })
  return id
}

/** The remaining level of a selection, as a machine reported it. */
export const aStock = (database: TestDatabase, machine: TestMachine, with_: Columns = {}): Promise<void> =>
  insert(database, 'machine_stock', {
    merchant_id: machine.merchantId,
    machine_id: machine.id,
    selection: '11',
    product: 'Espresso',
    level: 4,
    capacity: 10,
    reported: with_.level ?? 4,
    gone: false,
    at: new Date(Date.now() - 60_000),
    epoch: 0,
    seq: 0,
    ...with_,
  })

/** Turns on the stock management of a machine with one movement, as the list of managed machines shows it. */
export async function aSupply(database: TestDatabase, machine: TestMachine, with_: Columns = {}): Promise<void> {
  await database.admin('update machines set manage_stock = true where id = $1', [machine.id])
  await database.admin('update machine_journals set manages_stock = true where machine_id = $1', [machine.id])
  const key = { merchant_id: machine.merchantId, machine_id: machine.id }
  await insert(database, 'machine_supplies', {
    ...key,
    selections: 1,
    level: 4,
    capacity: 10,
    out: 0,
    low: 0,
    lost_per_day: 250,
    empty_at: new Date(),
    computed_at: new Date(),
    ...with_,
  })
  await insert(database, 'stock_movements', {
    ...key,
    at: new Date(),
    selection: '11',
    id: randomUUIDv7(),
    kind: 'refill',
    amount: 4,
    changed_by_name: 'Test',
  })
}

/** The price of a selection in one price list, in minor units, as a machine reported it. */
export const aPrice = (database: TestDatabase, machine: TestMachine, with_: Columns = {}): Promise<void> =>
  insert(database, 'machine_prices', {
    merchant_id: machine.merchantId,
    machine_id: machine.id,
    selection: '11',
    price_table: 1,
    product: 'Espresso',
    price: 150,
    gone: false,
    at: new Date(Date.now() - 60_000),
    epoch: 0,
    seq: 0,
    ...with_,
  })

/** A plan of prices that starts tomorrow, without prices. Returns its id. */
async function aPricePlan(database: TestDatabase, merchantId: string, with_: Columns = {}): Promise<string> {
  const id = randomUUIDv7()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await insert(database, 'price_plans', {
    merchant_id: merchantId,
    id,
    name: 'Summer',
    starts_on: tomorrow,
    send: false,
    source: 'bulk',
    created_at: new Date(),
    created_by: randomUUIDv7(),
    created_by_name: 'Anna',
    ...with_,
  })
  return id
}

/** A price of selection 11 that starts tomorrow, in a plan of its own unless one is given. */
export async function aPlannedPrice(
  database: TestDatabase,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  { plan = {}, ...with_ }: Columns & { plan?: Columns; plan_id?: string } = {},
): Promise<string> {
  const planId = with_.plan_id ?? (await aPricePlan(database, machine.merchantId, plan))
  await insert(database, 'planned_prices', {
    merchant_id: machine.merchantId,
    plan_id: planId,
    machine_id: machine.id,
    selection: '11',
    price_table: 1,
    before: 150,
    price: 170,
    starts_at: new Date(Date.now() + 86_400_000),
    ...with_,
  })
  return planId
}

/** A change of a price by a user, a minute ago. */
export const aPriceChange = (database: TestDatabase, machine: TestMachine, with_: Columns = {}): Promise<void> =>
  insert(database, 'price_changes', {
    merchant_id: machine.merchantId,
    id: randomUUIDv7(),
    machine_id: machine.id,
    selection: '11',
    price_table: 1,
    at: new Date(Date.now() - 60_000),
    source: 'edit',
    before: 100,
    after: 150,
    ...with_,
  })

/** An audit's counts since the previous one, computed when it is stored. Returns the audit. */
export async function anInterval(
  database: TestDatabase,
  machine: Pick<TestMachine, 'merchantId'>,
  auditId: string,
): Promise<string> {
  await database.withTenant([{ merchantId: machine.merchantId, groups: 'all' }], (db) => writeIntervals(db, [auditId]))
  return auditId
}

export async function aCommand(
  database: TestDatabase,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  with_: Columns = {},
): Promise<string> {
  const id = randomUUIDv7()
  const now = new Date()
  await insert(database, 'remote_commands', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    type: 1,
    parameters: '{}',
    status: 0,
    created_at: now,
    created_by_name: 'Test',
    not_before: now,
    expires_at: new Date(now.getTime() + 3_600_000),
    next_attempt_at: now,
    ...with_,
  })
  return id
}

/** A configuration that a machine has just reported. */
export async function aConfiguration(
  database: TestDatabase,
  machine: TestMachine,
  parameters: Record<string, string> = { 'sale.maximumCredit': '20' },
  readAt = new Date(),
): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'configurations', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    read_at: readAt,
    saved_at: new Date(),
    confirmed_at: readAt,
    epoch: 1,
    seq: 1,
    origin: 2,
    port: 'mqtt',
    sha256: Buffer.alloc(32),
    parameters: JSON.stringify(parameters),
  })
  return id
}

let readingSeq = 0
/** A measurement of a machine. */
export const aReading = (
  database: TestDatabase,
  machine: TestMachine,
  at: Date | string,
  measured: { signal?: number; celsius?: number },
): Promise<void> =>
  insert(database, 'readings', {
    merchant_id: machine.merchantId,
    machine_id: machine.id,
    at,
    epoch: 1,
    seq: ++readingSeq,
    saved_at: new Date(),
    signal_percent: measured.signal ?? null,
    temperature_celsius: measured.celsius ?? null,
  })

export async function aNote(
  database: TestDatabase,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  userId: string,
  text = 'Refilled',
): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'notes', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    created_at: new Date(),
    created_by: userId,
    created_by_name: 'Test',
    note: text,
  })
  return id
}

/** A machine view that a user shares with all users of a merchant. */
export async function aSharedView(database: TestDatabase, merchantId: string, userId: string): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'shared_views', {
    merchant_id: merchantId,
    id,
    table_id: 'machines',
    name: `View ${id}`,
    filter: '{}',
    created_by: userId,
    created_by_name: 'Test',
    created_at: new Date(),
  })
  return id
}

/** A place for address completion: 00185 Roma by default. */
export async function aPostalCode(database: TestDatabase, with_: Columns = {}): Promise<void> {
  await insert(database, 'postal_codes', {
    country: 'IT',
    compact: '00185',
    place: 'Roma',
    province: 'Roma',
    code: '00185',
    latitude: 41.9,
    longitude: 12.5,
    ...with_,
  })
}

/** A message of a machine that could not be read, an hour old. */
export async function aDeadLetter(
  database: TestDatabase,
  machine: Pick<TestMachine, 'merchantId'> & { serial?: string },
  with_: Columns = {},
): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'dead_letters', {
    id,
    at: new Date(Date.now() - 3_600_000),
    serial: machine.serial ?? null,
    merchant_id: machine.merchantId,
    kind: 'sale',
    transport: 'mqtt',
    reason: 'notJson: Unexpected token',
    payload: Buffer.from('{"id":'),
    ...with_,
  })
  return id
}

/** A machine's KPIs of the day before yesterday, and of the spans that contain it. */
export async function aKpiDay(
  database: TestDatabase,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  with_: Columns = {},
): Promise<void> {
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  const kpis = {
    merchant_id: machine.merchantId,
    machine_id: machine.id,
    device_type: 'CUNI',
    firmware_version: '',
    coin_validator: '',
    bill_validator: '',
    seconds: 86_400,
    blocked_seconds: 3600,
    absent_seconds: 0,
    cycles: 40,
    faults: 1,
    blocking_alarms: 1,
    coins_accepted: 80,
    coins_rejected: 20,
    bills_accepted: 0,
    bills_rejected: 0,
    denominations: [100],
    accepted: [80],
    rejected: [20],
    ...with_,
  }
  await insert(database, 'machine_kpis_daily', { ...kpis, day })
  for (const span of kpiSpans)
    await insert(database, 'machine_kpis_spans', { ...kpis, span, first: firstOf(span, day), days: 1 })
}

/** A box that was taken out of a machine an hour ago. */
export async function aCollection(
  database: TestDatabase,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  with_: Columns = {},
): Promise<string> {
  const id = randomUUIDv7()
  const at = with_.at ?? new Date(Date.now() - 3_600_000)
  await insert(database, 'collections', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    created_at: new Date(),
    at,
    until: at,
    ...with_,
  })
  return id
}
