import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SensorThresholdEdit } from '#contract/machines/sensor-threshold.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'

let api: TestApi
let writer: TestUser
let provider: TestClient
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
  writer = await aUser(api.database, 'superAdmin', [])
  provider = api.as(writer)
  for (const merchant of [await aMerchant(api.database), await aMerchant(api.database)]) {
    machine = await aMachine(api.database, merchant.id)
    for (const [submodule, name, value] of [
      ['coinValidator', 'entry', 61],
      ['billValidator', 'opticalUpper', 55],
      ['cabinet', 'humidity', 48],
    ])
      await api.database.admin(
        `insert into machine_sensors (merchant_id, machine_id, submodule, name, value, at) values ($1, $2, $3, $4, $5, now())`,
        [machine.merchantId, machine.id, submodule, name, value],
      )
  }
})
afterAll(() => api.close())

const humidity = { submodule: 'cabinet', name: 'humidity', warning: 40, critical: 60, valuesIncrease: true, version: 0 }
const save = async (...rows: SensorThresholdEdit[]) => (await provider.updateSensorThresholds({ body: { rows } })).rows
const stateOf = async (sensorName: string) => {
  const { items } = await provider.listSensors({
    params: { merchantId: machine.merchantId, posId: machine.id },
    query: { search: sensorName },
  })
  return items[0]?.dirtiness
}
const firstThreshold = async (search: string) => (await provider.listSensorThresholds({ query: { search } })).items[0]

test('reported sensors and sensors with thresholds are listed together, each once', async () => {
  const { items, total } = await provider.listSensorThresholds({ query: {} })
  expect(total).toBe(7)
  expect(items.map(({ submodule, name }) => `${submodule} ${name}`)).toContain('billRecycler path')
  expect(await firstThreshold('humidity')).toEqual({ ...humidity, warning: null, critical: null })
  expect(await firstThreshold('opticalUpper')).toMatchObject({
    warning: 70,
    critical: 50,
    valuesIncrease: false,
    version: 1,
  })
  const byWarning = await provider.listSensorThresholds({ query: { ord: 'warning', ordType: 'DESC' } })
  expect(byWarning.items.map(({ warning }) => warning)).toEqual([70, 70, 65, 60, 60, 60, null])
})

test('a saved threshold changes the dirt levels of machines of every merchant', async () => {
  expect([await stateOf('humidity'), await stateOf('entry')]).toEqual(['unknown', 'warning'])
  const entry = await firstThreshold('entry')
  if (!entry) throw new Error('The coin entry has thresholds from the start')
  const outcomes = await save(humidity, { ...entry, warning: 40, critical: 61 })
  expect(outcomes).toMatchObject([
    { code: 'Saved', row: { version: 1, warning: 40 } },
    { code: 'Saved', row: { version: entry.version + 1, critical: 61 } },
  ])
  expect([await stateOf('humidity'), await stateOf('entry')]).toEqual(['warning', 'critical'])
  // The same values, but now dirt lowers the reading.
  await save({ ...humidity, version: 1, warning: 60, critical: 40, valuesIncrease: false })
  expect(await stateOf('humidity')).toBe('warning')
  await save({ ...humidity, version: 2, warning: null, critical: null })
  expect(await stateOf('humidity')).toBe('unknown')
})

test('a save on an older version gets a conflict, and the other rows are saved', async () => {
  const path = await firstThreshold('billRecycler')
  const sorter = await firstThreshold('sorter')
  if (!path || !sorter) throw new Error('Both have thresholds from the start')
  await save({ ...path, warning: 80 })
  const outcomes = await save({ ...path, warning: 70 }, { ...sorter, warning: 50 })
  expect(outcomes).toMatchObject([
    { code: 'EditConflict', facts: { current: { warning: 80, version: 2 }, changedBy: 'Test superAdmin' } },
    { code: 'Saved', row: { warning: 50 } },
  ])
  // Repeating a save after a lost answer is no conflict.
  expect(await save({ ...path, warning: 80 })).toMatchObject([{ code: 'Saved', row: { warning: 80, version: 2 } }])
  // A version that never existed.
  expect(await save({ ...humidity, name: 'nowhere', version: 7 })).toMatchObject([
    { code: 'EditConflict', facts: { current: { version: 0 }, changedAt: null } },
  ])
})

test.each([
  ['a warning alone', { critical: null }, 'critical', 'rule.required'],
  ['a critical value alone', { warning: null }, 'warning', 'rule.required'],
  ['a warning above the critical value', { warning: 61 }, 'warning', 'rule.smallerOrEqual'],
  ['a warning below it where dirt makes the value fall', { valuesIncrease: false }, 'critical', 'rule.smallerOrEqual'],
  ['a number that no sensor says', { critical: 1_000_001 }, 'critical', 'rule.maximum'],
  ['an endless name', { name: 'x'.repeat(10_000) }, 'name', 'rule.maxLength'],
])('%s is refused', async (_, wrong, field, rule) => {
  const body = { rows: [{ ...humidity, ...wrong }] }
  const answer = await api.send('updateSensorThresholds', { body }, writer)
  expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
  expect(answer.json().errors).toContainEqual(expect.objectContaining({ path: `rows.0.${field}`, rule }))
})

test('a sensor that appears twice, and unknown fields, are refused', async () => {
  for (const rows of [[humidity, humidity], [{ ...humidity, merchantId: machine.merchantId }], []])
    expect((await api.send('updateSensorThresholds', { body: { rows } }, writer)).json()).toMatchObject({ status: 400 })
})
