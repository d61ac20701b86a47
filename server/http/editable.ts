import { randomUUIDv7 } from 'node:crypto'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import type { changeSubjects, RecordNoun } from '#contract/vocabulary/change.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import {
  type Duplicates,
  type FieldsSchema,
  fieldsOf,
  type RecordKey,
  type RecordTable,
  recordsOf,
} from '#database/frame/records.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { lastChanges, recordChange } from '#database/platform/change-log.ts'
import { changedFields } from '#domain/frame/editing.ts'
import { seesInvisible } from './as-told.ts'
import type { TenantCall } from './handler.ts'

/** Values by the names of their fields. */
type AnyFields = Readonly<Record<string, unknown>>
type Noun = (typeof changeSubjects)[number]
/** A row as it is found: its key, its version and what people fill in, by column. */
export interface FoundRecord extends RecordKey {
  version: number
}

type Call = TenantCall & Named
interface Declared<Fields extends AnyFields, Found extends FoundRecord, Shown, Query> {
  /** Its name in the change log: `client.create`, `client.update`, `client.delete`. Its path name is `clientId` unless `param` says otherwise. */
  noun: RecordNoun
  param?: string
  /** The rows as `recordList` finds them. */
  rows: {
    table: RecordTable
    find(db: TenantDb, id: string): Promise<Found | undefined>
    list(db: TenantDb, query: Query): Promise<{ rows: Found[]; total: number; capped: boolean }>
  }
  /** The schema of what people fill in; its keys are the fields, a column has a field's name in snake case. */
  fields: FieldsSchema<Fields>
  present: (found: Found, call: Pick<TenantCall, 'db' | 'doors'>) => Shown | Promise<Shown>
  /** Unique constraints by name, each with its code and, where there are several, the field that is taken. */
  duplicates?: Duplicates
  missing: ErrorCode
  /** Fields as they are stored, however they were written. */
  stored?: (fields: Fields) => Fields
  /** What keeps a record from being deleted, as facts of `inUse`; undefined when nothing does. */
  blockedBy?: (db: TenantDb, found: Found, call: TenantCall) => Promise<object | undefined>
  inUse?: ErrorCode
  /** What an edit does beside its fields. What it answers is written into the log; nothing when it did nothing. */
  also?: (call: Call & { body: never }, found: Found) => Promise<object | undefined>
  /** Clears the way for a deletion, or refuses it. */
  clear?: (call: Call, found: Found) => Promise<void>
  /** Runs last, outside the transaction, once a record is created or deleted. */
  finish?: (call: Call, key: RecordKey, verb: 'create' | 'delete') => Promise<void>
}

type Params = { merchantId: string } & Readonly<Record<string, string>>
interface Named {
  params: Params
}

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

/**
 * The handlers of a record that users create, edit and delete: lock, compare versions, refuse duplicates and
 * records in use, write, log, announce. A call sees the user's whole scope, not only the groups chosen in the
 * portal.
 */
export function editable<Fields extends AnyFields, Found extends FoundRecord, Shown, Query>(
  declared: Declared<Fields, Found, Shown, Query>,
) {
  const { noun, rows, present, missing } = declared
  const param = declared.param ?? `${noun}Id`
  const stored = declared.stored ?? ((fields: Fields) => fields)
  const table = recordsOf(rows.table, declared.duplicates)
  const said = (found: Found) => fieldsOf<Fields>(found, declared.fields)

  /** What a body says of the fields, and all else it says. */
  const split = (body: AnyFields): [Fields, unknown[]] => {
    const isField = ([name]: [string, unknown]) => name in declared.fields.shape
    const entries = Object.entries(body)
    const others = entries.filter((entry) => !isField(entry)).map(([, value]) => value)
    return [Object.fromEntries(entries.filter(isField)) as Fields, others]
  }
  const of = async (db: TenantDb, id: string): Promise<Found> => {
    const found = await rows.find(db, id)
    if (!found) throw new ProductError(missing)
    return found
  }
  const held = async (db: TenantDb, { params }: Named, hold: 'edit' | 'delete'): Promise<Found> => {
    const id = params[param] ?? ''
    if (!(await table.hold(db, id, hold))) throw new ProductError(missing)
    return of(db, id)
  }
  const wide = <C extends TenantCall>(call: C): C => ({ ...call, db: withinScope(call.db, call.user.scope) })
  const log = async (call: TenantCall, key: RecordKey, verb: string, change: { before?: unknown; after?: unknown }) => {
    const { db, user, now, live } = call
    const subject = { subjectType: noun, subjectId: key.id, ...change }
    await recordChange(db, { merchantId: key.merchant_id, at: now, user, action: `${noun}.${verb}`, ...subject })
    db.afterCommit(() => live.announce(key.merchant_id, noun))
  }

  return {
    /** A record of the scope; throws the code of a missing one. */
    of,
    /** Locks a record against deletion; throws the code of a missing one. */
    async use(db: TenantDb, id: string): Promise<RecordKey> {
      const key = await table.hold(db, id, 'use')
      if (!key) throw new ProductError(missing)
      return key
    },
    async get(call: TenantCall & Named): Promise<Shown> {
      return present(await of(call.db, call.params[param] ?? ''), call)
    },
    /** A page of the records. */
    async list(call: TenantCall & { query: Query }) {
      const { rows: found, total, capped } = await rows.list(call.db, call.query)
      return { items: await Promise.all(found.map((each) => present(each, call))), total, capped }
    },
    async create(call: TenantCall & Named & { body: Fields }): Promise<Shown> {
      const { db, params, body, now } = call
      if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
      const [key, after] = [{ merchant_id: params.merchantId, id: randomUUIDv7() }, stored(body)]
      await table.insert(db, key, after, now)
      await log(call, key, 'create', { after })
      await declared.finish?.(call, key, 'create')
      // Its creator sees it with any groups of the merchant.
      const whole = withinScope(db, [{ merchantId: key.merchant_id, groups: 'all' }])
      return present(await of(whole, key.id), { ...call, db: whole })
    },
    async update(narrow: TenantCall & Named & { body: Fields & { version: number } }): Promise<Shown> {
      const call = wide(narrow)
      const found = await held(call.db, call, 'edit')
      const { version, ...given } = call.body
      const [fields, others] = split(given)
      const [before, after] = [said(found), stored(fields)]
      const isSame = changedFields(after, before).length === 0
      // The same content is stored already: a repeated save.
      if (isSame && others.every((value) => Array.isArray(value) && value.length === 0)) return present(found, call)
      if (version !== found.version) return refuseOvertaken(call, noun, found.id, await present(found, call))
      const more = await declared.also?.(call as Call & { body: never }, found)
      if (!isSame || more) {
        await table.write(call.db, found, after)
        await log(call, found, 'update', { before, after: { ...after, ...more } })
      }
      return present(await of(call.db, found.id), call)
    },
    async remove(narrow: TenantCall & Named): Promise<undefined> {
      const call = wide(narrow)
      const found = await held(call.db, call, 'delete')
      const blocking = await declared.blockedBy?.(call.db, found, call)
      if (blocking) throw new ProductError(declared.inUse ?? 'Conflict', { ...blocking })
      await declared.clear?.(call, found)
      await table.remove(call.db, found)
      await log(call, found, 'delete', { before: said(found) })
      await declared.finish?.(call, found, 'delete')
      return undefined
    },
  }
}
