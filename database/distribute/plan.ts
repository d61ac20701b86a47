import { tables } from '../frame/registry.ts'

/** What the catalog says of a database that is to be distributed. */
export interface Catalog {
  /** Tables that the coordinator already knows as distributed or reference tables. */
  distributed: ReadonlySet<string>
  policies: readonly Policy[]
  keys: readonly ForeignKey[]
}

export interface Policy {
  table: string
  name: string
  hasSubSelect: boolean
}

export interface ForeignKey {
  table: string
  name: string
  /** The table that it refers to. */
  target: string
  /** As `pg_get_constraintdef` writes it. */
  definition: string
}

/** One statement and what it does, in words for the log. */
export interface Step {
  does: string
  sql: string
}

/** Distributed tables lie where the first one does, so that the rows of a merchant are on one node. */
const first = 'merchant_settings'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const ofKind = (kind: 'tenant' | 'reference') =>
  Object.entries(tables).flatMap(([name, is]) => (is === kind ? [name] : []))
const keyOf = (table: string) => (table === 'merchants' ? 'id' : 'merchant_id')

/** Row-level security without a sub-select: the form that a distributed table can have. */
const plain = (table: string) =>
  `${quote(keyOf(table))} = any(nullif(current_setting('app.merchant_ids', true), '')::uuid[])`

/**
 * The statements that spread the tenant tables of the registry over the nodes of a Citus coordinator: policies without sub-selects,
 * foreign keys away, tables distributed, the same foreign keys again. What is done already is left out, so that a second run is empty.
 */
export function planOf({ distributed, policies, keys }: Catalog): Step[] {
  const missing = (kind: 'tenant' | 'reference') => ofKind(kind).filter((table) => !distributed.has(table))
  const references = missing('reference')
  const tenants = missing('tenant').sort((one, other) => Number(other === first) - Number(one === first))
  const moved = new Set([...references, ...tenants])
  const guarded = new Set([...ofKind('reference'), ...ofKind('tenant')])
  const affected = keys.filter(({ table, target }) => moved.has(table) || moved.has(target))
  return [
    ...policies
      .filter(({ table, hasSubSelect }) => hasSubSelect && guarded.has(table))
      .map(({ table, name }) => ({
        does: `${table}: policy ${name} without sub-select`,
        sql: `alter policy ${quote(name)} on ${quote(table)} using (${plain(table)}) with check (${plain(table)})`,
      })),
    ...affected.map(({ table, name }) => ({
      does: `${table}: foreign key ${name} dropped`,
      sql: `alter table ${quote(table)} drop constraint ${quote(name)}`,
    })),
    ...references.map((table) => ({
      does: `${table}: reference table on every node`,
      sql: `select create_reference_table('${table}')`,
    })),
    ...tenants.map((table) => ({
      does: `${table}: distributed by merchant_id`,
      sql: `select create_distributed_table('${table}', 'merchant_id', colocate_with => '${table === first ? 'none' : first}')`,
    })),
    ...affected.map(({ table, name, definition }) => ({
      does: `${table}: foreign key ${name} added`,
      sql: `alter table ${quote(table)} add constraint ${quote(name)} ${definition}`,
    })),
  ]
}
