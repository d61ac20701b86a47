import { sql } from 'kysely'
import type { MediaReservation } from '#contract/cashless/media.ts'
import type { AuthorisationRefusal, MediaFindingKind, ReservationState } from '#contract/vocabulary/cashless.ts'
import { entriesOf, freeOf, minus, type Parts, sumOf } from '#domain/cashless/ledger.ts'
import { authorise, refusalOf, type Settlement, settle } from '#domain/cashless/reservation.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { FactsOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type Finding, insertFindings } from './finding.ts'
import {
  type AccountName,
  accountsOf,
  book,
  bookedKeys,
  hold,
  isOpened,
  type Ledger,
  mediaAccountsOf,
  openLedger,
  writeLedger,
} from './ledger.ts'

/*
 * Reservations of cloud credit ("tokens"). Every function opens the medium's accounts first; their locks also protect its reservations, which
 * are read after them.
 */

export interface ReservationRow
  extends Pick<
    FactsOf<typeof MediaReservation>,
    'id' | 'purpose' | 'credit' | 'bonus' | 'state' | 'settled' | 'refundId' | 'expiresAt'
  > {
  mediaId: string
  posId: string
}

const columns =
  sql.raw(`reservation.id, reservation.media_id as "mediaId", reservation.pos_id as "posId", reservation.purpose,
  reservation.credit, reservation.bonus, reservation.state, reservation.settled, reservation.refund_id as "refundId",
  reservation.expires_at as "expiresAt"`)

/** Reservations by their ids. */
export async function reservationsOf(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
): Promise<ReservationRow[]> {
  if (ids.length === 0) return []
  return preparedRows(
    db.query,
    sql<ReservationRow>`select ${columns} from credit_reservations reservation
    where ${db.own('reservation')} and reservation.merchant_id = ${merchantId} and reservation.id = any(${ids}::uuid[])`,
  )
}

/** What machines hold of a medium now. */
export async function heldOf(db: TenantDb, merchantId: string, mediaId: string): Promise<ReservationRow[]> {
  const { rows } = await sql<ReservationRow>`select ${columns} from credit_reservations reservation
    where ${db.own('reservation')} and reservation.merchant_id = ${merchantId} and reservation.media_id = ${mediaId}
      and reservation.state = 'held' order by reservation.created_at, reservation.id`.execute(db.query)
  return rows
}

export const partsOf = ({ credit, bonus }: Pick<ReservationRow, 'credit' | 'bonus'>): Parts => ({ credit, bonus })

export interface Authorisation {
  merchantId: string
  /** Of the machine's request: the same request gets the same answer. */
  id: string
  mediaId: string
  posId: string
  /** Minor units, above zero. */
  amount: number
  expiresAt: Date
}

/** The reservation of a request or why there is none, and what else the medium may spend. Minor units. */
export type AuthorisationAnswer = ({ reservation: ReservationRow } | { refusal: AuthorisationRefusal }) & {
  free: number
}

/** Holds credit for a vend. A repeated request gets the same reservation, in any state, unless the medium was blocked meanwhile. */
export async function reserve(db: TenantDb, request: Authorisation, now: Date): Promise<AuthorisationAnswer> {
  const { merchantId, id, mediaId, posId, amount, expiresAt } = request
  const ledger = await openLedger(db, merchantId, accountsOf(mediaId))
  const accounts = mediaAccountsOf(ledger, mediaId)
  const [earlier] = await reservationsOf(db, merchantId, [id])
  if (earlier) {
    const isSame =
      earlier.posId === posId &&
      earlier.mediaId === mediaId &&
      earlier.purpose === 'vend' &&
      sumOf(partsOf(earlier)) === amount
    const refusal = isSame ? await refuseHeld(db, ledger, earlier, now) : 'idTaken'
    return { ...(refusal ? { refusal } : { reservation: earlier }), free: sumOf(freeOf(accounts)) }
  }
  const status = await statusOf(db, merchantId, mediaId)
  const answer = authorise({ status, free: freeOf(accounts) }, amount)
  if ('refusal' in answer) return { ...answer, free: sumOf(freeOf(accounts)) }
  const reservation: ReservationRow = {
    id,
    mediaId,
    posId,
    purpose: 'vend',
    ...answer.parts,
    state: 'held',
    settled: null,
    refundId: null,
    expiresAt,
  }
  await holdParts(db, ledger, reservation, now)
  await writeLedger(db, ledger)
  return { reservation, free: sumOf(freeOf(accounts)) }
}

/**
 * Why a machine that asks again gets no credit for a reservation that it may still hold: its medium was blocked or lost. The amount is free again; a
 * refund stays, to be collected after an unblock. Null: the reservation counts.
 */
export async function refuseHeld(
  db: TenantDb,
  ledger: Ledger,
  { id, mediaId, state, refundId }: ReservationRow,
  now: Date,
): Promise<AuthorisationRefusal | null> {
  const refusal = state === 'held' ? refusalOf(await statusOf(db, ledger.merchantId, mediaId)) : null
  if (!refusal || refundId !== null) return refusal
  await endHeldOf(db, ledger, { mediaId, ids: [id], as: 'released', at: now })
  await writeLedger(db, ledger)
  return refusal
}

/** Stores a new reservation of opened accounts, which the caller writes. */
export async function holdParts(db: TenantDb, ledger: Ledger, reservation: ReservationRow, now: Date): Promise<void> {
  hold(ledger, reservation.mediaId, partsOf(reservation))
  const { id, mediaId, posId, purpose, credit, bonus, state, refundId, expiresAt } = reservation
  await insertRows(
    db.query,
    'credit_reservations',
    [
      'merchant_id',
      'id',
      'media_id',
      'pos_id',
      'purpose',
      'credit',
      'bonus',
      'state',
      'refund_id',
      'created_at',
      'expires_at',
    ],
    [[ledger.merchantId, id, mediaId, posId, purpose, credit, bonus, state, refundId, now, expiresAt]],
  )
}

export async function statusOf(db: TenantDb, merchantId: string, mediaId: string): Promise<number> {
  const [row] = await preparedRows(
    db.query,
    sql<{ status: number }>`select media.status from medias media
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.id = ${mediaId}`,
  )
  return row?.status ?? 1
}

/** What a machine reports of a reservation: the value of its sale (0: none), or the refund that it wrote onto the key. */
export interface Claim {
  reservationId: string
  posId: string
  /** Minor units that the holder paid or collected. */
  paid: number
  at: Date
  /** The transaction or item that says so; one report has one effect. */
  sourceId: string
  transactionId?: string
}

/**
 * Settles reservations by what a machine reports. A reservation of another machine does not exist for it. Returns the claims without a
 * reservation, whose amounts are booked as unpaid. `also` opens accounts that the caller needs later in the transaction.
 */
export async function settleClaims(
  db: TenantDb,
  merchantId: string,
  claims: readonly Claim[],
  furtherAccounts: readonly AccountName[] = [],
): Promise<Claim[]> {
  const before = await reservationsOf(db, merchantId, [...new Set(claims.map(({ reservationId }) => reservationId))])
  const mediaIds = [...new Set(before.map(({ mediaId }) => mediaId))]
  const open = (payers: Iterable<string>) =>
    openLedger(db, merchantId, [
      ...furtherAccounts,
      ...[...new Set([...mediaIds, ...payers])].flatMap(accountsOf),
      ...[...new Set(claims.map(({ posId }) => posId))].flatMap((ownerId) => [
        { kind: 'machine' as const, ownerId },
        { kind: 'unpaid' as const, ownerId },
      ]),
    ])
  let successors = await successorsOf(db, merchantId, mediaIds)
  let ledger = await open(successors.values())
  const rows = await reservationsOf(
    db,
    merchantId,
    before.map(({ id }) => id),
  )
  const reservations = new Map(rows.map((row) => [row.id, row]))
  if (rows.some(({ state }) => state !== 'held')) {
    // A medium may have been replaced before its accounts were locked.
    successors = await successorsOf(db, merchantId, mediaIds)
    if ([...successors.values()].some((payer) => !isOpened(ledger, payer))) ledger = await open(successors.values())
  }
  const booked = await bookedKeys(db, ledger, claims.map(keyOf))
  const findings: Finding[] = []
  const unknown: Claim[] = []
  for (const claim of claims) {
    const reservation = reservations.get(claim.reservationId)
    const isBooked = booked.has(keyOf(claim))
    booked.add(keyOf(claim))
    if (reservation?.posId !== claim.posId) {
      unknown.push(claim)
      if (!isBooked) bookUnpaid(ledger, claim)
      continue
    }
    if (isBooked) continue
    // Nothing was paid, and nothing is held.
    if (claim.paid === 0 && reservation.state !== 'held') continue
    const payer =
      reservation.state === 'held' ? reservation.mediaId : (successors.get(reservation.mediaId) ?? reservation.mediaId)
    const outcome = settle(
      { state: reservation.state, parts: partsOf(reservation) },
      claim.paid,
      freeOf(mediaAccountsOf(ledger, payer)),
    )
    if (outcome.finding) findings.push(findingOf(reservation, claim, outcome))
    if (outcome.finding === 'settledTwice') continue
    if (reservation.state === 'held') hold(ledger, reservation.mediaId, minus(partsOf(reservation)))
    bookSettlement(ledger, reservation, { claim, payer, outcome })
    reservation.state = claim.paid > 0 ? 'settled' : 'released'
    reservation.settled = claim.paid
    await endReservation(db, merchantId, reservation, claim.at, null)
  }
  await writeLedger(db, ledger)
  await insertFindings(db, merchantId, findings)
  return unknown
}

const keyOf = ({ sourceId, reservationId }: Claim) => `settle ${reservationId} ${sourceId}`

function bookSettlement(
  ledger: Ledger,
  reservation: ReservationRow,
  { claim, payer, outcome: { collected, unpaid } }: { claim: Claim; payer: string; outcome: Settlement },
): void {
  if (claim.paid === 0) return
  const machine = { kind: 'machine' as const, ownerId: claim.posId }
  const entries = [
    ...entriesOf(payer, minus(collected), machine),
    ...(unpaid > 0
      ? [
          { kind: 'unpaid' as const, ownerId: claim.posId, amount: -unpaid },
          { ...machine, amount: unpaid },
        ]
      : []),
  ]
  const kind = reservation.purpose === 'collect' ? 'collection' : 'sale'
  book(
    ledger,
    { kind, key: keyOf(claim), entries },
    {
      at: claim.at,
      mediaId: payer,
      posId: claim.posId,
      reservationId: reservation.id,
      refundId: reservation.refundId ?? undefined,
      transactionId: claim.transactionId,
    },
  )
}

/** A sale without a reservation: no medium pays it. */
function bookUnpaid(ledger: Ledger, claim: Claim): void {
  const { paid, posId, at, transactionId } = claim
  if (paid === 0) return
  const entries = [
    { kind: 'unpaid' as const, ownerId: posId, amount: -paid },
    { kind: 'machine' as const, ownerId: posId, amount: paid },
  ]
  book(ledger, { kind: 'sale', key: keyOf(claim), entries }, { at, posId, transactionId })
}

const findingOf = (
  { id, mediaId }: ReservationRow,
  { posId, paid, at, sourceId }: Claim,
  { unpaid, finding }: Settlement,
): Finding => ({
  mediaId,
  kind: finding as MediaFindingKind,
  key: `${finding} ${id} ${sourceId}`,
  at,
  posId,
  amount: unpaid > 0 ? unpaid : paid,
  facts: { reservationId: id },
})

/** Ends reservations that are held, without a payment. Returns the ended reservations. */
export async function endHeld(
  db: TenantDb,
  merchantId: string,
  {
    mediaId,
    ids,
    as,
    at,
    byName,
  }: {
    mediaId: string
    /** By default all that are held. */
    ids?: readonly string[]
    as: Extract<ReservationState, 'released' | 'expired' | 'unblocked'>
    at: Date
    byName?: string
  },
): Promise<ReservationRow[]> {
  const ledger = await openLedger(db, merchantId, accountsOf(mediaId))
  const ended = await endHeldOf(db, ledger, { mediaId, ids, as, at, byName })
  await writeLedger(db, ledger)
  return ended
}

/** The same on opened accounts, which the caller writes. */
export async function endHeldOf(
  db: TenantDb,
  ledger: Ledger,
  {
    mediaId,
    ids,
    as,
    at,
    byName,
  }: {
    mediaId: string
    ids?: readonly string[] | undefined
    as: Extract<ReservationState, 'released' | 'expired' | 'unblocked'>
    at: Date
    byName?: string | undefined
  },
): Promise<ReservationRow[]> {
  const held = (await heldOf(db, ledger.merchantId, mediaId)).filter(({ id }) => !ids || ids.includes(id))
  for (const reservation of held) {
    hold(ledger, mediaId, minus(partsOf(reservation)))
    reservation.state = as
    await endReservation(db, ledger.merchantId, reservation, at, byName ?? null)
  }
  return held
}

async function endReservation(
  db: TenantDb,
  merchantId: string,
  { id, state, settled, refundId }: ReservationRow,
  at: Date,
  byName: string | null,
): Promise<void> {
  await sql`update credit_reservations set state = ${state}, settled = ${settled}, ended_at = ${at}, ended_by_name = ${byName}
    where merchant_id = ${merchantId} and id = ${id}`.execute(db.query)
  // A refund that was not collected stays on the medium as cloud credit.
  if (refundId !== null)
    await sql`update refunds set state = ${state === 'settled' ? 'collected' : 'done'},
        collected_at = ${state === 'settled' ? at : null}
      where merchant_id = ${merchantId} and id = ${refundId}`.execute(db.query)
}

/** The medium that has replaced each lost one, to the end of the chain. */
export async function successorsOf(
  db: TenantDb,
  merchantId: string,
  mediaIds: readonly string[],
): Promise<Map<string, string>> {
  const newest = new Map<string, string>()
  let open = new Map(mediaIds.map((id) => [id, id]))
  while (open.size > 0) {
    const { rows } = await sql<{
      id: string
      next: string
    }>`select media.id, media.replaced_by as next from medias media
      where ${db.own('media')} and media.merchant_id = ${merchantId} and media.id = any(${[...open.keys()]}::uuid[])
        and media.replaced_by is not null`.execute(db.query)
    const next = new Map<string, string>()
    for (const row of rows) {
      const first = open.get(row.id) as string
      newest.set(first, row.next)
      next.set(row.next, first)
    }
    open = next
  }
  return newest
}
