import { randomUUIDv7 } from 'node:crypto'
import type { AccountKind, OperationKind } from '#contract/vocabulary/cashless.ts'
import { balanceOf, entriesOf, freeOf, sumOf } from '#domain/cashless/ledger.ts'
import { brokenLimit } from '#domain/cashless/recharge-limit.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { decideKept, type KeptRecharge, keepRecharges, keptKeys, type NewKept } from './kept-recharge.ts'
import {
  accountsOf,
  book,
  bookedKeys,
  type Cause,
  type Ledger,
  mediaAccountsOf,
  openLedger,
  writeLedger,
} from './ledger.ts'
import { changeMediaStatus, lockMedia } from './media.ts'
import { rechargedOfDay, rechargeLimitsOf } from './recharge-limit.ts'
import { endHeldOf, holdParts, successorsOf } from './reservation.ts'

/* Credit that reaches a medium, leaves it, or moves to another one. Each has a key: the same key again books nothing. */

/** Where credit comes from. Accounts of the merchant as a whole belong to its own id. */
export interface Source {
  kind: AccountKind
  ownerId: string
}

export interface NewCredit {
  kind: Extract<OperationKind, 'recharge' | 'machineRecharge' | 'refund' | 'bonus' | 'correction'>
  key: string
  mediaId: string
  /** Minor units, above zero. */
  credit: number
  /** Bonus beside it, given by the merchant. */
  bonus?: number
  from: Source
  cause: Omit<Cause, 'mediaId'>
  /** A person books it although it is above a limit. */
  isConfirmed?: true
  /** The machine that holds it until the medium collects it there. */
  collectAt?: { posId: string; refundId: string; expiresAt: Date }
}

/** What a recharge above a limit of its merchant needs to be checked, in the accounts and sums of this transaction. */
async function limitsFor(db: TenantDb, ledger: Ledger, news: readonly NewCredit[], now: Date) {
  const limited = news.filter(isLimited)
  if (limited.length === 0) return null
  const { merchantId } = ledger
  const { limits } = await rechargeLimitsOf(db, merchantId)
  const mediaIds = [...new Set(limited.map(({ mediaId }) => mediaId))]
  const posIds = [...new Set(limited.flatMap(({ from }) => (from.kind === 'machine' ? from.ownerId : [])))]
  const ofDay = await rechargedOfDay(db, merchantId, { mediaIds, posIds }, now)
  const sumOfDay = (id: string) => ofDay.get(id) ?? 0
  return {
    broken({ mediaId, credit, bonus = 0, from }: NewCredit) {
      return brokenLimit(limits, credit + bonus, {
        balance: sumOf(balanceOf(mediaAccountsOf(ledger, mediaId))),
        ofDay: sumOfDay(mediaId),
        ofDayAtMachine: from.kind === 'machine' ? sumOfDay(from.ownerId) : null,
      })
    },
    note({ mediaId, credit, bonus = 0, from }: NewCredit) {
      for (const id of from.kind === 'machine' ? [mediaId, from.ownerId] : [mediaId])
        ofDay.set(id, sumOfDay(id) + credit + bonus)
    },
  }
}

/** Recharges are limited here; what the merchant gives back or corrects has limits of its own. */
const isLimited = ({ kind, isConfirmed }: NewCredit) =>
  (kind === 'recharge' || kind === 'machineRecharge') && !isConfirmed

/**
 * Credits media. A recharge above a limit of the merchant is kept instead, with a finding. Returns the keys that were booked now; the others were
 * booked or kept before, or are kept now.
 */
export async function addCredit(
  db: TenantDb,
  merchantId: string,
  news: readonly NewCredit[],
  now: Date,
): Promise<Set<string>> {
  const ledger = await openLedger(db, merchantId, [
    ...news.flatMap(({ mediaId }) => accountsOf(mediaId)),
    ...news.map(({ from }) => from),
    ...(news.some(({ bonus }) => bonus) ? [{ kind: 'bonuses' as const, ownerId: merchantId }] : []),
  ])
  const keys = news.map(({ key }) => key)
  const booked = await bookedKeys(db, ledger, keys)
  const limits = await limitsFor(db, ledger, news, now)
  if (limits) for (const key of await keptKeys(db, merchantId, keys)) booked.add(key)
  const added = new Set<string>()
  const keptRecharges: NewKept[] = []
  for (const one of news) {
    const { kind, key, mediaId, credit, bonus = 0, from, cause, collectAt } = one
    if (booked.has(key)) continue
    booked.add(key)
    const broken = isLimited(one) ? limits?.broken(one) : null
    if (broken) {
      keptRecharges.push({
        id: randomUUIDv7(),
        key,
        kind: kind as NewKept['kind'],
        mediaId,
        amount: credit,
        from,
        at: cause.at,
        posId: cause.posId ?? null,
        orderId: cause.orderId ?? null,
        brokenLimit: broken.limit,
        allowed: broken.allowed,
      })
      continue
    }
    added.add(key)
    if (isLimited(one)) limits?.note(one)
    const entries = [
      ...entriesOf(mediaId, { credit, bonus: 0 }, from),
      ...entriesOf(mediaId, { credit: 0, bonus }, { kind: 'bonuses', ownerId: merchantId }),
    ]
    book(ledger, { kind, key, entries }, { ...cause, mediaId })
    if (!collectAt) continue
    const { posId, refundId, expiresAt } = collectAt
    await holdParts(
      db,
      ledger,
      {
        id: refundId,
        mediaId,
        posId,
        purpose: 'collect',
        credit,
        bonus: 0,
        state: 'held',
        settled: null,
        refundId,
        expiresAt,
      },
      now,
    )
  }
  await writeLedger(db, ledger)
  await keepRecharges(db, merchantId, keptRecharges, now)
  return added
}

/** Credits a kept recharge, less what its provider took back. The caller has locked its medium and has seen that it is undecided. */
export async function bookKept(
  db: TenantDb,
  merchantId: string,
  recharge: KeptRecharge,
  user: { id: string; name: string },
  now: Date,
): Promise<void> {
  const { key, kind, amount, reversed, from, at, posId, orderId } = recharge
  // A medium that was lost meanwhile has its replacement credited.
  const mediaId = (await successorsOf(db, merchantId, [recharge.mediaId])).get(recharge.mediaId) ?? recharge.mediaId
  const cause = { at, posId: posId ?? undefined, orderId: orderId ?? undefined, user }
  const credit = amount - reversed
  await addCredit(db, merchantId, [{ kind, key, mediaId, credit, from, cause, isConfirmed: true }], now)
  await decideKept(db, merchantId, recharge, 'booked', { user, at: now })
}

/**
 * Takes back a payment that its provider reversed: what is free of the medium's credit, never the bonus. Returns what could not be taken,
 * which the account `unpaid` of the source bears. Null: it was taken back before.
 */
export async function reverseCredit(
  db: TenantDb,
  merchantId: string,
  {
    key,
    mediaId,
    amount,
    from,
    cause,
  }: Omit<NewCredit, 'kind' | 'credit' | 'bonus' | 'collectAt'> & { amount: number },
): Promise<{ unpaid: number } | null> {
  const unpaidAccount = { kind: 'unpaid' as const, ownerId: from.ownerId }
  const ledger = await openLedger(db, merchantId, [...accountsOf(mediaId), from, unpaidAccount])
  if ((await bookedKeys(db, ledger, [key])).has(key)) return null
  const collected = Math.min(amount, freeOf(mediaAccountsOf(ledger, mediaId)).credit)
  const unpaid = amount - collected
  const entries = [
    ...entriesOf(mediaId, { credit: -collected, bonus: 0 }, from),
    ...(unpaid > 0
      ? [
          { ...unpaidAccount, amount: -unpaid },
          { ...from, amount: unpaid },
        ]
      : []),
  ]
  book(ledger, { kind: 'reversal', key, entries }, { ...cause, mediaId })
  await writeLedger(db, ledger)
  return { unpaid }
}

/**
 * Moves credit and bonus of a lost medium to its replacement, ends its reservations and blocks it for good. A settlement that arrives later is
 * paid by the replacement.
 */
export async function replaceMedia(
  db: TenantDb,
  merchantId: string,
  { lostId, newId, user }: { lostId: string; newId: string; user: { id: string; name: string } },
  now: Date,
): Promise<{ credit: number; bonus: number; ended: number }> {
  const ledger = await openLedger(db, merchantId, [...accountsOf(lostId), ...accountsOf(newId)])
  const ended = await endHeldOf(db, ledger, { mediaId: lostId, as: 'unblocked', at: now, byName: user.name })
  const moved = balanceOf(mediaAccountsOf(ledger, lostId))
  if (sumOf(moved) > 0)
    book(
      ledger,
      {
        kind: 'lostKey',
        key: `lost ${lostId}`,
        entries: (['credit', 'bonus'] as const)
          .filter((kind) => moved[kind] > 0)
          .flatMap((kind) => [
            { kind, ownerId: lostId, amount: -moved[kind] },
            { kind, ownerId: newId, amount: moved[kind] },
          ]),
      },
      { at: now, mediaId: lostId, user },
    )
  await writeLedger(db, ledger)
  await lockMedia(db, merchantId, [lostId, newId])
  await changeMediaStatus(db, merchantId, [lostId], 2, now)
  await db.query
    .updateTable('medias')
    .set({ replaced_by: newId, customer_id: null })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', lostId)
    .execute()
  await db.query
    .updateTable('medias')
    .set((media) => ({ replaces: lostId, version: media('version', '+', 1) }))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', newId)
    .execute()
  return { ...moved, ended: ended.length }
}
