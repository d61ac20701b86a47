import type pg from 'pg'
import { posStatusOf } from '#domain/machine-state.ts'
import { randomFrom } from '#simulator/random.ts'
import { hashOfSecret } from '../gateway/secret.ts'
import { type CopyValue, copyRows } from './copy.ts'
import { demoMerchants } from './merchants.ts'
import { demoPeople, insertPeople } from './people.ts'
import { portalAlarmsOf } from './portal-alarms.ts'
import { uuidAt } from './uuid.ts'
import { behaviourNotes, machineNotes } from './words.ts'
import type { MachinePast } from './write-history.ts'

const hourMs = 3_600_000
/** The notes' writers have no accounts of their own; the super admin's stands for them. */
const authorId = demoPeople[0]?.id ?? null
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

type Past = { pasts: readonly MachinePast[]; from: number; until: number; seed: string }

/** Writes merchants, people, machines and what hangs on them beside the tables of time, all or nothing. */
export async function insertPast(client: pg.Client, happened: Past): Promise<void> {
  const past = { ...happened, pasts: happened.pasts.map((one) => withPortalAlarms(one, happened)) }
  await client.query('begin')
  const createdAt = new Date(
    Math.min(past.from, ...past.pasts.map(({ machine }) => machine.createdAt)) - 30 * 24 * hourMs,
  )
  await insertMerchants(client, createdAt)
  const groupIds = await insertGroups(client, past, createdAt)
  await insertPeople(client, groupIds, createdAt)
  await insertMachines(client, past, groupIds)
  await insertAlarms(client, past)
  await insertCommands(client, past)
  await insertNotes(client, past)
  await client.query('commit')
}

/** What the portal found by itself stands beside what the machine's own events have left. */
function withPortalAlarms(past: MachinePast, { until, seed }: Past): MachinePast {
  const found = portalAlarmsOf(past, { until, seed })
  if (found.length === 0) return past
  const worst = Math.max(past.worst ?? 0, ...found.map(({ criticity }) => criticity))
  return { ...past, worst, alarms: [...past.alarms, ...found] }
}

/** Each without a PIN, which is given afterwards. */
async function insertMerchants(client: pg.Client, createdAt: Date) {
  for (const { id, name, country, language, timeZone, currency, maximumRefund, ...has } of demoMerchants) {
    await client.query(
      `insert into merchants (id, name, country, language, time_zone, currency, is_demo, created_at)
       values ($1, $2, $3, $4, $5, $6, false, $7)`,
      [id, name, country, language, timeZone, currency, createdAt],
    )
    await client.query('insert into merchant_settings (merchant_id, pin_sealed, maximum_refund) values ($1, $2, $3)', [
      id,
      '',
      maximumRefund,
    ])
    await client.query('insert into merchant_features (merchant_id, features, product_families) values ($1, $2, $3)', [
      id,
      has.features,
      has.productFamilies,
    ])
    for (const setting of has.alarmSettings ?? []) {
      const row = { merchant_id: id, ...setting }
      const places = Object.keys(row).map((_, index) => `$${index + 1}`)
      await client.query(
        `insert into alarm_settings (${Object.keys(row).join(', ')}) values (${places.join(', ')})`,
        Object.values(row),
      )
    }
  }
}

async function insertGroups(client: pg.Client, { pasts, seed }: Past, createdAt: Date) {
  const ids = new Map<string, string>()
  const random = randomFrom(`${seed} groups`)
  for (const { id: merchantId, places } of demoMerchants) {
    const isUsed = (group: string) =>
      pasts.some(({ machine }) => machine.merchant.id === merchantId && machine.group === group)
    for (const group of new Set(places.map((place) => place.group))) {
      if (!isUsed(group) && pasts.length > 100) continue
      const id = uuidAt(createdAt.getTime(), random)
      ids.set(`${merchantId} ${group}`, id)
      await client.query('insert into groups (merchant_id, id, name, created_at) values ($1, $2, $3, $4)', [
        merchantId,
        id,
        group,
        createdAt,
      ])
    }
  }
  return ids
}

async function insertMachines(client: pg.Client, { pasts, until, seed }: Past, groupIds: ReadonlyMap<string, string>) {
  const random = randomFrom(`${seed} machines`)
  const rows = pasts.map(({ machine, memory, worst, lastSeenAt, lastBootAt }): Record<string, CopyValue> => {
    const { plan, merchant } = machine
    const { boot } = plan
    const isSilent = lastSeenAt < until
    const pingAt = isSilent ? lastSeenAt : until - random.int(2, 55) * 1000
    return {
      merchant_id: merchant.id,
      id: machine.id,
      serial: plan.serial,
      name: machine.name,
      device_type: machine.deviceType,
      group_id: groupIds.get(`${merchant.id} ${machine.group}`),
      address: machine.address,
      latitude: machine.latitude,
      longitude: machine.longitude,
      created_at: iso(machine.createdAt),
      warranty_until: machine.warrantyUntil,
      board_serial: boot.boardSerial,
      board_model: boot.boardModel,
      board_version: boot.boardVersion,
      modem_manufacturer: boot.modemManufacturer,
      modem_model: boot.modemModel,
      modem_version: boot.modemVersion,
      ethernet_manufacturer: boot.ethernetManufacturer,
      mac_address: boot.macAddress,
      sim_iccid: boot.simIccid,
      sim_imsi: boot.simImsi,
      sim_operator: boot.simOperator,
      imei: boot.imei,
      public_ip: boot.publicIp,
      network_type: boot.networkType,
      telemetry_board_type: boot.telemetryBoardType,
      telemetry_board_version: boot.telemetryBoardVersion,
      firmware_version: boot.firmwareVersion,
      connection: isSilent ? 0 : 1,
      pos_status: posStatusOf(worst),
      signal_percent: plan.signalPercent,
      clock_drift_seconds: -plan.driftSeconds,
      cash_in_box: memory.box,
      cash_box_capacity: plan.boxCapacity,
      last_boot_at: iso(lastBootAt),
      last_seen_at: iso(Math.max(pingAt, memory.lastSaleAt ?? 0)),
      last_ping_at: iso(pingAt),
      last_sale_at: iso(memory.lastSaleAt),
      last_audit_at: iso(memory.lastAuditAt),
    }
  })
  await copyRecords(client, 'machines', rows)
  const own = pasts.map(({ machine, memory }) => ({ machine, memory, id: machine.id, merchantId: machine.merchant.id }))
  await copyRecords(
    client,
    'machine_secrets',
    own.map(({ machine, id, merchantId }) => ({
      merchant_id: merchantId,
      machine_id: id,
      secret_hash: hashOfSecret(machine.plan.secret),
      created_at: iso(machine.createdAt),
    })),
  )
  await copyRecords(
    client,
    'machine_journals',
    own.map(({ machine, memory, id, merchantId }) => ({
      merchant_id: merchantId,
      machine_id: id,
      epoch: machine.plan.epoch,
      seen: memory.seq > 0 ? `{[1,${memory.seq + 1})}` : '{}',
    })),
  )
  await copyRecords(
    client,
    'machine_directory',
    own.map(({ machine, id, merchantId }) => ({
      serial: machine.plan.serial,
      merchant_id: merchantId,
      machine_id: id,
      epoch: machine.plan.epoch,
    })),
  )
}

async function insertAlarms(client: pg.Client, { pasts, until }: Past) {
  const rows = pasts.flatMap(({ machine, alarms }) =>
    alarms.map((alarm) => ({
      merchant_id: machine.merchant.id,
      id: alarm.id,
      machine_id: machine.id,
      code: alarm.code,
      source: alarm.source,
      category: alarm.category,
      criticity: alarm.criticity,
      status: alarm.status,
      count: alarm.count,
      detail: alarm.detail,
      created_at: alarm.createdAt.toISOString(),
      last_at: alarm.lastAt.toISOString(),
      repaired_at: alarm.repairedAt?.toISOString(),
      repaired_by: alarm.repairedBy,
      repair_note: alarm.repairNote,
      // What is open is mailed about as the merchants want it.
      notice_at: alarm.repairedAt ? null : iso(until),
    })),
  )
  await copyRecords(client, 'alarms', rows)
  // What goes on is known to go on, so that it is not found anew.
  await client.query(`insert into alarm_rule_states (merchant_id, machine_id, code, since, is_beyond)
    select merchant_id, machine_id, code, created_at, true from alarms where source = 'portal'`)
}

async function insertCommands(client: pg.Client, { pasts, seed }: Past) {
  const random = randomFrom(`${seed} commands`)
  const rows = pasts.flatMap(({ machine, commands }) =>
    commands.map((command) => ({
      merchant_id: machine.merchant.id,
      id: uuidAt(command.at, random),
      machine_id: machine.id,
      type: command.type,
      parameters: JSON.stringify(command.parameters),
      status: command.status,
      result: command.result,
      result_info: command.info,
      cancel_requested: command.result === -3,
      attempts: command.attempts,
      created_at: iso(command.at),
      created_by_name: random.pick(machine.merchant.operators),
      not_before: iso(command.at),
      expires_at: iso(command.expiresAt),
      next_attempt_at: iso(command.at),
      started_at: iso(command.startedAt),
      executed_at: iso(command.executedAt),
    })),
  )
  await copyRecords(client, 'remote_commands', rows)
}

/** A note tells why a machine answers in a way of its own; some others have one, too. */
async function insertNotes(client: pg.Client, { pasts, from, until, seed }: Past) {
  const random = randomFrom(`${seed} notes`)
  const rows = pasts.flatMap(({ machine }) => {
    const { speech, operators } = machine.merchant
    const { behaviour } = machine.plan
    const texts: string[] = behaviour === 'success' ? [] : [behaviourNotes[speech][behaviour]]
    if (random.chance(0.25)) texts.push(random.pick(machineNotes[speech]))
    return texts.map((note) => {
      const at = from + random.next() * (until - from)
      return {
        merchant_id: machine.merchant.id,
        id: uuidAt(at, random),
        machine_id: machine.id,
        created_at: iso(at),
        created_by: authorId,
        created_by_name: random.pick(operators),
        note,
      }
    })
  })
  await copyRecords(client, 'notes', rows)
}

/** Copies records that all have the same columns. */
async function copyRecords(client: pg.Client, table: string, records: readonly Record<string, CopyValue>[]) {
  const [first] = records
  if (!first) return
  const columns = Object.keys(first)
  await copyRows(
    client,
    table,
    columns,
    records.map((record) => columns.map((column) => record[column])),
  )
}
