import type { AccountKind, OperationKind } from '#contract/vocabulary/cashless.ts'
import { balanceOf, entriesOf, freeOf, sumOf } from '#domain/cashless/ledger.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { accountsOf, book, bookedKeys, type Cause, mediaAccountsOf, openLedger, writeLedger } from './ledger.ts'
import { changeMediaStatus, lockMedia } from './media.ts'
import { endHeldOf, holdParts } from './reservation.ts'

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
  /** The machine that holds it until the medium collects it there. */
  collectAt?: { posId: string; refundId: string; expiresAt: Date }
}

/** Credits media. Returns the keys that were booked now; the others were booked before. */
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
  const booked = await bookedKeys(
    db,
    ledger,
    news.map(({ key }) => key),
  )
  const added = new Set<string>()
  for (const { kind, key, mediaId, credit, bonus = 0, from, cause, collectAt } of news) {
    if (booked.has(key) || added.has(key)) continue
    added.add(key)
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
        ...{ id: refundId, mediaId, posId, purpose: 'collect', credit, bonus: 0, state: 'held' },
        ...{ settled: null, refundId, expiresAt },
      },
      now,
    )
  }
  await writeLedger(db, ledger)
  return added
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
  const taken = Math.min(amount, freeOf(mediaAccountsOf(ledger, mediaId)).credit)
  const unpaid = amount - taken
  const entries = [
    ...entriesOf(mediaId, { credit: -taken, bonus: 0 }, from),
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
