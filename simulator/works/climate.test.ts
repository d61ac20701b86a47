import { expect, test } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { signalAt, temperatureAt } from './climate.ts'

const plans = planFleet({ seed: 'climate', machines: 60, salesPerDay: 600, secretKey: 'test' }).map(({ plan }) => plan)
const ofKind = (kind: string) => plans.filter((plan) => plan.kind === kind)
const start = Date.UTC(2026, 10, 21)
const minutes = Array.from({ length: 24 * 60 }, (_, minute) => start + minute * 60_000)

test('a cooled machine keeps its temperature all day, and an uncooled one reports none', () => {
  for (const plan of ofKind('cold')) {
    const day = minutes.map((at) => temperatureAt(plan, at, null) as number)
    expect(Math.min(...day)).toBeGreaterThan(2.5)
    expect(Math.max(...day)).toBeLessThan(6)
    expect(new Set(day).size).toBeGreaterThan(10)
  }
  for (const plan of ofKind('hot')) expect(temperatureAt(plan, start, null)).toBeUndefined()
})

test('an open door raises the temperature by some degrees for two hours', () => {
  for (const plan of ofKind('cold')) {
    const closed = (at: number) => temperatureAt(plan, at, null) as number
    const opened = (at: number) => temperatureAt(plan, at, start) as number
    expect(opened(start + 4 * 60_000) - closed(start + 4 * 60_000)).toBeGreaterThan(2)
    expect(opened(start + 7_200_000) - closed(start + 7_200_000)).toBeLessThan(0.2)
    expect(opened(start - 60_000)).toBe(closed(start - 60_000))
  }
})

test('the signal is a percentage near the typical value of the place', () => {
  for (const plan of plans) {
    const day = minutes.map((at) => signalAt(plan, at))
    expect(Math.min(...day)).toBeGreaterThanOrEqual(8)
    expect(Math.max(...day)).toBeLessThanOrEqual(100)
    const mean = day.reduce((sum, one) => sum + one, 0) / day.length
    expect(Math.abs(mean - plan.signalPercent)).toBeLessThan(8)
  }
})
