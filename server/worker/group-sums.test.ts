import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsOf } from '#database/frame/records.ts'
import type { Scope, TenantDb } from '#database/frame/tenant.ts'
import { assignMachines, machinesToAssign } from '#database/machines/assigned-machines.ts'
import { deleteMachine } from '#database/machines/machine-acts.ts'
import { machinesToEdit, writeMachineEdits } from '#database/machines/machine-edit.ts'
import { forgetDeletedMachines } from '#database/merchants/group-edit.ts'
import { daysOfSales, hoursOfSales } from '#database/sales/dashboard.ts'
import { codesUsed, seriesOfPeriod, totalsOfPeriod } from '#database/sales/sales-stats.ts'
import { listTransactions } from '#database/sales/transaction.ts'
import { randomFrom } from '#simulator/random.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { inputOf, rollupsOf } from '#testkit/machines/seller.ts'
import { storeBatch } from '../gateway/store-batch.ts'
import { moveAllSums } from './move-sums.ts'
import { sumUpDays } from './sum-up-days.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const day = 86_400_000
const now = new Date()
const period = {
  startDate: new Date(now.getTime() - 4 * day).toISOString().slice(0, 10),
  endDate: new Date(now.getTime() + day).toISOString().slice(0, 10),
}
const nobody = { id: '0190aaaa-0000-7000-8000-000000000009', name: 'Anna' }

/** A merchant with machines in two groups and in none. */
async function aMerchantInGroups(machinesOfEach: number) {
  const { id: merchantId } = await aMerchant(database)
  const groups = [await aGroup(database, merchantId), await aGroup(database, merchantId)] as const
  const machines: TestMachine[] = []
  for (const groupId of [...groups, undefined])
    for (let count = 0; count < machinesOfEach; count++)
      machines.push(await aMachine(database, merchantId, { ...(groupId && { groupId }) }))
  const scopes: Scope[] = [
    wholeMerchant(merchantId),
    ...[[groups[0]], [groups[1]], [...groups], []].map((some) => [{ merchantId, groups: some }]),
  ]
  return { merchantId, groups, machines, scopes }
}

/** One moment of the database: the stored sums, and the sums recalculated from the transactions. */
async function atOneMoment(scope: Scope) {
  return database.withTenant(scope, async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db.query)
    const [counted] = await countedOf(db)
    const [total] = await totalsOfPeriod(db, period)
    const hours = await seriesOfPeriod(db, period, 'hour')
    const types = await codesUsed(db, period, 'type')
    const byDay = await daysOfSales(db, now, 14)
    const today = (await hoursOfSales(db, now)).filter(({ weeksAgo }) => weeksAgo === 0)
    const { total: listed } = await listTransactions(db, { ...period, types: [1, 4] }, { page: 1, size: 20 })
    const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0)
    return {
      counted: { count: counted?.count ?? 0, value: counted?.value ?? 0, today: counted?.today ?? 0 },
      summed: { count: total?.count ?? 0, value: total?.value ?? 0, today: sumOf(today, ({ value }) => value) },
      others: [
        sumOf(hours, ({ value }) => value),
        sumOf(types, ({ value }) => value),
        sumOf(byDay, ({ value }) => value),
      ],
      listed,
    }
  })
}

const countedOf = async (db: TenantDb) =>
  (
    await sql<{ count: number; value: number; today: number }>`
      select count(*)::int as count, coalesce(sum(t.value) filter (where not t.error_sale), 0)::bigint as value,
        coalesce(sum(t.value) filter (where not t.error_sale and (t.created_at at time zone m.time_zone)::date = (${now}::timestamptz at time zone m.time_zone)::date), 0)::bigint as today
      from transactions t join merchants m on m.id = t.merchant_id where ${db.narrow('transactions', 't')}`.execute(
      db.query,
    )
  ).rows

async function expectRight(scopes: readonly Scope[]) {
  for (const scope of scopes) {
    const { counted, summed, others, listed } = await atOneMoment(scope)
    expect(summed, JSON.stringify(scope)).toEqual(counted)
    expect(others).toEqual([counted.value, counted.value, counted.value])
    expect(listed).toBe(counted.count)
  }
}

/** The next sales of the machines, each with its own number, some of them late. */
function sellers(random: ReturnType<typeof randomFrom>) {
  const seqs = new Map<string, number>()
  return (machines: readonly TestMachine[]) =>
    machines.map((machine) => {
      const seq = (seqs.get(machine.id) ?? 0) + 1
      seqs.set(machine.id, seq)
      const at = now.getTime() - (random.chance(0.3) ? random.int(0, 3 * day) : random.int(0, 600_000))
      const more = { value: random.int(1, 500), mediaType: random.int(1, 3), errorSale: random.chance(0.05) }
      return inputOf(machine, { kind: 'sale', seq, at, more })
    })
}

describe('sums by group', () => {
  test.each(['one', 'two', 'three', 'four'])(
    'always match the sales of the machines in the group, despite simultaneous changes (%s)',
    async (seed) => {
      const random = randomFrom(`group sums ${seed}`)
      const { merchantId, groups, machines, scopes } = await aMerchantInGroups(3)
      const next = sellers(random)
      const whole = wholeMerchant(merchantId)
      let isOver = false
      const living = [...machines]
      let sold = 0
      // Simultaneous transactions of three gateways, each with several machines; some items are sent twice.
      const selling = Array.from({ length: 3 }, async (_, lane) => {
        for (let batch = 0; batch < 25; batch++) {
          const inputs = next(living.filter((_, index) => index % 3 === lane && random.chance(0.8)))
          if (inputs.length === 0) continue
          const outcomes = await storeBatch(database, inputs, () => {})
          sold += outcomes.reduce((sum, { stored }) => sum + stored, 0)
          if (random.chance(0.2)) await storeBatch(database, inputs, () => {})
        }
      })
      const until = async (work: () => Promise<unknown>) => {
        while (!isOver) await work()
      }
      const moving = until(async () => {
        const some = machines.filter(() => random.chance(0.4)).map(({ id }) => id)
        const to = random.pick([...groups, null])
        if (some.length === 0) return
        if (random.chance(0.5))
          await database.withTenant(whole, async (db) => {
            await machinesToAssign(db, some)
            await assignMachines(db, 'group_id', to, some, new Date())
          })
        else
          await database.withTenant(whole, async (db) => {
            const held = await machinesToEdit(db, some)
            await writeMachineEdits(
              db,
              held.map((machine) => ({ ...machine, group_id: to })),
              new Date(),
              [],
            )
          })
      })
      const deleting = (async () => {
        const [gone] = living.splice(4, 1)
        if (gone)
          await database.withTenant(whole, (db) =>
            deleteMachine(db, merchantId, gone.id, { ...nobody, at: new Date() }),
          )
      })()
      const working = until(async () => {
        await moveAllSums(database)
        await sumUpDays(database, new Date(now.getTime() + day * (random.chance(0.5) ? 0 : -1)))
      })
      const reading = until(() => expectRight([random.pick(scopes)]))
      await Promise.all([...selling, deleting])
      isOver = true
      await Promise.all([moving, working, reading])
      await expectRight(scopes)
      await moveAllSums(database)
      await expectRight(scopes)
      expect(await database.admin('select 1 from regrouped_machines where merchant_id = $1', [merchantId])).toEqual([])
      expect((await rollupsOf(database, { merchantId, isCheck: true }, new Date())).different).toEqual([])
      expect(sold).toBeGreaterThan(100)
      expect((await atOneMoment(whole)).summed.count).toBe(sold)
    },
    120_000,
  )

  test('of a day are left to the next time while a gateway writes them, long before both wait for each other', async () => {
    const { merchantId, machines } = await aMerchantInGroups(1)
    const sell = (seq: number) =>
      storeBatch(
        database,
        machines.map((machine) =>
          inputOf(machine, { kind: 'sale', seq, at: now.getTime() - 2 * day, more: { value: 10 } }),
        ),
        () => {},
      )
    const sumUp = () => sumUpDays(database, now)
    await sell(1)
    expect(await sumUp()).toBeGreaterThan(0)
    await sell(2)
    // A gateway adds to the hours of groups before those of machines.
    await database.withTenant(wholeMerchant(merchantId), async (db) => {
      await sql`select 1 from open_group_sales_hourly g where g.merchant_id = ${merchantId} for update`.execute(
        db.query,
      )
      expect(await sumUp()).toBe(0)
      await sql`update open_sales_hourly h set count = h.count where h.merchant_id = ${merchantId}`.execute(db.query)
    })
    expect(await sumUp()).toBe(1)
    await expectRight([wholeMerchant(merchantId)])
  })

  test('of a day that waits are not left out: later days wait with it', async () => {
    const { merchantId, machines } = await aMerchantInGroups(1)
    const sell = (seq: number, daysAgo: number) =>
      storeBatch(
        database,
        machines.map((machine) =>
          inputOf(machine, { kind: 'sale', seq, at: now.getTime() - daysAgo * day, more: { value: 10 } }),
        ),
        () => {},
      )
    for (const [at, daysAgo] of [5, 4, 3].entries()) await sell(at + 1, daysAgo)
    await database.withTenant(wholeMerchant(merchantId), async (db) => {
      await sql`select 1 from open_sales_hourly h where h.merchant_id = ${merchantId} and h.day = (
        select min(o.day) from open_sales_hourly o where o.merchant_id = ${merchantId}) for update`.execute(db.query)
      expect(await sumUpDays(database, now)).toBe(0)
    })
    expect(await sumUpDays(database, now)).toBeGreaterThan(2)
    const [row] = await database.admin<{ n: string }>(
      'select sum(count) as n from sales_daily where merchant_id = $1',
      [merchantId],
    )
    expect(row?.n).toBe(String(3 * machines.length))
  })

  test('follow a machine that changes its group at once, and are complete when the worker has moved them', async () => {
    const { merchantId, groups, machines } = await aMerchantInGroups(1)
    const [machine] = machines as [TestMachine]
    await storeBatch(database, sellers(randomFrom('follow'))([machine]), () => {})
    const of = async (groupId: string) => (await atOneMoment([{ merchantId, groups: [groupId] }])).summed.count
    const counts = async () => [await of(groups[0]), await of(groups[1])]
    expect(await counts()).toEqual([1, 0])
    await database.withTenant(wholeMerchant(merchantId), (db) =>
      assignMachines(db, 'group_id', groups[1], [machine.id], new Date()),
    )
    expect(await counts()).toEqual([0, 1])
    expect(await moveAllSums(database)).toBe(1)
    expect(await counts()).toEqual([0, 1])
    const [row] = await database.admin<{ n: string }>(
      'select sum(count) as n from group_sales_hourly where merchant_id = $1 and group_id = $2',
      [merchantId, groups[1]],
    )
    expect(row?.n).toBe('1')
  })

  test('of a deleted group move with its deleted machines to those without a group', async () => {
    const { merchantId, groups, machines } = await aMerchantInGroups(1)
    const [machine] = machines as [TestMachine]
    await storeBatch(database, sellers(randomFrom('removed'))([machine]), () => {})
    await database.withTenant(wholeMerchant(merchantId), async (db) => {
      await deleteMachine(db, merchantId, machine.id, { ...nobody, at: now })
      const group = { merchant_id: merchantId, id: groups[0] as string }
      await forgetDeletedMachines(db, group, new Date())
      await recordsOf('groups').remove(db, group)
    })
    await expectRight([wholeMerchant(merchantId), [{ merchantId, groups: [groups[0]] }]])
    await moveAllSums(database)
    expect((await rollupsOf(database, { merchantId, isCheck: true }, new Date())).different).toEqual([])
    expect((await atOneMoment([{ merchantId, groups: [groups[0]] }])).summed.count).toBe(0)
  })
})
