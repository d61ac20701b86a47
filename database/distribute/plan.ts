import { tables } from '../frame/registry.ts'

/** The catalog of a database that is to be distributed. */
export interface Catalog {
  /** Tables that the coordinator has as distributed or reference tables. */
  distributed: ReadonlySet<string>
  policies: readonly Policy[]
  keys: readonly ForeignKey[]
  /** Functions of ours that the other nodes lack, with the types of their parameters. */
  functions: readonly string[]
  /** Roles of ours that lack, on some node, the setting by which nodes learn a transaction's merchants. */
  deafRoles: readonly string[]
  /** Distributed tables that are not guarded against their owner, as the move of a merchant left them when it was killed. */
  unforced: readonly string[]
}

export interface Policy {
  table: string
  name: string
  hasSubSelect: boolean
}

export interface ForeignKey {
  table: string
  name: string
  /** The referenced table. */
  target: string
  /** In the form of `pg_get_constraintdef`. */
  definition: string
}

/** A statement, and its description for the log. */
export interface Step {
  does: string
  sql: string
}

/** All distributed tables are colocated with this one, so that a merchant's rows are on one node. */
const first = 'merchant_settings'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const ofKind = (kind: 'tenant' | 'reference') =>
  Object.entries(tables).flatMap(([name, is]) => (is === kind ? [name] : []))
const keyOf = (table: string) => (table === 'merchants' ? 'id' : 'merchant_id')

/** The policy without a sub-select, as distributed tables require. */
const plain = (table: string) =>
  `${quote(keyOf(table))} = any(nullif(current_setting('app.merchant_ids', true), '')::uuid[])`

/**
 * The statements that distribute the tenant tables of the registry over a Citus coordinator: roles that send their settings, policies
 * without sub-selects, foreign keys dropped, tables distributed, functions created on every node, the same keys restored. Finished steps are left out, so a second run is empty.
 */
export function planOf({ distributed, policies, keys, functions, deafRoles, unforced }: Catalog): Step[] {
  const missing = (kind: 'tenant' | 'reference') => ofKind(kind).filter((table) => !distributed.has(table))
  const references = missing('reference')
  const tenants = missing('tenant').sort((one, other) => Number(other === first) - Number(one === first))
  const moved = new Set([...references, ...tenants])
  const guarded = new Set([...ofKind('reference'), ...ofKind('tenant')])
  const affected = keys.filter(({ table, target }) => moved.has(table) || moved.has(target))
  return [
    // Without it row-level security on the other nodes sees no merchant, and therefore no row.
    ...deafRoles.map((role) => ({
      does: `${role}: sends a transaction's settings to all nodes`,
      sql: `alter role ${quote(role)} set citus.propagate_set_commands = 'local'`,
    })),
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
    ...functions.map((name) => ({
      does: `${name}: function on every node`,
      sql: `select create_distributed_function('${name.replaceAll("'", "''")}')`,
    })),
    ...affected.map(({ table, name, definition }) => ({
      does: `${table}: foreign key ${name} added`,
      sql: `alter table ${quote(table)} add constraint ${quote(name)} ${definition}`,
    })),
    ...unforced.map((table) => ({
      does: `${table}: guarded against its owner again`,
      sql: `alter table ${quote(table)} force row level security`,
    })),
  ]
}
