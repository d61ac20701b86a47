import type pg from 'pg'
import { indexesAside } from '../rollups/grow.ts'

/** What a table's rows of a machine are, where it has other columns than the machine's to set. */
interface Copied {
  table: string
  /** Columns that are computed for the copy, from the row `t` and its copy `c`. */
  set?: Readonly<Record<string, string>>
  /** Its indexes are created at the end. */
  isLarge?: boolean
  /** The days in whose order rows are written: the worker writes all machines of a day at once, so they lie side by side. */
  inOrderOf?: string
}

/** An id that follows from a text: a UUID of version 4. */
const idFrom = (text: string) => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`

/** The same id of a row's copy wherever it is named. */
const copied = (column: string) => idFrom(`t.${column}::text || c.number`)

/** The data of machines. Sales themselves and readings of sensors are left out: no list or figure of machines reads them. */
const tables: readonly Copied[] = [
  { table: 'machine_supplies' },
  { table: 'machine_usual_sales' },
  { table: 'machine_versions' },
  { table: 'machine_sensors' },
  { table: 'notes' },
  { table: 'alarms' },
  { table: 'absences' },
  { table: 'downtime_hourly', isLarge: true },
  { table: 'remote_commands', set: { claim_id: 'null' } },
  { table: 'machine_stock', isLarge: true },
  { table: 'machine_prices', isLarge: true },
  { table: 'cash_readings', isLarge: true },
  { table: 'cash_hourly', isLarge: true },
  { table: 'collections' },
  {
    table: 'collection_sources',
    set: { collection_id: copied('collection_id'), source_id: copied('source_id') },
    isLarge: true,
  },
  {
    table: 'audit_intervals',
    set: { audit_id: copied('audit_id'), begin_audit_id: copied('begin_audit_id') },
    isLarge: true,
  },
  { table: 'machine_kpis_daily', isLarge: true, inOrderOf: 'day' },
  { table: 'machine_kpis_spans', isLarge: true, inOrderOf: 'first' },
  { table: 'rollout_machines', set: { command_id: copied('command_id'), position: 't.position + 1000 * c.number' } },
  { table: 'sales_daily', isLarge: true, inOrderOf: 'day' },
  { table: 'machine_sales_to_date', isLarge: true, inOrderOf: 'day' },
  { table: 'packed_sales_days', isLarge: true, inOrderOf: 'day' },
  { table: 'open_sales_hourly' },
]

/** The columns of a table that are written. */
async function columnsOf(owner: pg.Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/**
 * Copies machines of a merchant, all in turn, until it has `count` more, with their stock, alarms, collections, audits, KPIs, prices and sums.
 * Their names are numbered; they cannot sign in. The sums by group and merchant keep their figures: their rows do not depend on the number of machines.
 */
export async function copyMachines(owner: pg.Client, merchantId: string, count: number): Promise<string> {
  await owner.query(`set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
  // Copies refer to copies, so foreign keys are not checked row by row.
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `create table copies as
      select m.id as template, ${idFrom('m.id::text || n')} as id, row_number() over (order by n, m.serial) as number
      from machines m cross join generate_series(1, 1 + $2::int / (select count(*)::int from machines where merchant_id = $1)) n
      where m.merchant_id = $1 and m.deleted_at is null order by n, m.serial limit $2`,
    [merchantId, count],
  )
  await owner.query('alter table copies add primary key (template, id); analyze copies')
  const copy = async ({ table, set = {}, inOrderOf }: Copied, key: string) => {
    const columns = await columnsOf(owner, table)
    const values = columns.map(
      (name) => set[name] ?? (name === key ? 'c.id' : name === 'id' ? copied('id') : `t.${name}`),
    )
    await owner.query(
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
        from ${table} t join copies c on c.template = t.${key} where t.merchant_id = '${merchantId}'
        ${inOrderOf ? `order by t.${inOrderOf}, c.id` : ''}`,
    )
  }
  const name = (column: string) => `left(t.${column}, 180) || ' ' || lpad(c.number::text, 5, '0')`
  await copy({ table: 'machines', set: { serial: `'ROW-' || lpad(c.number::text, 5, '0')`, name: name('name') } }, 'id')
  const withoutIndexes = await indexesAside(
    owner,
    tables.flatMap(({ table, isLarge }) => (isLarge ? [table] : [])),
  )
  for (const table of tables) await copy(table, 'machine_id')
  await withoutIndexes.restore()
  await owner.query('drop table copies')
  await owner.query('vacuum analyze')
  const { rows } = await owner.query<{ machines: string; alarms: string; days: string }>(
    `select (select count(*) from machines) as machines, (select count(*) from alarms) as alarms,
      (select count(*) from sales_daily) as days`,
  )
  const { machines, alarms, days } = rows[0] ?? {}
  return `a copy of the database was grown to ${machines} machines with ${alarms} alarms and ${days} sums of days`
}
