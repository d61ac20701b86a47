import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, anAudit } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database, { timeZone: 'Europe/Rome' })).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const storyOf = ({ id }: TestMachine, query: object = {}) =>
  admin.getTimeline({ params: { merchantId, posId: id }, query: { size: 50, ...query } })
const anOldMachine = () =>
  aMachine(api.database, merchantId, { columns: { created_at: new Date('2026-09-01T00:00:00Z') } })
let hash = 0
const audit = (machine: TestMachine, readAt: string, with_: object = {}) =>
  anAudit(api.database, machine, {
    read_at: new Date(readAt),
    origin: auditOrigins.scheduled,
    sha256: Buffer.from(String(++hash).padStart(32)),
    ...with_,
  })
const audits = { kinds: ['audit' as const] }

test('the scheduled audits of a local day are one line, others are lines of their own', async () => {
  const machine = await anOldMachine()
  // 10 October in Rome begins at 22:00 UTC of the 9th.
  await audit(machine, '2026-10-09T21:00:00Z')
  await audit(machine, '2026-10-09T22:30:00Z', { crc: 'fails' })
  await audit(machine, '2026-10-10T09:00:00Z')
  const last = await audit(machine, '2026-10-10T20:00:00Z')
  await audit(machine, '2026-10-10T12:00:00Z', { origin: auditOrigins.onSite })
  expect(await storyOf(machine, audits)).toMatchObject([
    { id: last, at: '2026-10-10T20:00:00.000', count: 3, day: '2026-10-10', code: 'fails' },
    { at: '2026-10-10T12:00:00.000', count: 1, day: null },
    { at: '2026-10-09T21:00:00.000', count: 1, day: null },
  ])
})

test('a day of scheduled audits is on one page only', async () => {
  const machine = await anOldMachine()
  for (const hours of ['02', '10', '18'])
    for (const day of ['03', '04', '05']) await audit(machine, `2026-10-${day}T${hours}:00:00Z`)
  const found: { day: string | null; count: number }[] = []
  let before: string | undefined
  for (let page = 0; page < 5; page++) {
    const rows = await storyOf(machine, { ...audits, size: 1, before })
    found.push(...rows.map(({ day, count }) => ({ day, count })))
    before = rows.at(-1)?.at
    if (!before) break
  }
  expect(found).toEqual(['2026-10-05', '2026-10-04', '2026-10-03'].map((day) => ({ day, count: 3 })))
  // A moment within a day shows the days before it.
  expect(await storyOf(machine, { ...audits, before: '2026-10-05T12:00:00' })).toMatchObject([
    { day: '2026-10-04' },
    { day: '2026-10-03' },
  ])
})

test('a timeline has the chosen kinds alone', async () => {
  const machine = await anOldMachine()
  await anAlarm(api.database, machine, { created_at: new Date('2026-10-01T10:00:00Z') })
  await audit(machine, '2026-10-02T10:00:00Z')
  await admin.createNote({ params: { merchantId, posId: machine.id }, body: { note: 'The door squeaks' } })
  const kindsOf = async (...kinds: string[]) => (await storyOf(machine, { kinds })).map(({ kind }) => kind)
  expect(await kindsOf('note')).toEqual(['note'])
  expect(await kindsOf('alarm', 'audit')).toEqual(['audit', 'alarm'])
  expect(await kindsOf('association')).toEqual(['association'])
  expect(await kindsOf()).toEqual(['note', 'audit', 'alarm', 'association'])
  await expect(storyOf(machine, { kinds: ['other'] })).rejects.toMatchObject({ code: 'ValidationFailed' })
})
