import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RichText } from '#contract/rules/rich-text.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { listReconciledDays } from '#database/audits/reconciliation.ts'
import { dueDays } from '#database/sales/sum-up.ts'
import { aDatabase, openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { openAccounts } from '../identity/accounts.ts'
import { workRollups } from '../rollups.ts'
import { ensureDemo } from './demo.ts'
import { demoMerchants } from './merchants.ts'
import { demoAccounts } from './people.ts'

// Most tests make a whole demo, and some make three.
vi.setConfig({ testTimeout: 60_000 })

const end = new Date('2026-11-21T10:20:30.000Z')
const small = { now: end, machines: 12, transactions: 6000, historyDays: 12 }
const tiny = { machines: 4, transactions: 1000, historyDays: 4 }
const silent = { info: () => {}, warn: () => {} }

const make = (database: TestDatabase, options: Partial<Parameters<typeof ensureDemo>[0]> = {}) =>
  ensureDemo({
    adminUrl: database.adminUrl,
    doors: database,
    config: { secretKey: 'a secret of the tests, long enough' },
    log: silent,
    ...small,
    ...options,
  })

/** The history that most tests read and none changes. */
let database: TestDatabase
let demo: Awaited<ReturnType<typeof make>>
beforeAll(async () => {
  database = await openTestDatabase()
  demo = await make(database)
}, 120_000)
afterAll(() => database.close())

/** A sum over all rows of a table, whatever their order. */
const digestOf = async (database: TestDatabase, table: string, columns: string) => {
  const [row] = await database.admin<{ digest: string; count: number }>(
    `select md5(string_agg(t::text, '|' order by t::text)) as digest, count(*)::int as count from (select ${columns} from ${table}) t`,
  )
  return row
}

test('the hourly sums of the demo are those of its transactions, in the merchants’ hours', async () => {
  const { made } = demo
  const [difference] = await database.admin<{ differing: number; kept: number; total: number }>(`
    with recount as (
      select t.merchant_id, date_trunc('hour', t.created_at, m.time_zone) as hour, t.machine_id, t.type, t.media_type,
        t.media_source, count(*)::int, sum(t.value)::bigint, sum(t.value_charge)::bigint,
        (count(*) filter (where t.free_sale))::int, (count(*) filter (where t.error_sale))::int,
        coalesce(t.price_table, -1)::smallint, coalesce(t.product, t.product_code, '')
      from transactions t join merchants m on m.id = t.merchant_id group by 1, 2, 3, 4, 5, 6, t.price_table, 13)
    select (select count(*) from ((table recount except table sales_hourly)
        union all (table sales_hourly except table recount)) d)::int as differing,
      (select count(*) from sales_hourly)::int as kept, (select sum(count) from sales_hourly)::int as total`)
  expect(difference?.differing).toBe(0)
  expect(difference?.kept).toBeGreaterThan(1000)
  expect(difference?.total).toBe(made?.transactions)
})

test('all sums of the demo are what its rows add up to, and the days that have ended are summed up', async () => {
  let days = 0
  for await (const day of workRollups(database, { isCheck: true }, end)) {
    expect(day).toMatchObject({ different: [], refused: [] })
    days++
  }
  expect(days).toBeGreaterThan(12)
  for (const table of [
    'sales_daily',
    'product_sales_daily',
    'cash_hourly',
    'downtime_hourly',
    'summed_days',
    'absences',
  ])
    expect((await database.admin(`select from ${table} limit 1`)).length, table).toBe(1)
  expect(await dueDays(database, end, 10)).toEqual([])
})

test('a seed and an end time make the same past again', async () => {
  const tables = {
    transactions: 'merchant_id, created_at, id, machine_id, saved_at, machine_time, type, value, product, seq',
    alarms: '*',
    audits: 'id, read_at, sha256',
    machines: '*',
    remote_commands: '*',
  }
  const made = async (options: Parameters<typeof make>[1]) => {
    const database = await aDatabase()
    await make(database, { ...tiny, ...options })
    return Promise.all(Object.entries(tables).map(([table, columns]) => digestOf(database, table, columns)))
  }
  const [one, same, other] = await Promise.all([made({}), made({}), made({ seed: 'another' })])
  expect(same).toEqual(one)
  expect(other[0]?.digest).not.toBe(one[0]?.digest)
})

test('the demo is created once, and found again with its machines’ current sequence numbers', async () => {
  const database = await aDatabase()
  const first = await make(database, tiny)
  const before = await digestOf(database, 'transactions', '*')
  const second = await make(database, { ...tiny, now: new Date(end.getTime() + 5 * 3_600_000) })
  expect(second.made).toBeNull()
  expect(await digestOf(database, 'transactions', '*')).toEqual(before)
  expect(second.machines.map(({ plan, lastSeq }) => ({ plan, lastSeq }))).toEqual(
    first.machines.map(({ plan, lastSeq }) => ({ plan, lastSeq })),
  )
})

test('a demo of before there were features gets them once, and what somebody has switched off stays off', async () => {
  const own = await aDatabase()
  await make(own, tiny)
  const features = () =>
    own.admin<{ features: string[] }>('select features from merchant_features order by merchant_id')
  const complete = await features()
  expect(complete.flatMap((one) => one.features).length).toBeGreaterThan(0)
  await own.admin('delete from merchant_features')
  const said: unknown[] = []
  const log = { info: (...words: unknown[]) => void said.push(words), warn: () => {} }
  await make(own, { ...tiny, log })
  expect(await features()).toEqual(complete)
  expect(said).toHaveLength(1)
  await own.admin(`update merchant_features set features = '{}'`)
  await make(own, { ...tiny, log })
  expect((await features()).flatMap((one) => one.features)).toEqual([])
  expect(said).toHaveLength(1)
})

test('nothing is created beside real merchants', async () => {
  const database = await aDatabase()
  await database.admin(`insert into merchants (id, name, country, language, time_zone, currency, created_at)
    values (gen_random_uuid(), 'Own', 'IT', 'it', 'Europe/Rome', 'EUR', now())`)
  expect(await make(database)).toEqual({ machines: [], made: null })
  expect(await database.admin('select from transactions')).toEqual([])
})

test('an interrupted creation is repeated from the start', async () => {
  const database = await aDatabase()
  await make(database, tiny)
  const whole = await digestOf(database, 'transactions', '*')
  // As if everything but the last step had been done.
  await database.admin('truncate merchants, groups, machines, users, association_pins, machine_directory cascade')
  await database.admin('create table demo_staging_transactions_2026_11 (like transactions)')
  await make(database, tiny)
  expect(await digestOf(database, 'transactions', '*')).toEqual(whole)
})

test('the past ends now: nothing lies in the future', async () => {
  for (const [table, column] of Object.entries({
    transactions: 'saved_at',
    events: 'saved_at',
    audits: 'saved_at',
    alarms: 'last_at',
  }))
    expect(await database.admin(`select from ${table} where ${column} > $1`, [end]), table).toEqual([])
})

test('each machine’s journal is whole, and its last audit holds what it has sold', async () => {
  const { machines } = demo
  const gaps = await database.admin<{ missing: number }>(`
    select i.last - i.count as missing from machines m join machine_journals j on j.machine_id = m.id,
      lateral (select count(*) as count, count(distinct seq) as seqs, max(seq) as last from (
        select seq from transactions where machine_id = m.id union all select seq from events where machine_id = m.id
        union all select seq from audits where machine_id = m.id
        union all select seq from readings where machine_id = m.id
        union all select seq from configurations where machine_id = m.id
        union all select seq from cash_readings where machine_id = m.id) items) i
    where i.count <> i.seqs or i.last <> i.count or j.seen <> int8multirange(int8range(1, i.last + 1))`)
  // One machine of each merchant has lost a sale on the way.
  expect(gaps.map(({ missing }) => Number(missing))).toEqual(demoMerchants.map(() => 1))
  const audited = await database.admin<{ audits: number }>(
    'select count(a.id)::int as audits from machines m left join audits a on a.machine_id = m.id group by m.id',
  )
  expect(audited).toHaveLength(machines.length)
  for (const { audits } of audited) expect(audits).toBeGreaterThan(4)
})

test('audits match the transmitted sales except for a lost sale; lost counters and a swapped board are reported', async () => {
  const kinds = new Set<string>()
  for (const { id: merchantId } of demoMerchants) {
    const { rows } = await database.withTenant([{ merchantId, groups: 'all' }], (db) =>
      listReconciledDays(db, { startDate: '2026-11-10', endDate: '2026-11-21' }, { page: 1, size: 500 }),
    )
    const differing = rows.filter(({ state }) => state === 'differs')
    expect(differing.map((day) => Number(day.sold_count) - Number(day.sent_count))).toEqual([1])
    const [day] = differing
    expect(Number(day?.sold_value) - Number(day?.sent_value)).toBeGreaterThan(0)
    const agreeing = rows.filter(({ state }) => state === 'agrees')
    expect(agreeing.length).toBeGreaterThan(rows.length / 3)
    // Also in cash, of which most reads have a report.
    const inCash = agreeing.filter(({ taken, boxed }) => taken !== null && boxed !== null)
    expect(inCash.length).toBeGreaterThan(agreeing.length / 2)
    for (const row of rows) for (const kind of row.kinds ?? []) kinds.add(kind)
  }
  expect([...kinds].toSorted()).toEqual(['boardSwapped', 'counted', 'first', 'reset'])
})

test('every audit of the past can be read without a remark, and its sums agree', async () => {
  const bad = await database.admin(
    `select id from audits where crc <> 'holds' or warnings > 0 or sales_total is distinct from selections_total`,
  )
  expect(bad).toEqual([])
})

test('the demo’s people sign in with the public password and see what is theirs', async () => {
  const accounts = openAccounts(database)
  for (const { email, password, role } of demoAccounts) {
    const result = await accounts.signIn({ email, password, address: '127.0.0.1', now: new Date() })
    expect(result).toMatchObject({ account: { email, role } })
  }
  const reach = await database.admin<{ role: string; merchants: number; groups: number }>(`
    select u.role, count(distinct m.merchant_id)::int as merchants, count(distinct g.group_id)::int as groups
    from users u left join user_merchants m on m.user_id = u.id left join user_groups g on g.user_id = u.id group by 1`)
  const byRole = new Map(reach.map((row) => [row.role, row]))
  expect(roles.map((role) => [byRole.get(role)?.merchants, byRole.get(role)?.groups])).toEqual([
    [0, 0],
    [3, 0],
    [1, 2],
    [3, 0],
  ])
})

test('notes, repairs and commands name people of the demo who may do that at the machine', async () => {
  const acts = await database.admin<{ kind: string; wrong: number; people: number }>(`
    with acts as (
      select 'note' as kind, merchant_id, machine_id, created_by as by_id, created_by_name as name from notes
      union all select 'repair', merchant_id, machine_id, repaired_by_id, repaired_by from alarms
        where status = 'repairedManually'
      union all select 'command', merchant_id, machine_id, created_by, created_by_name from remote_commands)
    select kind, count(distinct by_id)::int as people,
      (count(*) filter (where not coalesce(u.name = a.name and not (kind = 'command' and u.role = 'merchantUser')
        and (r.all_groups or m.group_id in (select group_id from user_groups g where g.user_id = u.id)), false)))::int as wrong
    from acts a join machines m on m.merchant_id = a.merchant_id and m.id = a.machine_id
    left join users u on u.id = a.by_id
    left join user_merchants r on r.user_id = u.id and r.merchant_id = a.merchant_id
    group by kind order by kind`)
  expect(acts.map(({ kind, wrong }) => [kind, wrong])).toEqual([
    ['command', 0],
    ['note', 0],
    ['repair', 0],
  ])
  expect(Math.max(...acts.map(({ people }) => people))).toBeGreaterThan(2)
})

test('working days sell more than Sundays, the day more than the night; commands have ended in every way, and something is wrong now', async () => {
  const database = await aDatabase()
  await make(database, { machines: 48, transactions: 24_000, historyDays: 21 })
  const [rhythm] = await database.admin<{ working: number; sunday: number; day: number; night: number }>(`
    select sum(count) filter (where extract(isodow from local) < 6)::int / 5 as working,
      sum(count) filter (where extract(isodow from local) = 7)::int as sunday,
      sum(count) filter (where extract(hour from local) between 8 and 16)::int / 9 as day,
      sum(count) filter (where extract(hour from local) between 1 and 4)::int / 4 as night
    from (select s.count, s.hour at time zone m.time_zone as local from sales_hourly s
      join merchants m on m.id = s.merchant_id where s.type in (1, 2, 14, 15)) h`)
  expect(rhythm?.sunday).toBeGreaterThan(0)
  expect(rhythm?.working).toBeGreaterThan((rhythm?.sunday ?? 0) * 1.5)
  expect(rhythm?.night).toBeGreaterThan(0)
  expect(rhythm?.day).toBeGreaterThan((rhythm?.night ?? 0) * 5)
  const ends = await database.admin<{ end: string }>(
    `select distinct status || '/' || result as end from remote_commands`,
  )
  expect(ends.map((row) => row.end).sort()).toEqual(['2/0', '3/-1', '3/-2', '3/-3', '3/1', '4/3', '5/2'])
  const open = await database.admin<{ criticity: number }>(
    `select distinct criticity from alarms where status in ('active', 'notification')`,
  )
  expect(open.map((row) => row.criticity)).toEqual(expect.arrayContaining([2, 4]))
})

test('what to do about an alarm is written as it may be stored, in every language for most codes', async () => {
  const rows = await database.admin<{ code: string; language: string; content: string }>(
    'select code, language, content from troubleshooting_texts',
  )
  const byCode = Map.groupBy(rows, ({ code }) => code)
  expect([...byCode.values()].filter((texts) => texts.length === languages.length).length).toBeGreaterThanOrEqual(5)
  for (const { code, language, content } of rows)
    expect([code, language, RichText.safeParse(content).success]).toEqual([code, language, true])
})

test('machines have a past of what they measured and how they were configured', async () => {
  const [dense] = await database.admin<{ machines: number; least: number; signal: number; cold: string }>(`
    select count(*)::int as machines, min(n)::int as least, min(signal)::int as signal, max(cold) as cold from (
      select machine_id, count(*) as n, count(signal_percent) as signal, max(temperature_celsius) as cold
      from readings group by 1) r`)
  expect(dense?.machines).toBe(12)
  // A quarter of an hour apart for a week.
  expect(dense?.least).toBeGreaterThan(500)
  expect(dense?.signal).toBe(dense?.least)
  expect(Number(dense?.cold)).toBeGreaterThan(5)
  const sensed = await database.admin<{ hours: number; differs: boolean }>(
    `select count(*)::int as hours, max(value) > min(value) as differs from sensor_readings
     where submodule = 'coinValidator' and name = 'entry' group by machine_id`,
  )
  expect(sensed).toHaveLength(12)
  // By the hour for a week, but for what a machine was cut off from; coins leave dirt.
  expect(Math.min(...sensed.map(({ hours }) => hours))).toBeGreaterThan(60)
  expect(sensed.some(({ differs }) => differs)).toBe(true)
  const versions = await database.admin<{ versions: number }>(
    'select count(distinct sha256)::int as versions from configurations group by machine_id',
  )
  expect(versions).toHaveLength(12)
  expect(Math.min(...versions.map((row) => row.versions))).toBeGreaterThanOrEqual(2)
  const syncs = await database.admin<{ differs: boolean }>(`
    select distinct exists (select from jsonb_each_text(w.parameters) p where p.value is distinct from c.parameters ->> p.key) as differs
    from custom_configurations w cross join lateral (
      select parameters from configurations c where c.merchant_id = w.merchant_id and c.machine_id = w.machine_id
      order by read_at desc limit 1) c order by 1`)
  expect(syncs).toEqual([{ differs: false }, { differs: true }])
})
