import { sql } from 'kysely'
import type { Hello, SensorReport } from '#contract/device-protocol.ts'
import { type Connection, connections } from '#contract/vocabulary/device.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type Absence, beginAbsences, endAbsences } from './absence.ts'

/** The condition that messages report; only the newest counts, and absent fields stay unchanged. */
export interface Condition {
  merchantId: string
  machineId: string
  lastSeenAt: Date
  lastPingAt?: Date
  lastSaleAt?: Date
  connection?: Connection
  signalPercent?: number
  networkType?: string
  publicIp?: string
  driftSeconds?: number
  temperatureCelsius?: number
  sensors?: readonly SensorReport[]
}

/**
 * Writes the conditions of machines of the scope and locks them. Timestamps never go back. Returns the machines whose connection changed.
 */
export async function writeConditions(
  db: TenantDb,
  conditions: readonly Condition[],
): Promise<{ merchantId: string; machineId: string }[]> {
  const machines = conditions.toSorted((one, other) => (one.machineId < other.machineId ? -1 : 1))
  const column = <T>(of: (condition: Condition) => T | undefined) => machines.map((each) => of(each) ?? null)
  const instants = (of: (condition: Condition) => Date | undefined) => column((each) => of(each)?.toISOString())
  const rows = await preparedRows(
    db.query,
    sql<{ merchantId: string; machineId: string; isNow: number; was: number; seenAt: Date }>`
    with news as (
      select * from unnest(
        ${column((each) => each.merchantId)}::uuid[], ${column((each) => each.machineId)}::uuid[],
        ${instants((each) => each.lastSeenAt)}::timestamptz[], ${instants((each) => each.lastPingAt)}::timestamptz[],
        ${instants((each) => each.lastSaleAt)}::timestamptz[], ${column((each) => each.connection)}::smallint[],
        ${column((each) => each.signalPercent)}::smallint[], ${column((each) => each.networkType)}::text[],
        ${column((each) => each.publicIp)}::text[], ${column((each) => each.driftSeconds)}::int[],
        ${column((each) => each.temperatureCelsius)}::numeric[]
      ) as n (merchant_id, machine_id, seen_at, ping_at, sale_at, connection, signal, network, ip, drift, celsius)
    ), held as (
      select machines.merchant_id, machines.id, machines.connection from machines
      join news on news.merchant_id = machines.merchant_id and news.machine_id = machines.id
      where ${db.own('machines')} order by machines.id for no key update of machines
    )
    update machines set
      last_seen_at = greatest(machines.last_seen_at, news.seen_at),
      last_ping_at = greatest(machines.last_ping_at, news.ping_at),
      last_sale_at = greatest(machines.last_sale_at, news.sale_at),
      connection = coalesce(news.connection, machines.connection),
      signal_percent = coalesce(news.signal, machines.signal_percent),
      network_type = coalesce(news.network, machines.network_type),
      public_ip = coalesce(news.ip, machines.public_ip),
      clock_drift_seconds = coalesce(news.drift, machines.clock_drift_seconds),
      temperature_celsius = coalesce(news.celsius, machines.temperature_celsius)
    from news join held on held.merchant_id = news.merchant_id and held.id = news.machine_id
    where machines.merchant_id = news.merchant_id and machines.id = news.machine_id
      and ${db.narrow('machines')}
    returning machines.merchant_id as "merchantId", machines.id as "machineId", machines.connection as "isNow",
      held.connection as "was", news.seen_at as "seenAt"`,
  )
  const moved = rows.filter(({ isNow, was }) => isNow !== was)
  if (moved.length > 0) await writeAbsences(db, moved)
  return moved
}

/** Stores the start and end of absences; a change between offline and unknown has no effect. */
async function writeAbsences(
  db: TenantDb,
  moved: readonly { merchantId: string; machineId: string; isNow: number; was: number; seenAt: Date }[],
): Promise<void> {
  const now = new Date()
  const absenceOf = ({ merchantId, machineId, seenAt }: (typeof moved)[number]) => ({
    merchantId,
    machineId,
    at: seenAt,
  })
  const gone = moved.filter(({ was }) => was === connections.online)
  const back = moved.filter(({ isNow }) => isNow === connections.online)
  await beginAbsences(db, gone.map(absenceOf), now)
  await endAbsences(db, back.map(absenceOf), now)
  await notePresence(db, 'machine.offline', gone.map(absenceOf))
  await notePresence(db, 'machine.online', back.map(absenceOf))
}

/** Notes machines that went offline or came back. */
const notePresence = (
  db: Pick<TenantDb, 'query'> & Partial<Pick<TenantDb, 'own'>>,
  event: 'machine.online' | 'machine.offline',
  machines: readonly Absence[],
): Promise<void> =>
  noteFacts(
    db,
    machines.map(({ merchantId }) => merchantId),
    [event],
    () =>
      machines.map(({ merchantId, machineId, at }) => ({
        event,
        merchantId,
        data: { posId: machineId, at: at.toISOString() },
      })),
  )

const bootColumns = {
  firmwareVersion: 'firmware_version',
  boardSerial: 'board_serial',
  boardManufacturer: 'board_manufacturer',
  boardModel: 'board_model',
  boardVersion: 'board_version',
  modemManufacturer: 'modem_manufacturer',
  modemModel: 'modem_model',
  modemVersion: 'modem_version',
  ethernetManufacturer: 'ethernet_manufacturer',
  ethernetModel: 'ethernet_model',
  ethernetVersion: 'ethernet_version',
  macAddress: 'mac_address',
  simIccid: 'sim_iccid',
  simImsi: 'sim_imsi',
  simOperator: 'sim_operator',
  imei: 'imei',
  publicIp: 'public_ip',
  networkType: 'network_type',
  telemetryBoardType: 'telemetry_board_type',
  telemetryBoardVersion: 'telemetry_board_version',
} as const satisfies Partial<Record<keyof Hello, string>>

/** A repeated boot time differs slightly, since each is corrected for the clock on its own. */
const sameBootMs = 2 * 60_000

/** Stores a machine's boot report. `bootAt` is null if it has no start time. */
export async function writeBootInfo(
  db: TenantDb,
  machine: { merchantId: string; id: string },
  hello: Hello,
  bootAt: Date | null,
): Promise<void> {
  const reported = Object.entries(bootColumns).flatMap(([field, column]) => {
    const value = hello[field as keyof typeof bootColumns]
    return value === undefined ? [] : [[column, value] as const]
  })
  const isNewBoot = sql<Date>`case when abs(extract(epoch from last_boot_at - ${bootAt}::timestamptz)) * 1000 < ${sameBootMs}
    then last_boot_at else ${bootAt}::timestamptz end`
  const set = { ...Object.fromEntries(reported), ...(bootAt && { last_boot_at: isNewBoot }) }
  if (Object.keys(set).length === 0) return
  await db.query
    .updateTable('machines')
    .set(set)
    .where('merchant_id', '=', machine.merchantId)
    .where('id', '=', machine.id)
    .execute()
}

/**
 * Sets online machines without a message since `before` to unknown. One process at a time does this. Returns the machines that changed.
 */
export async function markSilent(doors: Doors, before: Date): Promise<{ merchantId: string; machineId: string }[]> {
  return doors.withSystem('presence', async (db) => {
    const lock = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(hashtext('gettone.presence')) as mine`.execute(db)
    if (!lock.rows[0]?.mine) return []
    const silent = await db
      .updateTable('machines')
      .set({ connection: connections.unknown })
      .where('connection', '=', connections.online)
      .where((is) => is.or([is('last_seen_at', '<', before), is('last_seen_at', 'is', null)]))
      .returning(['merchant_id as merchantId', 'id as machineId', 'last_seen_at as lastSeenAt'])
      .execute()
    const lastSeen = silent.flatMap(({ lastSeenAt: at, ...machine }) => (at ? [{ ...machine, at }] : []))
    await beginAbsences({ query: db }, lastSeen, new Date())
    await notePresence({ query: db }, 'machine.offline', lastSeen)
    return silent
  })
}
