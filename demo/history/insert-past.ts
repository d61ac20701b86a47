import type pg from 'pg'
import type { CopyValue } from '#database/platform/copy-line.ts'
import { posStatusByAlarms } from '#domain/machines/machine-state.ts'
import { hashOfSecret } from '#server/secrets/hash.ts'
import { settingsOf } from '#simulator/own-state.ts'
import { randomFrom } from '#simulator/random.ts'
import { soilOf } from '#simulator/soil.ts'
import { signalAt, temperatureAt } from '#simulator/works/climate.ts'
import { countWrongSales, insertPlanograms, insertProducts, plannedMachines } from '../catalogue/catalogue.ts'
import { insertNoVendProfiles, noVendBasisOf } from '../catalogue/no-vend.ts'
import { noVendSettingsOf } from '../catalogue/no-vend-settings.ts'
import { insertVpConfigurations } from '../configurations/visual-programmer.ts'
import { waresOf } from '../fleet/wares.ts'
import { insertClients } from '../operators/clients.ts'
import { insertGuides } from '../operators/guides.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { authorsAt, insertPeople } from '../operators/people.ts'
import { behaviourNotes, machineNotes } from '../operators/words.ts'
import { copyRows } from '../write/copy.ts'
import { uuidAt } from '../write/uuid.ts'
import { pauseRows } from './alarm-book.ts'
import { portalAlarmsOf } from './portal-alarms.ts'
import type { MachinePast } from './write-history.ts'

const hourMs = 3_600_000
/** Age of the troubleshooting texts: three weeks. */
const guidesAge = 21 * 24 * hourMs
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

type Past = { pasts: readonly MachinePast[]; from: number; until: number; seed: string }

/** Inserts merchants, users, machines and their data, except the time series, in one transaction. */
export async function insertPast(client: pg.Client, happened: Past): Promise<void> {
  const past = { ...happened, pasts: happened.pasts.map((one) => withPortalAlarms(one, happened)) }
  await client.query('begin')
  const createdAt = new Date(
    Math.min(past.from, ...past.pasts.map(({ machine }) => machine.createdAt)) - 30 * 24 * hourMs,
  )
  await insertMerchants(client, createdAt)
  const groupIds = await insertGroups(client, past, createdAt)
  await insertPeople(client, groupIds, createdAt)
  const clientIds = await insertClients(client, past, createdAt)
  const copy = (table: string, rows: readonly Record<string, CopyValue>[]) => copyRecords(client, table, rows)
  const productIds = await insertProducts(client, copy, past, { createdAt, groupIds })
  const planograms = await insertPlanograms(copy, productIds, past, createdAt)
  const planned = plannedMachines(past, planograms)
  const noVendProfileOf = await insertNoVendProfiles(copy, productIds, past, createdAt)
  await insertMachines(client, past, { groupIds, clientIds, planogramOf: planned.planogramOf, noVendProfileOf })
  await client.query(`insert into machine_versions (merchant_id, machine_id, kind, version, since, reported_at)
    select merchant_id, id, 'firmware', firmware_version, coalesce(last_boot_at, created_at), coalesce(last_seen_at, created_at)
    from machines where firmware_version is not null`)
  await insertAlarms(client, past)
  await insertAbsences(client, past)
  await insertCommands(client, past)
  await insertNotes(client, past)
  await insertSensors(client, past)
  for (const { table, rows } of waresOf(past, planned.wantedOf)) await copyRecords(client, table, rows)
  await copyRecords(client, 'price_changes', planned.changes)
  await copyRecords(client, 'remote_commands', planned.commands)
  await countWrongSales(client)
  await insertGuides(client, new Date(past.until - guidesAge))
  await insertWanted(client, past, (id) => noVendBasisOf(id, noVendProfileOf, planned.planogramOf))
  await insertVpConfigurations(copy, past)
  await client.query('commit')
}

/** Adds the alarms that the portal raises to those from the machine's own events. */
function withPortalAlarms(past: MachinePast, { until, seed }: Past): MachinePast {
  const portalAlarms = portalAlarmsOf(past, { until, seed })
  if (portalAlarms.length === 0) return past
  const worst = Math.max(past.worst ?? 0, ...portalAlarms.map(({ criticity }) => criticity))
  return { ...past, worst, alarms: [...past.alarms, ...portalAlarms] }
}

/** Merchants start without a PIN, which is added later. */
async function insertMerchants(client: pg.Client, createdAt: Date) {
  for (const { id, name, country, language, timeZone, currency, maximumRefund, visitCost, ...has } of demoMerchants) {
    await client.query(
      `insert into merchants (id, name, country, language, time_zone, currency, is_demo, created_at)
       values ($1, $2, $3, $4, $5, $6, false, $7)`,
      [id, name, country, language, timeZone, currency, createdAt],
    )
    await client.query(
      `insert into merchant_settings (merchant_id, pin_sealed, maximum_refund, visit_cost, temperature_minimum, temperature_maximum)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, '', maximumRefund, visitCost, has.temperatures?.minimum ?? null, has.temperatures?.maximum ?? null],
    )
    await insertFeatures(client, { id, ...has })
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

/** The features of a merchant. */
export const insertFeatures = (
  client: pg.Client,
  { id, features, productFamilies }: Pick<(typeof demoMerchants)[number], 'id' | 'features' | 'productFamilies'>,
) =>
  client.query('insert into merchant_features (merchant_id, features, product_families) values ($1, $2, $3)', [
    id,
    features,
    productFamilies,
  ])

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

const isOpenMaintenance = ({ category, repairedAt }: MachinePast['alarms'][number]) =>
  category === 'maintenance' && repairedAt === null

/** What a machine is assigned to, by id. */
type AssignedTo = 'groupIds' | 'clientIds' | 'planogramOf' | 'noVendProfileOf'

async function insertMachines(
  client: pg.Client,
  { pasts, until, seed }: Past,
  { groupIds, clientIds, planogramOf, noVendProfileOf }: Record<AssignedTo, ReadonlyMap<string, string>>,
) {
  const random = randomFrom(`${seed} machines`)
  const rows = pasts.map(({ machine, memory, worst, alarms, lastSeenAt, lastBootAt }): Record<string, CopyValue> => {
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
      client_id: clientIds.get(`${merchant.id} ${machine.address}`),
      planogram_id: planogramOf.get(machine.id) ?? null,
      no_vend_profile_id: noVendProfileOf.get(machine.id) ?? null,
      address: machine.address,
      sector: machine.sector,
      latitude: machine.latitude,
      longitude: machine.longitude,
      created_at: iso(machine.createdAt),
      updated_at: iso(machine.createdAt),
      warranty_until: machine.warrantyUntil,
      board_serial: memory.board ?? boot.boardSerial,
      board_manufacturer: boot.boardManufacturer,
      board_model: boot.boardModel,
      board_version: boot.boardVersion,
      modem_manufacturer: boot.modemManufacturer,
      modem_model: boot.modemModel,
      modem_version: boot.modemVersion,
      ethernet_manufacturer: boot.ethernetManufacturer,
      ethernet_model: boot.ethernetModel,
      ethernet_version: boot.ethernetVersion,
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
      pos_status: posStatusByAlarms({ worst, hasMaintenance: alarms.some(isOpenMaintenance) }),
      signal_percent: signalAt(plan, until),
      temperature_celsius: temperatureAt(plan, until, memory.doorAt ?? null),
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
  const stored = pasts.map(({ machine, memory }) => ({
    machine,
    memory,
    id: machine.id,
    merchantId: machine.merchant.id,
  }))
  await copyRecords(
    client,
    'machine_secrets',
    stored.map(({ machine, id, merchantId }) => ({
      merchant_id: merchantId,
      machine_id: id,
      secret_hash: hashOfSecret(machine.plan.secret),
      created_at: iso(machine.createdAt),
    })),
  )
  await copyRecords(
    client,
    'machine_journals',
    stored.map(({ machine, memory, id, merchantId }) => ({
      merchant_id: merchantId,
      machine_id: id,
      epoch: machine.plan.epoch,
      seen: memory.seq > 0 ? `{[1,${memory.seq + 1})}` : '{}',
      summed_group_id: groupIds.get(`${merchantId} ${machine.group}`),
    })),
  )
  await copyRecords(
    client,
    'machine_directory',
    stored.map(({ machine, id, merchantId }) => ({
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
      repaired_by: alarm.repairedBy?.name,
      repaired_by_id: alarm.repairedBy?.id,
      repair_note: alarm.repairNote,
      // Mails about open alarms are sent by the merchants' settings.
      notice_at: alarm.repairedAt ? null : iso(until),
    })),
  )
  await copyRecords(client, 'alarms', rows)
  const pauses = pasts.flatMap(({ machine, alarms }) => alarms.flatMap((alarm) => pauseRows(machine, alarm)))
  if (pauses.length > 0) await copyRecords(client, 'alarm_pauses', pauses)
  // Open conditions are stored as open, so that they are not raised again.
  await client.query(`insert into alarm_rule_states (merchant_id, machine_id, code, since, is_beyond)
    select merchant_id, machine_id, code, created_at, true from alarms where source = 'portal'`)
}

/** Past absences ended before now; an offline machine is still absent. */
async function insertAbsences(client: pg.Client, { pasts, until }: Past) {
  const rows = pasts.flatMap(({ machine, absences, lastSeenAt }) => {
    const ended = absences.map(({ from, to }) => [from, to] as const)
    const fieldValues = new Map<number, number | null>([
      ...ended,
      ...(lastSeenAt < until ? ([[lastSeenAt, null]] as const) : []),
    ])
    return [...fieldValues].map(([from, to]) => ({
      merchant_id: machine.merchant.id,
      machine_id: machine.id,
      began_at: iso(from),
      ended_at: iso(to),
    }))
  })
  await copyRecords(client, 'absences', rows)
}

/** Sensors as in each machine's last report. */
const insertSensors = (client: pg.Client, { pasts, until }: Past) =>
  copyRecords(
    client,
    'machine_sensors',
    pasts.flatMap(({ machine, memory, lastSeenAt }) =>
      soilOf(machine.plan, memory).map((sensor) => ({
        merchant_id: machine.merchant.id,
        machine_id: machine.id,
        ...sensor,
        at: iso(Math.min(until, lastSeenAt)),
      })),
    ),
  )

async function insertCommands(client: pg.Client, { pasts, seed }: Past) {
  const random = randomFrom(`${seed} commands`)
  const rows = pasts.flatMap(({ machine, commands }) =>
    commands.map((command) => {
      const id = uuidAt(command.at, random)
      const sender = random.pick(authorsAt(machine, 'remoteCommand.write'))
      return {
        merchant_id: machine.merchant.id,
        id,
        machine_id: machine.id,
        type: command.type,
        parameters: JSON.stringify(command.parameters),
        status: command.status,
        result: command.result,
        result_info: command.info,
        cancel_requested: command.result === -3,
        attempts: command.attempts,
        created_at: iso(command.at),
        created_by: sender.id,
        created_by_name: sender.name,
        not_before: iso(command.at),
        expires_at: iso(command.expiresAt),
        next_attempt_at: iso(command.at),
        started_at: iso(command.startedAt),
        executed_at: iso(command.executedAt),
      }
    }),
  )
  await copyRecords(client, 'remote_commands', rows)
}

/** Target configurations of some machines: most are confirmed, one waits to be sent. Machines with a no-vend profile have its part. */
async function insertWanted(
  client: pg.Client,
  { pasts, until, seed }: Past,
  basisOf: (machineId: string) => string | null,
) {
  const random = randomFrom(`${seed} wanted`)
  const rows = pasts.flatMap(({ machine, memory }, index) => {
    const basis = basisOf(machine.id)
    const isEdited = index % 4 === 0
    if (!isEdited && basis === null) return []
    const now = settingsOf(machine.plan, memory)
    const names = isEdited ? ['display.brightness', 'energy.nightFrom', 'sale.maximumCredit'] : []
    const parameters = Object.fromEntries(names.map((name) => [name, now[name] ?? '']))
    if (index % 8 === 4) parameters['display.brightness'] = '100'
    return [
      {
        merchant_id: machine.merchant.id,
        machine_id: machine.id,
        parameters: JSON.stringify({ ...parameters, ...noVendSettingsOf(machine) }),
        version: 1,
        sent_version: isEdited ? null : 1,
        no_vend_basis: basis,
        edited_at: isEdited ? iso(until - random.int(2, 200) * hourMs) : null,
        edited_by_name: isEdited ? random.pick(authorsAt(machine, 'config.write')).name : null,
      },
    ]
  })
  await copyRecords(client, 'custom_configurations', rows)
}

/** Notes explain unusual machines; some other machines have notes too. */
async function insertNotes(client: pg.Client, { pasts, from, until, seed }: Past) {
  const random = randomFrom(`${seed} notes`)
  const rows = pasts.flatMap(({ machine }) => {
    const { speech } = machine.merchant
    const { behaviour } = machine.plan
    const texts: string[] = behaviour === 'success' ? [] : [behaviourNotes[speech][behaviour]]
    if (random.chance(0.25)) texts.push(random.pick(machineNotes[speech]))
    return texts.map((note) => {
      const at = from + random.next() * (until - from)
      const id = uuidAt(at, random)
      const author = random.pick(authorsAt(machine, 'note.write'))
      return {
        merchant_id: machine.merchant.id,
        id,
        machine_id: machine.id,
        created_at: iso(at),
        created_by: author.id,
        created_by_name: author.name,
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
