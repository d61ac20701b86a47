import { createHmac, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { LicenceStatus, LicenceType, licenceActs, UnassignCase } from '#contract/vocabulary/licence.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { among } from '#database/frame/conditions.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { insertLicence } from '#database/licences/licence.ts'
import { directLicence } from '#database/licences/licence-directory.ts'
import { addLicenceEvents, type NewLicenceEvent } from '#database/licences/licence-event.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import type { Config } from '#server/config.ts'
import { hashOfKey, hintOfKey, newLicenceName } from '#server/licences/licence-secrets.ts'
import type { ConnectorPlan } from '#simulator/connector/connector.ts'
import { demoPeople } from '../operators/people.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

type Act = (typeof licenceActs)[number]

/** A licence of the demo: its status, what led there, how many days ago each step was, and when it ends. */
interface DemoLicence {
  status: LicenceStatus
  type: LicenceType
  steps: Readonly<Partial<Record<Act, number>>>
  endsInDays: number | null
  organization: string
  establishment: string
  contact: string
  unassignCase?: UnassignCase
  /** Its computer runs in the simulator, with a clock that is this far ahead. */
  clockAheadMs?: number
}

const licences: readonly DemoLicence[] = [
  {
    status: 3,
    type: 'cashlogy',
    endsInDays: 240,
    clockAheadMs: 0,
    organization: 'Ristorazione Duomo srl',
    establishment: 'Bar Duomo',
    contact: 'Elena Galli',
    steps: { create: 126, send: 125.9, confirm: 125, activate: 124 },
  },
  {
    status: 3,
    type: 'cashlogy',
    endsInDays: 6,
    clockAheadMs: 3 * hourMs,
    organization: 'Navigli Food spa',
    establishment: 'Tabacchi Navigli',
    contact: 'Paolo Riva',
    steps: { create: 360, send: 359.9, confirm: 358, activate: 355, remind: 24 },
  },
  {
    status: 3,
    type: 'cashlogyDemo',
    endsInDays: 58,
    clockAheadMs: 0,
    organization: 'Hotel Bellavista',
    establishment: 'Lobby Bar',
    contact: 'Sofia Marchi',
    steps: { create: 32, send: 31.9, confirm: 31, activate: 30 },
  },
  {
    status: 2,
    type: 'cashlogy',
    endsInDays: 362,
    organization: 'Panificio Conti snc',
    establishment: 'Panificio Conti',
    contact: 'Carla Conti',
    steps: { create: 4, send: 3.9, confirm: 1 },
  },
  {
    status: 1,
    type: 'none',
    endsInDays: null,
    organization: 'Ospedale San Carlo',
    establishment: 'Area ristoro B',
    contact: 'Ufficio acquisti',
    steps: { create: 3, send: 2 },
  },
  {
    status: 0,
    type: 'cashlogy',
    endsInDays: 365,
    organization: 'Farmacia Centrale',
    establishment: 'Farmacia Centrale',
    contact: 'Marta Villa',
    steps: { create: 0.2 },
  },
  {
    status: 4,
    type: 'cashlogy',
    endsInDays: 90,
    organization: 'Cinema Odeon srl',
    establishment: 'Cinema Odeon',
    contact: 'Fabio Neri',
    steps: { create: 200, send: 199.9, confirm: 199, activate: 198, deactivate: 9 },
  },
  {
    status: 5,
    type: 'cashlogy',
    endsInDays: 120,
    unassignCase: 'defectivePos',
    organization: 'Autogrill Lodi',
    establishment: 'Area servizio Lodi',
    contact: 'Luigi Sala',
    steps: { create: 300, send: 299, confirm: 298, activate: 297, unassign: 12 },
  },
  {
    status: 6,
    type: 'cashlogyDemo',
    endsInDays: -8,
    organization: 'Palestra Corpo Sano',
    establishment: 'Palestra Corpo Sano',
    contact: 'Irene Costa',
    steps: { create: 99, send: 98.9, confirm: 98, activate: 97, expire: 8 },
  },
]

const actors: Partial<Record<Act, NewLicenceEvent['by']>> = {
  confirm: 'client',
  activate: 'connector',
  expire: 'clock',
  remind: 'clock',
}
const statusAfter: Readonly<Record<Act, LicenceStatus>> = {
  create: 0,
  send: 1,
  confirm: 2,
  issueKey: 2,
  activate: 3,
  move: 2,
  unassign: 5,
  deactivate: 4,
  reactivate: 2,
  expire: 6,
  remind: 3,
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The licence key of a demo's machine: the simulator needs it after each start, and the database has only its hash. */
function keyOf(secretKey: string, serial: string): string {
  const bytes = createHmac('sha256', secretKey).update(`demo licence ${serial}`).digest()
  const text = [...bytes.subarray(0, 25)].map((byte) => letters[byte % 32]).join('')
  return (text.match(/.{5}/g) ?? []).join('-')
}

interface Machine {
  id: string
  serial: string
  time_zone: string
}

async function addOne(db: TenantDb, merchantId: string, machine: Machine, one: DemoLicence, key: string, now: Date) {
  const licence = { merchant_id: merchantId, id: randomUUIDv7() }
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMs)
  const atOf = (act: Act) => {
    const daysAgo = one.steps[act]
    return daysAgo === undefined ? null : at(daysAgo)
  }
  const { activate } = one.steps
  const today = dayIn(now, machine.time_zone)
  const hasKey = atOf('confirm') !== null && one.status !== licenceStatuses.unassigned
  const runs = one.status === licenceStatuses.activated
  const user = demoPeople.find(({ account }) => account === 'merchantadmin')
  const by = user ? { id: user.id, name: user.name } : ('clock' as const)
  await insertLicence(db, {
    ...licence,
    name: newLicenceName(),
    status: one.status,
    machine_id: machine.id,
    type: one.type,
    features: ['Connector_Basic', 'CIT_Basic', ...(one.type === 'cashlogyDemo' ? ['Demo'] : ['CIT_CollectionMoney'])],
    operation_mode: 'till',
    maintenance_type: one.type === 'cashlogyDemo' ? 'none' : 'preventive',
    organization: one.organization,
    establishment_name: one.establishment,
    contact_name: one.contact,
    client_email: `${one.establishment.toLowerCase().replace(/[^a-z]+/g, '.')}@client.test`,
    language: 'it',
    note: null,
    installed_on: activate === undefined ? null : addDays(today, -Math.round(activate)),
    expires_on: one.endsInDays === null ? null : addDays(today, one.endsInDays),
    sent_at: atOf('send'),
    confirmed_at: atOf('confirm'),
    activated_at: runs ? atOf('activate') : null,
    first_activated_at: atOf('activate'),
    unassign_case: one.unassignCase ?? null,
    link_hash: null,
    link_expires_at: null,
    key_hash: hasKey ? hashOfKey(key) : null,
    key_hint: hasKey ? hintOfKey(key) : null,
    board_serial: runs ? boardOf(machine.serial) : null,
    connector_version: runs ? '2.4.1' : null,
    last_beat_at: runs ? at(0.1) : null,
    clock_drift_seconds: runs ? (one.clockAheadMs ?? 0) / 1000 : null,
    created_at: atOf('create') ?? now,
  })
  await addLicenceEvents(
    db,
    (Object.entries(one.steps) as [Act, number][]).map(([act, daysAgo]) => ({
      licence,
      at: at(daysAgo),
      act,
      status: statusAfter[act],
      by: actors[act] ?? by,
      posId: machine.id,
      ...(act === 'activate' && { detail: boardOf(machine.serial) }),
      ...(act === 'remind' && { detail: '30' }),
      ...(act === 'unassign' && one.unassignCase && { unassignCase: one.unassignCase }),
    })),
  )
  return hasKey ? licence : undefined
}

const boardOf = (serial: string) => `MB-${serial}`

/**
 * Adds licences in all statuses, unless the merchant has licences. Returns the computers that the simulator runs: those whose licence still has
 * the demo's key.
 */
export async function addLicences(
  { doors, config }: { doors: Doors; config: Pick<Config, 'secretKey' | 'PORT' | 'publicUrl'> },
  merchantId: string,
  now: Date,
): Promise<ConnectorPlan[]> {
  const scope = [{ merchantId, groups: 'all' as const }]
  const machines = await doors.withTenant(
    scope,
    (db) =>
      db
        .from('machines')
        .innerJoin('merchants', 'merchants.id', 'machines.merchant_id')
        .where('machines.hidden', '=', false)
        .select(['machines.id', 'machines.serial', 'merchants.time_zone'])
        .orderBy(sql`md5(machines.serial)`)
        .limit(licences.length)
        .execute(),
    'read',
  )
  const planned = machines.map((machine, at) => ({
    machine,
    one: licences[at],
    key: keyOf(config.secretKey, machine.serial),
  }))
  const made = await doors.withTenant(scope, async (db) => {
    const existing = await db.from('licences').select('licences.id').limit(1).executeTakeFirst()
    if (existing) return []
    const withKeys = []
    for (const { machine, one, key } of planned) {
      const licence = one && (await addOne(db, merchantId, machine, one, key, now))
      if (licence) withKeys.push({ licence, key })
    }
    return withKeys
  })
  for (const { licence, key } of made) await directLicence(doors, hashOfKey(key), licence, now)
  // A portal with TLS has a certificate that the simulator does not trust.
  if (!config.publicUrl.startsWith('http://')) return []
  const hashes = planned.map(({ key }) => hashOfKey(key))
  const licensed = await doors.withTenant(
    scope,
    (db) =>
      db
        .from('licences')
        .where(among('licences.key_hash', hashes, 'text'))
        .select('licences.key_hash')
        .execute(),
    'read',
  )
  const keyHashes = new Set(licensed.map(({ key_hash }) => key_hash))
  return planned.flatMap(({ machine: { serial }, one, key }) =>
    one?.clockAheadMs === undefined || !keyHashes.has(hashOfKey(key))
      ? []
      : {
          origin: `http://127.0.0.1:${config.PORT}`,
          licenceKey: key,
          clockAheadMs: one.clockAheadMs,
          machine: { serial, boardSerial: boardOf(serial), connectorVersion: '2.4.1' },
          beatMs: 15 * 60_000,
        },
  )
}
