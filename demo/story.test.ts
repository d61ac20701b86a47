import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RichText } from '#contract/rules/rich-text.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { listReconciledDays } from '#database/audits/reconciled-day.ts'
import { sendNoVendProfiles } from '#database/catalogue/no-vend-schedule.ts'
import { dueDays } from '#database/sums/sum-up.ts'
import { openAccounts } from '#server/identity/accounts.ts'
import { workRollups } from '#server/worker/rollups.ts'
import { nodeUrls } from '#testkit/cluster/nodes.ts'
import { aCopyOf, aDatabase, openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { demoMerchants } from './operators/merchants.ts'
import { demoAccounts } from './operators/people.ts'
import { ensureDemo } from './story.ts'

// Some tests create whole demos. On several nodes each statement takes some trips.
vi.setConfig({ testTimeout: nodeUrls.length > 0 ? 240_000 : 60_000 })

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

/** The shared history, which no test changes. */
let database: TestDatabase
let demo: Awaited<ReturnType<typeof make>>
/** A short history of a few machines, whose copies tests change. */
let tinyDatabase: TestDatabase
let tinyDemo: Awaited<ReturnType<typeof make>>
beforeAll(async () => {
  database = await openTestDatabase()
  demo = await make(database)
  tinyDatabase = await openTestDatabase()
  tinyDemo = await make(tinyDatabase, tiny)
  await tinyDatabase.release()
}, 120_000)
afterAll(async () => {
  await database.close()
  await tinyDatabase.close()
})

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
      select t.merchant_id, (t.created_at at time zone m.time_zone)::date as day, t.machine_id,
        date_trunc('hour', t.created_at, m.time_zone) as hour, t.type, t.media_type, t.media_source,
        coalesce(t.price_table, -1)::smallint, coalesce(t.product, t.product_code, ''), count(*)::int, coalesce(sum(t.value) filter (where not t.error_sale), 0)::bigint, sum(t.value_charge)::bigint,
        (count(*) filter (where t.free_sale))::int, (count(*) filter (where t.error_sale))::int,
        coalesce(sum(t.value) filter (where t.error_sale), 0)::bigint,
        sum(cash_moved(t.type, t.media_type, t.media_source, t.paid_with, t.error_sale, t.value))::bigint
      from transactions t join merchants m on m.id = t.merchant_id group by 1, 2, 3, 4, 5, 6, 7, t.price_table, 9)
    select (select count(*) from ((table recount except table sales_hourly)
        union all (table sales_hourly except table recount)) d)::int as differing,
      (select count(*) from sales_hourly)::int as kept, (select sum(count) from sales_hourly)::int as total`)
  expect(difference?.differing).toBe(0)
  expect(difference?.kept).toBeGreaterThan(1000)
  expect(difference?.total).toBe(made?.transactions)
})

test('all sums of the demo match its rows, and ended days are summed up', async () => {
  let days = 0
  for await (const day of workRollups(database, { isCheck: true }, end)) {
    expect(day).toMatchObject({ different: [], refused: [] })
    days++
  }
  expect(days).toBeGreaterThan(12)
  for (const table of [
    'open_sales_hourly',
    'packed_sales_days',
    'packed_group_sales_days',
    'merchant_products_daily',
    'machine_sales_to_date',
    'place_products_to_date',
    'sales_daily',
    'cash_hourly',
    'downtime_hourly',
    'machine_kpis_daily',
    'machine_kpis_spans',
    'merchant_kpis_daily',
    'summed_days',
    'absences',
  ])
    expect((await database.admin(`select 1 from ${table} limit 1`)).length, table).toBe(1)
  expect(await dueDays(database, end, 10)).toEqual([])
})

test('a seed and an end time always create the same past', async () => {
  const tables = {
    transactions: 'merchant_id, created_at, id, machine_id, saved_at, machine_time, type, value, product, seq',
    // Alarms by managed levels come from the product's own rule, with ids of their own.
    alarms: 'merchant_id, machine_id, code, status, criticity, detail, count, created_at, last_at, repaired_at',
    audits: 'id, read_at, sha256',
    machines: '*',
    remote_commands: '*',
  }
  const digestsOf = (database: TestDatabase) =>
    Promise.all(Object.entries(tables).map(([table, columns]) => digestOf(database, table, columns)))
  const made = async (options: Parameters<typeof make>[1]) => {
    const database = await aDatabase()
    await make(database, { ...tiny, ...options })
    return digestsOf(database)
  }
  const one = await digestsOf(await aCopyOf(tinyDatabase))
  const [same, other] = await Promise.all([made({}), made({ seed: 'another' })])
  expect(same).toEqual(one)
  expect(other[0]?.digest).not.toBe(one[0]?.digest)
})

test('the demo is created once, and reused with its machines’ current sequence numbers', async () => {
  const database = await aCopyOf(tinyDatabase)
  const before = await digestOf(database, 'transactions', '*')
  const second = await make(database, { ...tiny, now: new Date(end.getTime() + 5 * 3_600_000) })
  expect(second.made).toBeNull()
  expect(await digestOf(database, 'transactions', '*')).toEqual(before)
  expect(second.machines.map(({ plan, lastSeq }) => ({ plan, lastSeq }))).toEqual(
    tinyDemo.machines.map(({ plan, lastSeq }) => ({ plan, lastSeq })),
  )
})

test('a demo from before features existed gets them once, and features that a user switched off stay off', async () => {
  const otherDatabase = await aCopyOf(tinyDatabase)
  const features = () =>
    otherDatabase.admin<{ features: string[] }>('select features from merchant_features order by merchant_id')
  const complete = await features()
  expect(complete.flatMap((one) => one.features).length).toBeGreaterThan(0)
  await otherDatabase.admin('delete from merchant_features')
  const logged: unknown[] = []
  const log = { info: (...words: unknown[]) => void logged.push(words), warn: () => {} }
  await make(otherDatabase, { ...tiny, log })
  expect(await features()).toEqual(complete)
  expect(logged).toHaveLength(1)
  await otherDatabase.admin(`update merchant_features set features = '{}'`)
  await make(otherDatabase, { ...tiny, log })
  expect((await features()).flatMap((one) => one.features)).toEqual([])
  expect(logged).toHaveLength(1)
})

test('nothing is created beside real merchants', async () => {
  const database = await aDatabase()
  await database.admin(`insert into merchants (id, name, country, language, time_zone, currency, created_at)
    values (gen_random_uuid(), 'Own', 'IT', 'it', 'Europe/Rome', 'EUR', now())`)
  expect(await make(database)).toEqual({ machines: [], made: null })
  expect(await database.admin('select 1 from transactions')).toEqual([])
})

test('an interrupted creation is repeated from the start', async () => {
  const database = await aCopyOf(tinyDatabase)
  const whole = await digestOf(database, 'transactions', '*')
  // As if everything but the last step had been done.
  await database.admin('truncate merchants, groups, machines, users, association_pins, machine_directory cascade')
  await database.admin('create table demo_staging_transactions_2026_11 (like transactions)')
  await make(database, tiny)
  expect(await digestOf(database, 'transactions', '*')).toEqual(whole)
})

test('the past ends now, and nothing is in the future', async () => {
  for (const [table, column] of Object.entries({
    transactions: 'saved_at',
    events: 'saved_at',
    audits: 'saved_at',
    alarms: 'last_at',
  }))
    expect(await database.admin(`select 1 from ${table} where ${column} > $1`, [end]), table).toEqual([])
})

test('each machine’s journal is complete, and its last audit matches its sales', async () => {
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
  // One machine of each merchant has a lost sale.
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
    // Also in cash, since most readings have a cash report.
    const inCash = agreeing.filter(({ taken, boxed }) => taken !== null && boxed !== null)
    expect(inCash.length).toBeGreaterThan(agreeing.length / 2)
    for (const row of rows) for (const kind of row.kinds ?? []) kinds.add(kind)
  }
  expect([...kinds].toSorted()).toEqual(['boardSwapped', 'counted', 'first', 'reset'])
})

test('every audit of the past is read without a remark, and its sums match', async () => {
  const bad = await database.admin(
    `select id from audits where crc <> 'holds' or warnings > 0 or sales_total is distinct from selections_total`,
  )
  expect(bad).toEqual([])
})

test('the demo’s users sign in with the public password and see their own scope', async () => {
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

test('notes, repairs and commands are by users of the demo with the required permission', async () => {
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

test('working days sell more than Sundays, and days more than nights; commands have every outcome, and some alarms are open', async () => {
  const database = await aDatabase()
  // So many that there are machines at a school.
  await make(database, { machines: 60, transactions: 24_000, historyDays: 21 })
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

  // The worker finds each school's machine in sync, so the start of a demo sends nothing.
  const due = await sendNoVendProfiles(database, end)
  expect(due).toEqual([])
  const schools = await database.admin<{ name: string; sector: string; differs: boolean; unsold: number }>(`
    select p.name, m.sector, coalesce(cardinality(string_to_array(nullif(w.parameters ->> 'novend.selections', ''), ',')), 0) as unsold,
      exists (select 1 from jsonb_each_text(w.parameters) t
        where starts_with(t.key, 'novend.') and t.value is distinct from c.parameters ->> t.key) as differs
    from machines m join no_vend_profiles p on p.merchant_id = m.merchant_id and p.id = m.no_vend_profile_id
    join custom_configurations w on w.merchant_id = m.merchant_id and w.machine_id = m.id
    cross join lateral (select parameters from configurations c where c.merchant_id = m.merchant_id and c.machine_id = m.id
      order by read_at desc limit 1) c`)
  expect(schools.length).toBeGreaterThan(0)
  for (const { unsold, ...school } of schools) {
    expect(school).toEqual({ name: 'Orario scolastico', sector: 'school', differs: false })
    expect(unsold).toBeGreaterThan(0)
  }
})

test('troubleshooting texts are valid, and most codes have them in every language', async () => {
  const rows = await database.admin<{ code: string; language: string; content: string }>(
    'select code, language, content from troubleshooting_texts',
  )
  const byCode = Map.groupBy(rows, ({ code }) => code)
  expect([...byCode.values()].filter((texts) => texts.length === languages.length).length).toBeGreaterThanOrEqual(5)
  for (const { code, language, content } of rows)
    expect([code, language, RichText.safeParse(content).success]).toEqual([code, language, true])
})

test('machines have a history of readings and configurations', async () => {
  const [dense] = await database.admin<{ machines: number; least: number; signal: number; cold: string }>(`
    select count(*)::int as machines, min(n)::int as least, min(signal)::int as signal, max(cold) as cold from (
      select machine_id, count(*) as n, count(signal_percent) as signal, max(temperature_celsius) as cold
      from readings group by 1) r`)
  expect(dense?.machines).toBe(12)
  // A reading every quarter of an hour for a week.
  expect(dense?.least).toBeGreaterThan(500)
  expect(dense?.signal).toBe(dense?.least)
  expect(Number(dense?.cold)).toBeGreaterThan(5)
  const sensed = await database.admin<{ hours: number; differs: boolean }>(
    `select count(*)::int as hours, max(value) > min(value) as differs from sensor_readings
     where submodule = 'coinValidator' and name = 'entry' group by machine_id`,
  )
  expect(sensed).toHaveLength(12)
  // One value an hour for a week, except while cut off; coins leave dirt.
  expect(Math.min(...sensed.map(({ hours }) => hours))).toBeGreaterThan(60)
  expect(sensed.some(({ differs }) => differs)).toBe(true)
  const versions = await database.admin<{ versions: number }>(
    'select count(distinct sha256)::int as versions from configurations group by machine_id',
  )
  expect(versions).toHaveLength(12)
  expect(Math.min(...versions.map((row) => row.versions))).toBeGreaterThanOrEqual(2)
  const syncs = await database.admin<{ differs: boolean }>(`
    select distinct exists (select 1 from jsonb_each_text(w.parameters) p where p.value is distinct from c.parameters ->> p.key) as differs
    from custom_configurations w cross join lateral (
      select parameters from configurations c where c.merchant_id = w.merchant_id and c.machine_id = w.machine_id
      order by read_at desc limit 1) c order by 1`)
  expect(syncs).toEqual([{ differs: false }, { differs: true }])
})

test('machines have planograms and wanted prices; a few prices are wrong, and the sales at them are counted', async () => {
  const [made] = await database.admin<Record<string, number>>(`
    select (select count(*) from products)::int as products,
      (select count(*) from products p join product_pictures using (merchant_id) where product_id = p.id)::int as pictures,
      (select count(*) from product_codes where product_id is null)::int as unmapped,
      (select count(*) from machines where planogram_id is not null)::int as planned,
      (select count(*) from machine_prices where wanted is not null and not is_wrong)::int as right,
      (select count(*) from machine_prices where is_wrong)::int as wrong,
      (select count(*) from machine_prices where is_wrong <> (wrong_since is not null))::int as unmarked,
      (select sum(wrong_sales) from machine_prices)::int as sales, (select sum(lost) from machine_prices)::int as lost`)
  expect(made?.pictures).toBe(made?.products)
  expect(made?.unmapped).toBe(6)
  expect(made?.planned).toBeGreaterThan(8)
  expect(made?.right).toBeGreaterThan(300)
  expect(made?.wrong).toBeGreaterThan(2)
  expect(made?.unmarked).toBe(0)
  expect(made?.sales).toBeGreaterThan(5)
  expect(made?.lost).toBeGreaterThan(0)
})

test('the demo has collections in each state, and their counters match what the machines reported', async () => {
  const states = await database.admin<{ status: string; all: number; bags: number }>(
    `select status, count(*)::int as all, count(distinct bag_number)::int as bags from collections group by 1 order by 1`,
  )
  expect(states.map(({ status }) => status)).toEqual(['closed', 'counted', 'disputed', 'open'])
  for (const { all, bags } of states) expect(bags).toBe(all)
  const [closed] = await database.admin<{ wrong: number; known: number; beyond: number }>(
    `select count(*) filter (where audited_total <> transmitted_total)::int as wrong,
       count(*) filter (where (frozen -> 'audited' ->> 'isExact')::boolean)::int as known,
       count(*) filter (where dispute_reason is null and abs(counted_total - coalesce(transmitted_total, counted_total)) > tolerance)::int
         as beyond
     from collections where status = 'closed'`,
  )
  expect(closed).toMatchObject({ wrong: 0, beyond: 0 })
  const [floats] = await database.admin<{ count: number }>('select count(*)::int from cash_floats')
  expect(floats?.count).toBeGreaterThan(12)
})

test('most machines with a planogram have managed stock: books that add up, sold-out selections, usual sales', async () => {
  const [made] = await database.admin<Record<string, number>>(`
    select (select count(*) from machine_supplies where selections > 0 and stale_at is null)::int as managed,
      (select count(*) from machine_supplies where out > 0)::int as out,
      (select count(*) from machine_supplies where lost_per_day > 0)::int as lost,
      (select count(*) from machine_stock s where balance <> (select coalesce(sum(amount), 0) from stock_entries m
        where m.machine_id = s.machine_id and m.selection = s.selection))::int as wrong,
      (select count(distinct kind) from stock_entries)::int as kinds,
      (select count(*) from stock_entries m where kind in ('refill', 'waste'))::int as handled,
      (select count(*) from stock_entries m where kind in ('refill', 'waste') and 1 < (
        select count(*) from stock_entries o where o.machine_id = m.machine_id and o.selection = m.selection and o.kind = 'report'))::int
        as swallowed`)
  expect(made?.managed).toBeGreaterThan(5)
  expect(made?.out).toBeGreaterThan(0)
  expect(made?.lost).toBeGreaterThan(0)
  expect(made?.wrong).toBe(0)
  expect(made?.kinds).toBeGreaterThan(3)
  // What visits loaded and threw away changes the level, so the machines' numbers are the same afterwards.
  expect(made?.handled).toBeGreaterThan(0)
  expect(made?.swallowed).toBe(0)
})
