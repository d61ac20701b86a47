import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PosKpiFilters } from '#contract/insight/distributor-kpis.ts'
import { addDays, daysIn, type Period } from '#domain/time/period.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import type { DowntimeRecord } from '../sums/downtime.ts'
import { figureNames } from '../sums/kpi-columns.ts'
import { writeKpis } from '../sums/kpi-days.ts'
import { areSpansDifferent } from '../sums/kpi-spans.ts'
import { type PosKpiRecord, posKpiRows } from './distributor-kpis.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const first = '2025-11-20'
const dayCount = 95
const dayAt = (index: number) => addDays(first, index)
const tens = Array.from({ length: 10 }, (_, index) => addDays(first, 10 * index))
const machineCount = 3

/** A day that is summed up: what its machines sold and took, and what they are. */
const aDay = fc.record({
  day: fc.nat(dayCount - 1),
  machines: fc.array(
    fc.record({
      cycles: fc.constantFrom(0, 0, 7, 40),
      blocked: fc.nat(3600),
      coins: fc.tuple(fc.nat(50), fc.nat(9)),
      notes: fc.tuple(fc.nat(5), fc.nat(3)),
      isAttached: fc.boolean(),
      deviceType: fc.constantFrom('CUNI', 'CENG'),
    }),
    { minLength: machineCount, maxLength: machineCount },
  ),
})
const aQuestion = fc.record({
  start: fc.nat(dayCount - 1),
  length: fc.integer({ min: 1, max: dayCount }),
  filter: fc.constantFrom<Filter[]>(
    {},
    { deviceTypes: ['CUNI'] },
    { validators: ['coin:-'] },
    { denominations: ['EUR:100'] },
    { denominations: ['EUR:500', 'EUR:100'] },
  ),
})

test('the KPIs of any period by spans and days are exactly the sums of its days, whatever was summed up again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aDay, { minLength: 20, maxLength: 40 }),
      fc.array(aQuestion, { minLength: 8, maxLength: 8 }),
      async (days, questions) => {
        const { id: merchantId } = await aMerchant(database)
        const machines: string[] = []
        for (let index = 0; index < machineCount; index++) machines.push((await aMachine(database, merchantId)).id)
        const scope = [{ merchantId, groups: 'all' as const }]
        for (const { day, machines: states } of days) {
          const at = Date.parse(`${dayAt(day)}T00:00:00Z`)
          const cycles = new Map<string, number>()
          const down: DowntimeRecord[] = []
          await database.admin('delete from cash_hourly where merchant_id = $1 and hour >= $2 and hour < $3', [
            merchantId,
            new Date(at),
            new Date(at + 86_400_000),
          ])
          for (const [index, { coins, notes, isAttached, deviceType, ...state }] of states.entries()) {
            const machineId = machines[index] ?? ''
            await database.admin('update machines set device_type = $2, created_at = $3 where id = $1', [
              machineId,
              deviceType,
              isAttached ? '2024-01-01' : '2026-06-01',
            ])
            if (!isAttached) continue
            cycles.set(machineId, state.cycles)
            down.push({ machineId, from: new Date(at), blockedSeconds: state.blocked, absentSeconds: 0 })
            await database.admin(
              `insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected)
               values ($1, $2, $3, 100, $4, $5), ($1, $2, $3, 500, $6, $7)`,
              [merchantId, new Date(at), machineId, ...coins, ...notes],
            )
          }
          await database.withTenant(scope, (db) =>
            writeKpis(db, { merchantId, day: dayAt(day), from: at, to: at + 86_400_000 }, { cycles, down }),
          )
        }
        await database.withTenant(scope, async (db) => {
          for (const day of tens) expect(await areSpansDifferent(db, { merchantId, day }), day).toBe(false)
          const { rows: daily } = await sql<Daily>`
            select k.*, k.denominations::text[] as denominations, k.accepted::text[] as accepted, k.rejected::text[] as rejected
            from machine_kpis_daily k where ${db.narrow('machine_kpis_daily', 'k')}`.execute(db.query)
          for (const { start, length, filter } of questions) {
            const period = { startDate: dayAt(start), endDate: dayAt(start + length - 1) }
            const query = await posKpiRows(db, filter, period, new Date('2026-02-24T10:00:00Z'))
            const { rows } = await query.execute(db.query)
            const figuresOf = (row: PosKpiRecord) => [
              row.accepted,
              row.rejected,
              ...figureNames.map((name) => row[name]),
            ]
            const got = rows.map((row) => [row.id, ...figuresOf(row)]).sort()
            expect(got, JSON.stringify({ period, filter })).toEqual(expected(daily, period, filter))
          }
        })
      },
    ),
    { numRuns: 5 },
  )
})

type Daily = Record<(typeof figureNames)[number], number> & {
  day: string
  machine_id: string
  device_type: string
  denominations: string[]
  accepted: string[]
  rejected: string[]
}
type Filter = Pick<PosKpiFilters, 'deviceTypes' | 'validators' | 'denominations'>

/** The machines with a day in the period, by adding up their days. */
function expected(rows: readonly Daily[], period: Period, { deviceTypes, validators, denominations }: Filter) {
  const isWithin = ({ day }: Daily) =>
    daysIn({ startDate: period.startDate, endDate: day }) >= 1 &&
    daysIn({ startDate: day, endDate: period.endDate }) >= 1
  const filtered = rows.filter(
    (row) =>
      isWithin(row) && (deviceTypes === undefined || (deviceTypes as readonly string[]).includes(row.device_type)),
  )
  const piecesOf = (row: Daily, side: 'accepted' | 'rejected') => {
    if (denominations)
      return row.denominations.reduce(
        (sum, value, index) => sum + (denominations.includes(`EUR:${value}`) ? Number(row[side][index]) : 0),
        0,
      )
    return row[`coins_${side}`] + (validators ? 0 : row[`bills_${side}`])
  }
  const sumOf = (days: readonly Daily[], of: (row: Daily) => number) => days.reduce((sum, row) => sum + of(row), 0)
  return [...Map.groupBy(filtered, (row) => row.machine_id)]
    .map(([id, days]) => [
      id,
      sumOf(days, (row) => piecesOf(row, 'accepted')),
      sumOf(days, (row) => piecesOf(row, 'rejected')),
      ...figureNames.map((name) => sumOf(days, (row) => row[name])),
    ])
    .sort()
}
