import { sql } from 'kysely'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { Pieces } from '#contract/cash/collection.ts'
import type { CollectionStatus } from '#contract/vocabulary/cash.ts'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import { smallestNote } from '#contract/vocabulary/world/denominations.ts'
import type { Frozen } from '#database/cash/collection-edit.ts'
import { type Figures, figuresOf } from '#database/cash/collection-figures.ts'
import { piecesTaken, type ReportedBox, reportedBox } from '#database/cash/collection-pieces.ts'
import { insertRows } from '#database/frame/bulk-insert.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { piecesBetween } from '#domain/audits/boxed-pieces.ts'
import { isEmptied } from '#domain/cash/collection.ts'
import { differenceOf, isWithin, orderly, totalOf } from '#domain/cash/collection-count.ts'
import { tubeCapacity, tubeFill } from '#simulator/memory.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import type { DemoMachine } from '../fleet/fleet.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const tolerance = 100

const notes = {
  it: { reason: 'Mancano monete', note: 'Busta recuperata dal furgone', late: 'Ricontato con il responsabile' },
  es: { reason: 'Faltan monedas', note: 'Bolsa recuperada en la camioneta', late: 'Recontado con el responsable' },
  en: { reason: 'Coins are missing', note: 'Bag found in the van', late: 'Counted again with the manager' },
} as const

/** A box that a machine reports as taken, with its audit and its cash report. */
interface Taken {
  id: string
  machine_id: string
  sale_id: string
  at: Date
  value: number
  audit_id: string | null
  audit_at: Date | null
  content: Pick<AuditContent, 'cash' | 'money'> | null
  reading_id: string | null
  reading_at: Date | null
  box: number | null
  since: Date | null
  box_before: number | null
}

async function takenBoxes(db: TenantDb, merchantId: string): Promise<Omit<Taken, 'id'>[]> {
  const near = sql`between t.created_at and t.created_at + interval '10 minutes'`
  const { rows } = await sql<Omit<Taken, 'id'>>`
    select t.machine_id, t.id as sale_id, t.created_at as at, t.value, a.id as audit_id, a.read_at as audit_at,
      jsonb_build_object('cash', a.content -> 'cash', 'money', a.content -> 'money') as content,
      r.id as reading_id, r.at as reading_at, r.box, p.at as since, p.box as box_before
    from transactions t
    left join lateral (select * from audits x where ${db.own('x')} and x.merchant_id = t.merchant_id and x.machine_id = t.machine_id
      and x.origin = 4 and x.read_at ${near} order by x.read_at limit 1) a on true
    left join lateral (select * from cash_readings x where ${db.own('x')} and x.merchant_id = t.merchant_id
      and x.machine_id = t.machine_id and x.at ${near} and x.at > t.created_at order by x.at limit 1) r on true
    left join lateral (select * from cash_readings x where ${db.own('x')} and x.merchant_id = t.merchant_id
      and x.machine_id = t.machine_id and x.at < r.at order by x.at desc limit 1) p on true
    where ${db.own('t')} and t.merchant_id = ${merchantId} and t.type = ${sql.lit(transactionTypes.collection)}
    order by t.created_at, t.id`.execute(db.query)
  return rows
}

/**
 * The collections of the demo's history: the older ones are closed, some after a dispute; the last ones wait for the counting room. Also the
 * floats of its tubes. Does nothing for a merchant that has collections.
 */
export async function addCollections(
  doors: Doors,
  { fleet, until, seed }: { fleet: readonly DemoMachine[]; until: number; seed: string },
): Promise<void> {
  for (const merchant of demoMerchants)
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      if (await db.from('collections').select('id').limit(1).executeTakeFirst()) return
      const machines = new Map(fleet.filter((one) => one.merchant.id === merchant.id).map((one) => [one.id, one]))
      const random = randomFrom(`${seed} collections ${merchant.id}`)
      await insertFloats(db, merchant, [...machines.keys()])
      const boxes = (await takenBoxes(db, merchant.id))
        .filter(({ machine_id }) => machines.has(machine_id))
        .map((one) => ({ ...one, id: uuidAt(one.at.getTime(), random) }))
      await insertOpen(db, merchant, boxes)
      await count(db, { merchant, machines, boxes, until, random })
    })
}

const insertFloats = (db: TenantDb, merchant: DemoMerchant, machineIds: readonly string[]) =>
  insertRows(
    db.query,
    'cash_floats',
    ['merchant_id', 'machine_id', 'device', 'denomination', 'capacity', 'wanted'],
    machineIds
      .toSorted()
      .flatMap((id) =>
        merchant.coins.slice(0, merchant.tubes).map((coin) => [merchant.id, id, 'tube', coin, tubeCapacity, tubeFill]),
      ),
    'on conflict do nothing',
  )

async function insertOpen(db: TenantDb, merchant: DemoMerchant, boxes: readonly Taken[]): Promise<void> {
  const hasFallen = ({ box, box_before }: Taken) =>
    box !== null && box_before !== null && isEmptied(box_before, box, smallestNote(merchant.currency))
  await insertRows(
    db.query,
    'collections',
    [
      'merchant_id',
      'id',
      'machine_id',
      'at',
      'until',
      'audit_at',
      'reported_total',
      'reading_at',
      'reading_since',
      'bag_number',
      'is_bag_typed',
      'created_at',
    ],
    boxes.map((one, index) => [
      merchant.id,
      one.id,
      one.machine_id,
      one.at,
      one.audit_at ?? one.at,
      one.audit_at,
      one.value,
      ...(hasFallen(one) ? [one.reading_at, one.since] : [null, null]),
      `${merchant.country}-${String(10_000 + index)}`,
      true,
      one.at,
    ]),
  )
  const source = (one: Taken, kind: string, id: string, at: Date | null, since: Date | null, amount: number | null) => [
    merchant.id,
    kind,
    id,
    one.id,
    one.machine_id,
    at,
    since,
    amount,
  ]
  await insertRows(
    db.query,
    'collection_sources',
    ['merchant_id', 'source', 'source_id', 'collection_id', 'machine_id', 'at', 'since', 'amount'],
    boxes.flatMap((one) => [
      source(one, 'sale', one.sale_id, one.at, one.at, one.value),
      ...(one.audit_id ? [source(one, 'audit', one.audit_id, one.audit_at, one.audit_at, null)] : []),
      ...(one.reading_id && hasFallen(one)
        ? [source(one, 'reading', one.reading_id, one.reading_at, one.since, null)]
        : []),
    ]),
    // Two boxes of a machine between two reports have the same report: the first one has it.
    'on conflict do nothing',
  )
}

interface Counting {
  merchant: DemoMerchant
  machines: ReadonlyMap<string, DemoMachine>
  boxes: readonly Taken[]
  until: number
  random: Random
}

/** How far a collection is: by its age, and the last ones so that each state occurs. */
function statusOf(at: Date, newest: number, until: number, random: Random): CollectionStatus {
  const fixed = (['open', 'closed', 'disputed', 'counted', 'open'] as const)[newest]
  if (fixed) return fixed
  const age = until - at.getTime()
  if (age < dayMs) return 'open'
  if (age < 3 * dayMs) return random.pick(['open', 'counted', 'disputed', 'closed', 'closed'])
  return 'closed'
}

/** Pieces of an amount, the largest first; what no piece fits is left out. */
function piecesFor(amount: number, values: readonly number[]): Pieces[] {
  let left = amount
  return values
    .toSorted((one, other) => other - one)
    .map((value) => {
      const count = Math.floor(left / value)
      left -= count * value
      return { value, count }
    })
}

/** A count that lacks or has some coins more than the counters say. */
function counted(pieces: readonly Pieces[], isWrong: boolean, merchant: DemoMerchant, random: Random): Pieces[] {
  const coin = merchant.coins[isWrong ? merchant.coins.length - 1 : 0] ?? 0
  const missing = isWrong ? random.int(4, 9) : random.pick([0, 0, 0, 1, -1])
  const had = pieces.find(({ value }) => value === coin)?.count ?? 0
  return orderly([
    ...pieces.filter(({ value }) => value !== coin),
    { value: coin, count: Math.max(0, had >= missing ? had - missing : had + missing) },
  ])
}

const transmittedIn = (box: ReportedBox | null) => {
  const pieces = box ? piecesTaken(box) : []
  return { pieces, from: pieces.length > 0 ? ('box' as const) : null, at: box && new Date(box.at) }
}

async function count(db: TenantDb, { merchant, machines, boxes, until, random }: Counting): Promise<void> {
  const { rows } = await sql<Figures & { id: string; box: ReportedBox | null }>`
    select c.id, known.*, to_jsonb(box) as box from collections c cross join lateral ${figuresOf(db)} known
    left join lateral ${reportedBox(db)} box on true
    where ${db.own('c')} and c.merchant_id = ${merchant.id}`.execute(db.query)
  const figures = new Map(rows.map((row) => [row.id, row]))
  const before = new Map<string, Taken>()
  const words = notes[merchant.speech]
  const steps = boxes.flatMap((one, index) => {
    const previous = before.get(one.machine_id)
    before.set(one.machine_id, one)
    const collection = figures.get(one.id)
    const machine = machines.get(one.machine_id)
    const status = statusOf(one.at, boxes.length - 1 - index, until, random)
    const wasWrong = status === 'disputed' || (status === 'closed' && random.chance(0.06))
    if (status === 'open' || !collection || !machine) return []
    const audited =
      previous?.content && one.content
        ? piecesBetween(
            [previous.content, one.content].map((content) => ({ content, kind: 'counted' as const })),
            merchant.currency,
          )
        : []
    const expected = collection.expected ?? 0
    const isKnown = audited.length > 0 && totalOf(audited) === expected
    const piecesFound = isKnown ? audited : piecesFor(expected, [...merchant.coins, ...merchant.bills])
    const pieces = counted(piecesFound, wasWrong, merchant, random)
    const total = totalOf(pieces)
    const isDisputed = !isWithin(differenceOf(total, collection.expected), tolerance)
    const reached: CollectionStatus = isDisputed && status === 'counted' ? 'disputed' : status
    const at = Math.min(until - 60_000, one.at.getTime() + random.int(2, 20) * hourMs)
    const counter = random.pick(authorsAt(machine, 'collection.count'))
    const closer = random.pick(authorsAt(machine, 'collection.close'))
    const closedAt = Math.min(until - 30_000, at + random.int(1, 20) * hourMs)
    const frozen: Frozen = {
      previousAt: collection.previous_at,
      audited: { total: collection.audited, pieces: audited, isExact: collection.is_audit_exact },
      transmitted: {
        total: collection.transmitted,
        basis: collection.transmitted_basis,
        ...transmittedIn(collection.box),
      },
    }
    const isClosed = reached === 'closed'
    return [
      {
        id: one.id,
        status: reached,
        counted: pieces,
        counted_total: total,
        version: isClosed && isDisputed ? 4 : 2,
        counted_at: new Date(at),
        counted_by: counter.id,
        counted_by_name: counter.name,
        ...(isDisputed && {
          disputed_at: new Date(at + 600_000),
          disputed_by: counter.id,
          disputed_by_name: counter.name,
          dispute_reason: words.reason,
        }),
        ...(isClosed && {
          closed_at: new Date(closedAt),
          closed_by: closer.id,
          closed_by_name: closer.name,
          frozen,
          audited_total: collection.audited,
          transmitted_total: collection.transmitted,
          note: isDisputed ? random.pick([words.note, words.late]) : null,
        }),
      },
    ]
  })
  await sql`
    update collections c set status = s.status, counted = s.counted, counted_total = s.counted_total, version = s.version,
      tolerance = ${tolerance}, counted_at = s.counted_at, counted_by = s.counted_by, counted_by_name = s.counted_by_name,
      disputed_at = s.disputed_at, disputed_by = s.disputed_by, disputed_by_name = s.disputed_by_name, dispute_reason = s.dispute_reason,
      closed_at = s.closed_at, closed_by = s.closed_by, closed_by_name = s.closed_by_name, frozen = s.frozen,
      audited_total = s.audited_total, transmitted_total = s.transmitted_total, note = s.note
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) s (id uuid, status text, counted jsonb, counted_total bigint, version int,
      counted_at timestamptz, counted_by uuid, counted_by_name text, disputed_at timestamptz, disputed_by uuid, disputed_by_name text,
      dispute_reason text, closed_at timestamptz, closed_by uuid, closed_by_name text, frozen jsonb, audited_total bigint,
      transmitted_total bigint, note text)
    where ${db.own('c')} and c.merchant_id = ${merchant.id} and c.id = s.id`.execute(db.query)
}
