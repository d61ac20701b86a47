import { type RawBuilder, sql } from 'kysely'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import type { Scope, TenantDb } from '../tenant.ts'

/*
 * What a reader does not see where a merchant counts blind. The pair of a scope says it (`blind`), so that lists, files, mails and displays
 * read alike.
 */

type Reader = { readonly scope: Scope }

/** Merchants whose uncounted collections show no figures to anybody. */
const countedBlind = ({ scope }: Reader): string[] =>
  scope.flatMap(({ merchantId, blind }) => (blind ? [merchantId] : []))

/** Merchants whose cash boxes the reader does not see. */
const withoutBoxes = ({ scope }: Reader): string[] =>
  scope.flatMap(({ merchantId, blind }) => (blind === 'boxes' ? [merchantId] : []))

const isOneOf = (column: RawBuilder<unknown>, ids: readonly string[]) =>
  ids.length === 0 ? sql<boolean>`false` : sql<boolean>`${column} = any(${ids}::uuid[])`

/** The condition that the merchant of a row counts blind. */
export const isCountedBlind = (db: TenantDb, alias: string): RawBuilder<boolean> =>
  isOneOf(sql.ref(`${alias}.merchant_id`), countedBlind(db))

/** An amount of a machine's cash box, if the reader sees it; else null. */
export function seenBox<T>(db: TenantDb, amount: RawBuilder<T>, alias: string): RawBuilder<T | null> {
  const ids = withoutBoxes(db)
  return ids.length === 0
    ? amount
    : sql<T | null>`case when ${isOneOf(sql.ref(`${alias}.merchant_id`), ids)} then null else ${amount} end`
}

/** Whether a merchant counts blind. */
export const countsBlind = (db: Reader, merchantId: string): boolean => countedBlind(db).includes(merchantId)

/** Whether the reader sees what machines of a merchant report of their cash boxes. */
export const seesBoxes = (db: Reader, merchantId: string): boolean => !withoutBoxes(db).includes(merchantId)

const otherTypes = Object.values(transactionTypes).filter((type) => type !== transactionTypes.collection)

/** The types of transactions that the reader sees; undefined: all. Of one type machines report the content of their boxes. */
export const seenTypes = (db: Reader): readonly number[] | undefined =>
  withoutBoxes(db).length === 0 ? undefined : otherTypes

/** Filters of transactions, of types that the reader sees. */
export function withSeenTypes<F extends { types?: readonly number[] | undefined }>(db: Reader, filters: F): F {
  const seen = seenTypes(db)
  if (!seen) return filters
  const types = filters.types?.length ? filters.types.filter((type) => seen.includes(type)) : seen
  // No transaction has a negative type.
  return { ...filters, types: types.length > 0 ? types : [-1] }
}
