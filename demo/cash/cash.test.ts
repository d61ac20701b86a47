import { expect, test } from 'vitest'
import { cashMoved } from '#domain/cash/movement.ts'
import type { CashReport } from '#simulator/works/item-writer.ts'
import { type DemoMachine, planFleet } from '../fleet/fleet.ts'
import { simulatePast } from '../history/history.ts'

const dayMs = 86_400_000
const until = Date.parse('2026-11-20T11:00:00Z')
const days = process.env.TEST_RUN === 'full' ? 60 : 12
const fleet = planFleet({ seed: 'cash', machines: 200, salesPerDay: 9_000, secretKey: '' })

const worthOf = (pieces: readonly { value: number; count: number }[]) =>
  pieces.reduce((sum, { value, count }) => sum + value * count, 0)
const cashIn = ({ box = 0, tubes, recyclers }: CashReport) => box + worthOf(tubes) + worthOf(recyclers)

/** What the cash reports of a machine gained, beside what its transactions between them moved in cash. */
function reportsOf(machine: DemoMachine) {
  const gains: { at: string; reported: number; moved: number }[] = []
  let before: number | undefined
  let moved = 0
  simulatePast(machine, until - days * dayMs, until, 'cash', {
    happened(item) {
      if (item.kind === 'sale') moved += cashMoved({ errorSale: false, ...item.sale })
      if (item.kind !== 'cash') return
      const now = cashIn(item.cash)
      if (before !== undefined) gains.push({ at: new Date(item.at).toISOString(), reported: now - before, moved })
      before = now
      moved = 0
    },
    repairedByHand() {},
    sensed() {},
  })
  return gains
}

test('on every machine of the demo, boxes and tubes gain what transactions bring in cash', () => {
  const differences = fleet.flatMap((machine) =>
    reportsOf(machine)
      .filter(({ reported, moved }) => reported !== moved)
      .map((gain) => ({ serial: machine.plan.serial, ...gain })),
  )
  expect(fleet.flatMap(reportsOf).length).toBeGreaterThan(fleet.length)
  expect(differences).toEqual([])
})
