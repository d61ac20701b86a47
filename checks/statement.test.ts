import { loadModule } from 'libpg-query'
import { describe, expect, test } from 'vitest'
import { tables } from '#database/frame/registry.ts'
import { systemReasons } from '#database/frame/system-reasons.ts'
import { analyse, crashesOf, faultsOf, type Reader } from './statement.ts'
import { statementExceptions, unusedExceptions } from './statement-exceptions.ts'

await loadModule()
const merchantId = 'a merchant'
const faults = (text: string, reader: Reader = { merchantId }, parameters: unknown[] = [merchantId, merchantId]) =>
  faultsOf(analyse(text), reader, parameters)

const unbound = (table: string) => `${table} has no condition on merchant_id of its own`

test.each([
  ['a plain table', 'select 1 from machines where merchant_id = $1'],
  ['the parameter first, with a cast', 'select 1 from machines m where $1::uuid = m.merchant_id'],
  [
    'an inner join on merchant_id',
    'select 1 from machines m join alarms a on a.merchant_id = m.merchant_id where a.merchant_id = $1',
  ],
  [
    'joins in a row',
    'select 1 from machines m join alarms a using (merchant_id) join notes n using (merchant_id) where m.merchant_id = $1',
  ],
  [
    'a left join on merchant_id',
    'select 1 from machines m left join alarms a on a.merchant_id = m.merchant_id and a.machine_id = m.id where m.merchant_id = $1',
  ],
  [
    'a left join with its own condition',
    'select 1 from machines m left join alarms a on a.machine_id = m.id and a.merchant_id = $2 where m.merchant_id = $1',
  ],
  ['a join through the merchants', 'select 1 from merchants o join machines m on m.merchant_id = o.id where o.id = $1'],
  [
    'a sub-select with its own condition',
    'select (select count(*) from alarms where merchant_id = $2) from machines where merchant_id = $1',
  ],
  [
    'each arm of a union',
    'select id from alarms where merchant_id = $1 union all select id from notes where merchant_id = $2',
  ],
  ['a CTE and what reads it', 'with a as (select id from alarms where merchant_id = $1) select 1 from a'],
  [
    'an insert of values',
    'insert into groups (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set name = excluded.name',
  ],
  [
    'an insert from arrays',
    'insert into groups (merchant_id, id) select $1, rows.id from unnest($2::uuid[]) as rows (id)',
  ],
  ['an update', 'update machines set name = $2 where merchant_id = $1'],
  [
    'an update from arrays',
    'update machines m set name = r.name from unnest($2::uuid[]) as r (id) where m.merchant_id = $1 and m.id = r.id',
  ],
  ['a lock on one merchant', 'select 1 from machines where merchant_id = $1 for update'],
  ['local tables alone', 'select 1 from users u join user_merchants m on m.user_id = u.id'],
  ['a recursive query without tables', 'with recursive n as (select 1 union all select 2 from n) select 1 from n'],
  ['a function of ours alone', 'select invisible_people()'],
])('%s passes', (_, text) => {
  expect(faults(text)).toEqual([])
})

test.each([
  [
    'no column of a sub-select',
    'select id from machines m where merchant_id = $1 and exists (select from notes n where n.merchant_id = $1)',
  ],
  [
    'a function in RETURNING',
    `delete from notes where merchant_id = $1 returning to_char(at at time zone 'UTC', 'YYYY')`,
  ],
  ['a date as text in RETURNING', 'delete from notes where merchant_id = $1 returning at::text'],
  ['now() in CASE', 'update machines set seen_at = case when hidden then now() end where merchant_id = $1'],
  [
    'now() in COALESCE of a conflict',
    'insert into notes (merchant_id, at) values ($1, $2) on conflict (merchant_id) do update set at = coalesce(excluded.at, now())',
  ],
  [
    'a column as an array',
    'update machine_stock s set usual = k.usual::real[] from unnest($2::text[]) as k (usual) where s.merchant_id = $1',
  ],
  ['a column and an interval', `update machines set seen_at = seen_at - interval '1 minute' where merchant_id = $1`],
  [
    'a column and an interval in a condition',
    `delete from notes where merchant_id = $1 and at + make_interval(hours => $2) < now()`,
  ],
])('%s is refused', (_, text) => {
  expect(faults(text)).toHaveLength(1)
})

test.each([
  ['now() alone', 'update machines set seen_at = now() where merchant_id = $1 returning id'],
  [
    'CASE over a parameter',
    'update machines set seen_at = case when hidden then $2::timestamptz end where merchant_id = $1',
  ],
  ['now() in the CASE of a read', 'select case when seen_at > now() then 1 end from machines where merchant_id = $1'],
  [
    'a parameter and an interval',
    `update machines set hidden = true where merchant_id = $1 and seen_at < $2 - interval '1 minute'`,
  ],
  ['a parameter as an array', 'update machine_stock s set usual = $2::real[] where merchant_id = $1'],
])('%s passes', (_, text) => {
  expect(faults(text)).toEqual([])
})

test.each([
  [
    'merchants and their features',
    'select m.id from merchants m left join merchant_features f on f.merchant_id = m.id and f.merchant_id = any($1) where m.id = any($1)',
  ],
  [
    'an array and alarms',
    'select w.id from unnest($1::uuid[]) w (id) left join alarms a on a.merchant_id = any($1) and a.machine_id = w.id',
  ],
  [
    'a right join',
    'select m.id from merchant_features f right join merchants m on f.merchant_id = m.id and f.merchant_id = any($1)',
  ],
  [
    'two functions of a row',
    'select x.n from configurations c cross join lateral (select count(*) as n from jsonb_each(c.parameters) a full join jsonb_each(c.parameters) b using (key)) x where c.merchant_id = any($1)',
  ],
  [
    'an array and two joined tables',
    'select w.id from unnest($1::uuid[]) w (id) left join (alarms a join machines m using (merchant_id)) on a.merchant_id = any($1) and m.id = w.id',
  ],
  [
    'merchants that have machines',
    'select m.id from merchants m where exists (select 1 from machines p where p.merchant_id = m.id)',
  ],
])('%s end the coordinator or are refused, unless one node has all rows', (_, text) => {
  expect(crashesOf(analyse(text), 'several')).not.toEqual([])
  expect(crashesOf(analyse(text), { merchantId })).toEqual([])
})

test.each([
  [
    'merchants of a sub-select on its own',
    'select m.id from merchants m where m.id in (select p.merchant_id from machines p where p.merchant_id = any($1))',
  ],
  [
    'a sub-select',
    'select m.id from merchants m left join (select * from merchant_features where merchant_id = any($1)) f on f.merchant_id = m.id',
  ],
  [
    'two tenant tables',
    'select m.id from machines m left join alarms a on a.merchant_id = m.merchant_id where m.merchant_id = any($1)',
  ],
  [
    'an inner join',
    'select m.id from merchants m join merchant_features f on f.merchant_id = m.id and f.merchant_id = any($1)',
  ],
  [
    'an update, whose table is of its merchants, from an array',
    `update machine_prices price set charged = sold.price from unnest($2::uuid[], $3::bigint[]) sold (merchant_id, price)
     where price.merchant_id = any($1) and price.merchant_id = sold.merchant_id and not exists
       (select 1 from machine_prices exact where exact.merchant_id = any($1) and exact.merchant_id = sold.merchant_id)`,
  ],
])('%s leaves it running', (_, text) => {
  expect(crashesOf(analyse(text), 'several')).toEqual([])
})

test.each([
  ['no condition', 'select 1 from machines', 'machines'],
  ['a condition on the id alone', 'select 1 from machines where id = $1', 'machines'],
  ['merchant_id in one branch of an OR', 'select 1 from machines where merchant_id = $1 or id = $2', 'machines'],
  ['merchant_id that is not so', 'select 1 from machines where not merchant_id = $1', 'machines'],
  ['another operator', 'select 1 from machines where merchant_id >= $1', 'machines'],
  [
    'the setting in place of a parameter',
    `select 1 from machines where merchant_id = current_setting('app.merchant_ids')::uuid`,
    'machines',
  ],
  ['a partition', 'select 1 from transactions_2026_11', 'transactions_2026_11'],
  ['a name with its schema', 'select 1 from public.machines', 'machines'],
  [
    'a sub-select',
    'select (select count(*) from alarms a where a.machine_id = m.id) from machines m where merchant_id = $1',
    'alarms',
  ],
  [
    'a sub-select that takes it from outside',
    'select (select count(*) from alarms a where a.merchant_id = m.merchant_id) from machines m where m.merchant_id = $1',
    'alarms',
  ],
  [
    'EXISTS',
    'select 1 from machines m where m.merchant_id = $1 and exists (select 1 from alarms a where a.merchant_id = m.merchant_id)',
    'alarms',
  ],
  ['IN', 'select 1 from machines where merchant_id = $1 and id in (select machine_id from alarms)', 'alarms'],
  [
    'a lateral join',
    'select 1 from machines m cross join lateral (select 1 from alarms a where a.merchant_id = m.merchant_id limit 1) a where m.merchant_id = $1',
    'alarms',
  ],
  [
    'a left join on the machine alone',
    'select 1 from machines m left join alarms a on a.machine_id = m.id where m.merchant_id = $1',
    'alarms',
  ],
  [
    'a left join that says it of the other side',
    'select 1 from machines m left join alarms a on a.machine_id = m.id and m.merchant_id = $2 where m.merchant_id = $1',
    'alarms',
  ],
  [
    'the side of a left join that keeps its rows',
    'select 1 from machines m left join alarms a on a.merchant_id = m.merchant_id and a.merchant_id = $1',
    'machines',
  ],
  ['a full join', 'select 1 from machines m full join alarms a using (merchant_id) where m.merchant_id = $1', 'alarms'],
  ['a CTE', 'with a as (select 1 from alarms) select 1 from a, machines m where m.merchant_id = $1', 'alarms'],
  [
    'a CTE inside a sub-select',
    'select (with a as (select 1 from alarms) select count(*) from a) from machines where merchant_id = $1',
    'alarms',
  ],
  [
    'a join to a CTE that has it',
    'with a as (select merchant_id from alarms where merchant_id = $1) select 1 from machines m join a using (merchant_id)',
    'machines',
  ],
  ['one arm of a union', 'select id from alarms where merchant_id = $1 union select id from notes', 'notes'],
  ['the third arm of a union', 'select 1 union select 2 union select 3 from notes', 'notes'],
  ['an update', 'update machines set name = $1 where id = $2', 'machines'],
  [
    'UPDATE … FROM',
    'update machines m set name = $1 from alarms a where a.machine_id = m.id and m.merchant_id = $1',
    'alarms',
  ],
  ['DELETE … USING', 'delete from notes n using machines m where n.machine_id = m.id and m.merchant_id = $1', 'notes'],
  [
    'MERGE',
    'merge into machines m using unnest($1::uuid[]) as r (id) on m.id = r.id when matched then delete',
    'machines',
  ],
  [
    'MERGE from a tenant table',
    'merge into machines m using alarms a on m.merchant_id = a.merchant_id and a.merchant_id = $1 when matched then delete',
    'alarms',
  ],
  [
    'RETURNING with a sub-select',
    'delete from notes where merchant_id = $1 returning (select name from machines where id = machine_id)',
    'machines',
  ],
  [
    'ON CONFLICT with a sub-select',
    'insert into notes (id) values ($1) on conflict (id) do update set text = (select name from machines)',
    'machines',
  ],
  [
    'ORDER BY with a sub-select',
    'select 1 from machines where merchant_id = $1 order by (select count(*) from alarms)',
    'alarms',
  ],
  ['the second statement', 'select 1; select 1 from machines', 'machines'],
])('%s does not narrow its table', (_, text, table) => {
  expect(faults(text)).toContain(unbound(table))
})

test.each([
  [
    'INSERT … SELECT',
    'insert into groups select * from groups where merchant_id = $1',
    'inserts what it reads from groups',
  ],
  [
    'an insert of a sub-select',
    'insert into groups (id) values ((select id from clients where merchant_id = $1))',
    'inserts what it reads from clients',
  ],
  [
    'an insert from a CTE',
    'with c as (select id from clients where merchant_id = $1) insert into groups select id from c',
    'inserts what it reads from clients',
  ],
  [
    'tables of tenants beside local ones',
    'select 1 from machines m, users u where m.merchant_id = $1',
    'joins tables of tenants with local ones',
  ],
  [
    'a local table in a sub-select',
    'select (select count(*) from users) from machines where merchant_id = $1',
    'joins tables of tenants with local ones',
  ],
  [
    'what a function reads',
    'select 1 from machines where merchant_id = $1 and id in (select machine_id from search_machines($2))',
    'joins tables of tenants with what search_machines() reads',
  ],
  [
    'a recursive query',
    'with recursive n as (select 1 union all select 2 from n) select 1 from machines, n where merchant_id = $1',
    'reads tables of tenants beside a recursive query',
  ],
])('%s is refused', (_, text, fault) => {
  expect(faults(text)).toEqual([fault])
})

test('for one merchant, a list of merchants or an OR of them is too wide', () => {
  const many = 'select 1 from machines where merchant_id = any($1::uuid[])'
  const either = 'select 1 from machines where (merchant_id = $1 and id = $2) or merchant_id = $2'
  for (const text of [many, either]) {
    expect(faults(text)).toEqual(['machines is not narrowed to one merchant'])
    expect(faults(text, 'several')).toEqual([])
  }
  expect(faults('select 1 from machines', 'several')).toEqual([unbound('machines')])
})

test('a parameter that names another merchant is refused', () => {
  const text = 'select 1 from machines m join alarms a on a.merchant_id = $2 where m.merchant_id = $1'
  expect(faults(text, { merchantId }, [merchantId, 'another'])).toEqual(['alarms is narrowed to another merchant'])
})

test.each(['for update', 'for no key update of m', 'for share', 'for key share skip locked'])(
  'rows of several merchants are not locked (%s)',
  (lock) => {
    const text = (condition: string) => `select 1 from machines m where ${condition} ${lock}`
    expect(faults(text('merchant_id = any($1)'), 'several')).toEqual(['locks rows of several merchants in machines'])
    expect(faults(text('merchant_id = $1'), 'several')).toEqual([])
    const nested = `with held as (${text('merchant_id = any($1)')}) select 1 from held`
    expect(faults(nested, 'several')).toEqual(['locks rows of several merchants in machines'])
  },
)

test('the rules know every tenant table of the registry', () => {
  const tenants = Object.entries(tables).filter(([, kind]) => kind === 'tenant')
  expect(tenants.length).toBeGreaterThan(30)
  for (const [table] of tenants) expect(faults(`select 1 from ${table}`)).toEqual([unbound(table)])
})

test('exceptions of the system door are reasons of its list', () => {
  expect(Object.keys(systemReasons)).toEqual(expect.arrayContaining(Object.keys(statementExceptions.system)))
})

test('an exception that nothing used is found', () => {
  const names = Object.entries(statementExceptions).flatMap(([kind, files]) =>
    Object.keys(files).map((file) => `${kind}: ${file}`),
  )
  expect(unusedExceptions(names.join('\n'))).toEqual([])
  expect(unusedExceptions(names.slice(1).join('\n'))).toEqual(names.slice(0, 1))
})

describe('a screen over several merchants', () => {
  const several = (text: string) => faultsOf(analyse(text), 'several')

  test.each([
    [
      'a lateral sub-select',
      'select 1 from merchants m cross join lateral (select 1 from alarms a where a.merchant_id = any($1) and a.merchant_id = m.id limit 1) a where m.id = any($1)',
      'reads alarms in a lateral sub-select',
    ],
    [
      'a sub-select without FROM beside one that reads',
      'select (select count(*) from alarms a where a.merchant_id = any($1) and a.merchant_id = m.merchant_id) from machines m, lateral (select m.name as n) s where m.merchant_id = any($1)',
      'has a sub-select without FROM beside one that reads alarms',
    ],
    ['a view', 'select 1 from sales_hourly e where e.merchant_id = any($1)', 'reads the view sales_hourly'],
  ])('%s is refused, unless each merchant answers it', (_, text, fault) => {
    expect(several(text)).toEqual([fault])
    expect(faultsOf(analyse(text), 'each')).toEqual([])
    expect(several(`select * from (select * from (${text}) as of_each_merchant) r`)).toEqual([])
    expect(several(text.replaceAll('= any($1)', '= $1'))).toEqual([])
  })

  test('a part of each merchant still has its own conditions', () => {
    const unbound = 'select * from (select 1 from alarms a) as of_each_merchant'
    expect(several(unbound)).toEqual(['alarms has no condition on merchant_id of its own'])
  })

  test('what is left-joined to what every node has ends no coordinator inside of such a part', () => {
    const hung =
      'select 1 from merchants m left join alarms a on a.merchant_id = m.id and a.merchant_id = any($1) where m.id = any($1)'
    expect(crashesOf(analyse(hung), 'several')).toHaveLength(1)
    expect(crashesOf(analyse(`select * from (${hung}) as of_each_merchant`), 'several')).toEqual([])
    expect(crashesOf(analyse(hung), 'each')).toEqual([])
  })

  test('only a temporary table of the coordinator takes what is read', () => {
    const read = 'select a.id from alarms a where a.merchant_id = any($1)'
    expect(several(`insert into spooled_1 ${read}`)).toEqual([])
    expect(several(`insert into groups ${read}`)).toEqual(['inserts what it reads from alarms'])
  })
})
