import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshUsualSales } from '#database/stock/usual-sales.ts'
import { daysUntil, lostSales, type VisitFacts, visitReasons } from '#domain/stock/round.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { anAlarm, aStock, aSupply } from '#testkit/machines/machine-data.ts'
import { worthVisit } from './candidates.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const timeZone = 'UTC'
const now = new Date()
const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const exceeded = 36

/** A machine as its data and the domain describe it. Days and hours are not whole, so that no limit is met to the instant. */
const someMachine = fc.record({
  levels: fc.array(fc.constantFrom(0, 1, 9), { maxLength: 3 }),
  isBlocked: fc.boolean(),
  turnover: fc.nat(50_000),
  supply: fc.option(fc.record({ emptyIn: fc.option(fc.integer({ min: -1, max: 5 })), lost: fc.nat(900) })),
  cash: fc.option(fc.record({ inBox: fc.nat(120), capacity: fc.constantFrom(0, 100) })),
  hours: fc.constantFrom(1, exceeded - 0.5, exceeded + 0.5),
  isHidden: fc.constantFrom(false, false, false, true),
})

test('the machines worth a visit, and their order, are those of the rules, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someMachine, { minLength: 6, maxLength: 9 }), async (machines) => {
      const { id: merchantId } = await aMerchant(database, { timeZone })
      await database.admin('update merchant_settings set audit_exceeded_hours = $2 where merchant_id = $1', [
        merchantId,
        exceeded,
      ])
      const day = addDays(dayIn(now, timeZone), 1)
      const days = daysUntil(now, new Date(`${addDays(day, 1)}T00:00:00Z`))
      const expected: { id: string; atStake: number; reasons: unknown }[] = []
      for (const { levels, isBlocked, turnover, supply, cash, hours, isHidden } of machines) {
        const machine = await aMachine(database, merchantId, {
          columns: {
            hidden: isHidden,
            last_audit_at: before(hours),
            cash_in_box: cash?.inBox ?? null,
            cash_box_capacity: cash?.capacity ?? null,
          },
        })
        for (const [at, level] of levels.entries())
          await aStock(database, machine, {
            selection: `${at + 1}`,
            level,
            capacity: 10,
            reported_warning: 2,
            warning_level: 2,
          })
        if (supply)
          await aSupply(database, machine, {
            empty_at: supply.emptyIn === null ? null : before(-24 * (supply.emptyIn + 0.5)),
            lost_per_day: supply.lost,
          })
        if (isBlocked) await anAlarm(database, machine, { code: 'EJM', criticity: 4 })
        await database.admin(
          `insert into sales_daily (merchant_id, day, machine_id, type, media_type, media_source, count, value, value_charge, free_count, error_count)
           values ($1, $2, $3, 1, 1, 1, 10, $4, 0, 0, 0)`,
          [merchantId, addDays(dayIn(now, timeZone), -3), machine.id, turnover],
        )
        const facts: VisitFacts = {
          out: levels.filter((level) => level === 0).length,
          low: levels.filter((level) => level === 1).length,
          selections: levels.length,
          daysUntilEmpty: supply && supply.emptyIn !== null ? Math.max(0, supply.emptyIn) : null,
          blockedBy: isBlocked ? 'EJM' : null,
          usualPerDay: turnover / 28,
          lostPerDay: supply?.lost ?? null,
          cashInBox: cash?.inBox ?? null,
          cashBoxCapacity: cash?.capacity ?? null,
          hoursSinceAudit: hours,
          auditExceededHours: exceeded,
        }
        const reasons = visitReasons(facts, days)
        if (reasons.length > 0 && !isHidden)
          expected.push({ id: machine.id, reasons, atStake: lostSales(facts, days) + (cash?.inBox ?? 0) })
      }
      await refreshUsualSales(database, now)
      expected.sort((one, other) => other.atStake - one.atStake || (one.id < other.id ? -1 : 1))
      await database.withTenant([{ merchantId, groups: 'all' }], async (db) => {
        const paged: typeof expected = []
        for (let page = 1; page <= 3; page++) {
          const { items, total } = await worthVisit(db, { day, timeZone, now }, { page, size: 3 })
          expect(total).toBe(expected.length)
          paged.push(...items.map(({ posId, atStake, reasons }) => ({ id: posId, atStake, reasons })))
        }
        expect(paged).toEqual(expected)
      })
    }),
    { numRuns: 6 },
  )
})
