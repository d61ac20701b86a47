import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CashTrail, TrailStep } from '#contract/cash/cash-trail.ts'
import { show } from '#testkit/component/show.tsx'
import { TrailTable } from './TrailTable.tsx'

const step = (at: string | null, moved: number, difference: number | null): TrailStep => ({
  at,
  readings: at ? 1 : 0,
  movements: moved === 0 ? [] : [{ type: 1, count: 2, cash: moved }],
  moved,
  box: 500 + moved,
  tubes: 100,
  expected: 600 + moved,
  reported: difference === null ? null : 600 + moved + difference,
  difference,
})
const trail: CashTrail = {
  currency: 'EUR',
  timeZone: 'Europe/Rome',
  posId: '01990000-0000-7000-8000-000000000003',
  from: { collectionId: '01990000-0000-7000-8000-000000000004', at: '2026-11-01T08:00:00' },
  isCut: false,
  until: null,
  base: { at: '2026-11-01T08:00:00', box: 500, tubes: 100 },
  steps: [step('2026-11-02T08:00:00', 300, 0), step('2026-11-03T08:00:00', 0, -200), step(null, 150, null)],
  parted: { after: '2026-11-02T08:00:00', at: '2026-11-03T08:00:00', difference: -200 },
  collection: null,
}

test('the newest step is first, and the one at which expected and reported cash parted says so', async () => {
  await show(<TrailTable trail={trail} first={0} began={1} />, ['cash', 'vocabulary'])
  const found = await screen.findAllByRole('row')
  const rows = found.map((row) => row.textContent?.replaceAll('\u00a0', ' ') ?? '')
  expect(rows).toHaveLength(5)
  expect(rows[1]).toContain('After the last report')
  expect(rows[2]).toMatch(/The difference began here.*Nothing moved/)
  expect(rows[2]).toContain('2,00')
  expect(rows[3]).toContain('Sale (2)')
  expect(rows.filter((row) => row.includes('The difference began here'))).toHaveLength(1)
  expect(rows[4]).toContain('First report')
})
