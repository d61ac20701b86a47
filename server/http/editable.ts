import { randomUUIDv7 } from 'node:crypto'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { idNameOf } from '#contract/frame/ids.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import type { changeSubjects } from '#contract/vocabulary/change.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { capital, type Plural, plural, type RecordNoun } from '#contract/vocabulary/record-nouns.ts'
import {
  type Duplicates,
  type FieldsSchema,
  fieldsOf,
  jsonFieldsOf,
  type RecordKey,
  type RecordTable,
  recordsOf,
} from '#database/frame/records.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { type Actor, lastChanges, recordChange } from '#database/platform/change-log.ts'
import { changedFields } from '#domain/frame/editing.ts'
import type { TenantCall } from './handler.ts'
import { seesInvisible } from './redact-names.ts'

/** Values by the names of their fields. */
type AnyFields = Readonly<Record<string, unknown>>
type Noun = (typeof changeSubjects)[number]
/** A stored record: its key, its version and its fields, by column. */
export interface FoundRecord extends RecordKey {
  version: number
}

type Call = TenantCall & Named
interface Declared<
  N extends RecordNoun,
  Fields extends AnyFields,
  Found extends FoundRecord,
  Shown,
  Query,
  Files,
  Listed extends FoundRecord,
  ShownRow,
> {
  /** Its name in the change log: `client.create`, `client.update`, `client.delete`. Its path name is `clientId`. */
  noun: N
  /** The rows as `recordList` finds them. */
  rows: {
    table: RecordTable
    files: Files
    find(db: TenantDb, id: string): Promise<Found | undefined>
    list(db: TenantDb, query: Query): Promise<{ rows: Listed[]; total: number; capped: boolean; totals?: ListTotal[] }>
  }
  /** The schema of the fields. A column has its field's name in snake case. */
  fields: FieldsSchema<Fields>
  /** The record as it is answered, with each of its fields: an edit would clear a field that it lacks. */
  present: (row: Found, call: Pick<TenantCall, 'db' | 'doors'>) => Shown | Promise<Shown>
  /** A row of the list, where it has less than the record. */
  presentRow?: (row: Listed) => ShownRow
  /** Fields in tables of their own, which `find` reads as well: how they are written, after the record's columns. */
  storedApart?: { readonly [F in keyof Fields]?: (db: TenantDb, key: RecordKey, value: Fields[F]) => Promise<void> }
  /** Unique constraints by name, each with its error code and, if there are several, its field. */
  duplicates?: Duplicates
  /** The code of a missing record; `ClientNotFound` by default. */
  missing?: ErrorCode
  /** What the change log keeps of a change, where that is not all fields. It is never changed, so personal data stays out of it. */
  logged?: (before: Fields | undefined, after: Fields | undefined) => { before?: object; after?: object }
  /** Converts fields to their stored form. */
  stored?: (fields: Fields) => Fields
  /** The facts of `inUse` (`ClientInUse` by default) that prevent a deletion; undefined if nothing does. */
  blockedBy?: (db: TenantDb, row: Found, call: TenantCall) => Promise<object | undefined>
  inUse?: ErrorCode
  /** Stores what a change ends, before it is written; without `after` the record is deleted. */
  ending?: (call: TenantCall, row: Found, after: Fields | undefined) => Promise<void>
  /** The effects of an edit beside its fields. The result is logged; undefined without a change. */
  alsoChange?: (call: TenantCall & { body: Fields }, row: Found) => Promise<object | undefined>
  /** Prepares a deletion, or refuses it. */
  clear?: (call: TenantCall, row: Found) => Promise<void>
  /** Runs last, outside the transaction. */
  created?: (call: TenantCall & { body: Fields }, key: RecordKey) => Promise<void>
  deleted?: (call: TenantCall, key: RecordKey) => Promise<void>
}

/** A change that an actor makes, whether by a call or through a service. */
export type Deed = Pick<TenantCall, 'db' | 'now' | 'live'> & { user: Actor }

type Params = { merchantId: string } & Readonly<Record<string, string>>
interface Named {
  params: Params
}

/** A code of the noun's own. */
const errorOf = (noun: RecordNoun, what: 'NotFound' | 'InUse') => `${capital(noun)}${what}` as ErrorCode

/** Refuses a change based on an older version, with the current record. */
export async function refuseOvertaken(
  { db, user }: Pick<TenantCall, 'db' | 'user'>,
  noun: Noun,
  id: string,
  current: unknown,
): Promise<never> {
  const change = (await lastChanges(db, noun, [id], seesInvisible(user))).get(id)
  throw new ProductError('EditConflict', {
    current,
    changedAt: toWireOrNull(change?.at ?? null),
    changedBy: change?.by ?? null,
  })
}

/** Splits a body into the fields and all other values. */
function split<Fields extends AnyFields>(body: AnyFields, shape: object): [Fields, unknown[]] {
  const isField = ([name]: [string, unknown]) => name in shape
  const entries = Object.entries(body)
  const others = entries.filter((entry) => !isField(entry)).map(([, value]) => value)
  return [Object.fromEntries(entries.filter(isField)) as Fields, others]
}

/** The call in the user's whole scope. */
const wide = <C extends TenantCall>(call: C): C => ({ ...call, db: withinScope(call.db, call.user.scope) })

/** Logs a change of a record, and announces it after the commit. */
async function logRecord(
  { db, user, now, live }: Deed,
  noun: RecordNoun,
  key: RecordKey,
  verb: string,
  change: { before?: unknown; after?: unknown },
): Promise<void> {
  const subject = { subjectType: noun, subjectId: key.id, ...change }
  await recordChange(db, { merchantId: key.merchant_id, at: now, user, action: `${noun}.${verb}`, ...subject })
  db.afterCommit(() => live.announce(key.merchant_id, noun))
}

/**
 * A record that users create, edit and delete: lock, compare versions, refuse duplicates and records in use, write, log,
 * announce. Its acts are what handlers of the noun call; its handlers only take the request apart. A call sees the user's whole scope, not only the groups chosen in the
 * portal.
 */
export function editable<
  N extends RecordNoun,
  Fields extends AnyFields,
  Found extends FoundRecord,
  Shown extends { readonly [F in keyof Fields]: unknown },
  Query,
  Files,
  Listed extends FoundRecord = Found,
  ShownRow = Shown,
>(declared: Declared<N, Fields, Found, Shown, Query, Files, Listed, ShownRow>) {
  const { noun, rows, present } = declared
  const param = idNameOf(noun)
  const missing = declared.missing ?? errorOf(noun, 'NotFound')
  const stored = declared.stored ?? ((fields: Fields) => fields)
  const table = recordsOf(rows.table, declared.duplicates, jsonFieldsOf(declared.fields))
  const logged = declared.logged ?? ((before: Fields | undefined, after: Fields | undefined) => ({ before, after }))
  const loggedFields = (row: Found) => fieldsOf<Fields>(row, declared.fields)

  const storedApart: NonNullable<typeof declared.storedApart> = declared.storedApart ?? {}
  const inColumns = (fields: Fields): AnyFields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in storedApart)))
  const writeApart = async (db: TenantDb, key: RecordKey, fields: Fields, changed: readonly (keyof Fields)[]) => {
    const write = <F extends keyof Fields>(field: F) => storedApart[field]?.(db, key, fields[field])
    for (const field of changed) await write(field)
  }
  const of = async (db: TenantDb, id: string): Promise<Found> => {
    const row = await rows.find(db, id)
    if (!row) throw new ProductError(missing)
    return row
  }
  const held = async (db: TenantDb, id: string, hold: 'edit' | 'delete'): Promise<Found> => {
    if (!(await table.hold(db, id, hold))) throw new ProductError(missing)
    return of(db, id)
  }
  const idIn = ({ params }: Named) => params[param] ?? ''
  const log = (deed: Deed, key: RecordKey, verb: string, change: { before?: unknown; after?: unknown }) =>
    logRecord(deed, noun, key, verb, change)

  const acts = {
    /** A record of the scope. Throws the noun's code if it is missing. */
    of,
    /** Locks a record against deletion. Throws the noun's code if it is missing. */
    async use(db: TenantDb, id: string): Promise<RecordKey> {
      const key = await table.hold(db, id, 'use')
      if (!key) throw new ProductError(missing)
      return key
    },
    /** A record of the scope, locked for its deletion. Throws the noun's code if it is missing. */
    holdToErase: (db: TenantDb, id: string) => held(db, id, 'delete'),
    /** Deletes a held record and logs it. What its noun prevents or ends with it is the caller's. */
    async erase(deed: Deed, row: Found): Promise<void> {
      await table.remove(deed.db, row)
      await log(deed, row, 'delete', logged(loggedFields(row), undefined))
    },
    async get(call: TenantCall, id: string): Promise<Shown> {
      return present(await of(call.db, id), call)
    },
    /** One page of records. */
    async list(call: TenantCall, query: Query) {
      const { rows: listed, total, capped, totals } = await rows.list(call.db, query)
      // Cast: without `presentRow` a row of the list is a record.
      const presentListed = (row: Listed) => declared.presentRow?.(row) ?? (present(row as never, call) as ShownRow)
      const items: ShownRow[] = []
      // One after the other: queries of one connection do not overlap.
      for (const row of listed) items.push(await presentListed(row))
      return { items, total, capped, ...(totals && { totals }) }
    },
    async create(call: TenantCall, merchantId: string, body: Fields): Promise<Shown> {
      const { db, now } = call
      if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
      const key = { merchant_id: merchantId, id: randomUUIDv7() }
      const after = stored(body)
      await table.insert(db, key, inColumns(after), now)
      await writeApart(db, key, after, Object.keys(after))
      await log(call, key, 'create', logged(undefined, after))
      await declared.created?.({ ...call, body }, key)
      // The creator sees it, whatever groups of the merchant are selected.
      const whole = withinScope(db, [{ merchantId: key.merchant_id, groups: 'all' }])
      return present(await of(whole, key.id), { ...call, db: whole })
    },
    async update(narrow: TenantCall, id: string, body: Fields & { version: number }): Promise<Shown> {
      const call = wide(narrow)
      const row = await held(call.db, id, 'edit')
      const { version, ...edits } = body
      const [fields, others] = split<Fields>(edits, declared.fields.shape)
      const before = loggedFields(row)
      const after = stored(fields)
      const changed = changedFields(after, before)
      const isSame = changed.length === 0
      // The same content is stored already: a repeated save.
      if (isSame && others.every((value) => Array.isArray(value) && value.length === 0)) return present(row, call)
      if (version !== row.version) return refuseOvertaken(call, noun, row.id, await present(row, call))
      const more = await declared.alsoChange?.({ ...call, body }, row)
      if (!isSame || more) {
        await declared.ending?.(call, row, after)
        await table.write(call.db, row, inColumns(after))
        await writeApart(call.db, row, after, changed)
        await log(call, row, 'update', logged(before, { ...after, ...more }))
      }
      return present(await of(call.db, row.id), call)
    },
    async remove(narrow: TenantCall, id: string): Promise<undefined> {
      const call = wide(narrow)
      const row = await held(call.db, id, 'delete')
      const blocking = await declared.blockedBy?.(call.db, row, call)
      if (blocking) throw new ProductError(declared.inUse ?? errorOf(noun, 'InUse'), { ...blocking })
      await declared.clear?.(call, row)
      await declared.ending?.(call, row, undefined)
      await acts.erase(call, row)
      await declared.deleted?.(call, row)
      return undefined
    },
  }
  const calls = {
    list: (call: TenantCall & { query: Query }) => acts.list(call, call.query),
    get: (call: Call) => acts.get(call, idIn(call)),
    create: (call: Call & { body: Fields }) => acts.create(call, call.params.merchantId, call.body),
    update: (call: Call & { body: Fields & { version: number } }) => acts.update(call, idIn(call), call.body),
    remove: (call: Call) => acts.remove(call, idIn(call)),
  }
  const whole = capital(noun)
  /** Its five calls by their names: `listClients`, `getClient` … */
  const handlers = {
    [`list${plural(whole)}`]: calls.list,
    [`get${whole}`]: calls.get,
    [`create${whole}`]: calls.create,
    [`update${whole}`]: calls.update,
    [`delete${whole}`]: calls.remove,
  } as RecordHandlers<Capitalize<N>, typeof calls>
  return { ...acts, handlers, files: rows.files }
}

type RecordHandlers<
  Noun extends string,
  Acts extends Record<'list' | 'get' | 'create' | 'update' | 'remove', unknown>,
> = {
  [K in `list${Plural<Noun>}`]: Acts['list']
} & { [K in `get${Noun}`]: Acts['get'] } & { [K in `create${Noun}`]: Acts['create'] } & {
  [K in `update${Noun}`]: Acts['update']
} & { [K in `delete${Noun}`]: Acts['remove'] }
