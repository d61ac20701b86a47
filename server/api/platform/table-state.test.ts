import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostTables, type TableSettings } from '#contract/platform/table-state.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const begins: TableSettings = {
  merchantId: null,
  currentPage: 1,
  itemsPerPage: 20,
  filter: {},
  headers: [],
  dtOptions: { chart: 'none', measure: null },
  sortOptions: null,
}
const someUser = async (role: 'merchantUser' | 'groupAdmin' = 'merchantUser') => {
  const { id } = await aMerchant(api.database)
  return aUser(api.database, role, [{ merchantId: id, groups: role === 'groupAdmin' ? [] : 'all' }])
}
const params = { tableId: 'machines' }

test('each user’s state of a table can be stored, overwritten and deleted', async () => {
  const one = await someUser()
  const other = await someUser('groupAdmin')
  const firstUser = api.as(one)
  expect(await firstUser.listTableStates({})).toEqual([])
  const state = {
    ...begins,
    currentPage: 3,
    filter: { search: ['hall'] },
    headers: [{ id: 'name', isShown: false, width: 120 }],
  }
  const saved = await firstUser.saveTableState({ params, body: { ...begins, currentPage: 2 } })
  expect(saved).toMatchObject({ tableId: 'machines', currentPage: 2 })
  await firstUser.saveTableState({ params, body: state })
  await api.as(other).saveTableState({ params, body: { ...begins, currentPage: 9 } })
  expect(await firstUser.listTableStates({})).toEqual([{ ...state, ...params, savedAt: expect.any(String) }])
  await firstUser.deleteTableState({ params })
  expect(await firstUser.listTableStates({})).toEqual([])
  expect(await api.as(other).listTableStates({})).toMatchObject([{ currentPage: 9 }])
})

test('a state of an older version is read field by field', async () => {
  const person = await someUser()
  const older = { currentPage: -3, itemsPerPage: 50, headers: ['name'], filter: [], sortOptions: 'name' }
  await api.database.admin(
    `insert into table_states (user_id, table_id, state, updated_at) values ($1, 'old', $2, now())`,
    [person.id, older],
  )
  expect(await api.as(person).listTableStates({})).toEqual([
    { ...begins, itemsPerPage: 50, tableId: 'old', savedAt: expect.any(String) },
  ])
})

test('only the latest table states are kept', async () => {
  const person = await someUser()
  await api.database.admin(
    `insert into table_states (user_id, table_id, state, updated_at)
     select $1, 'table' || n, '{}', now() - n * interval '1 minute' from generate_series(1, $2::int + 5) n`,
    [person.id, mostTables],
  )
  await api.as(person).saveTableState({ params, body: begins })
  const ids = (await api.as(person).listTableStates({})).map(({ tableId }) => tableId)
  expect(ids).toHaveLength(mostTables)
  expect(ids[0]).toBe('machines')
  expect(ids).not.toContain(`table${mostTables}`)
})

test('an invalid name, an unknown field and a state that is too long are refused', async () => {
  const me = api.as(await someUser())
  const refused = { code: 'ValidationFailed', status: 400 }
  for (const tableId of ['1st', '<script>', 'x'.repeat(62), '..', 'a b'])
    await expect(me.saveTableState({ params: { tableId }, body: begins })).rejects.toMatchObject(refused)
  for (const body of [
    { ...begins, currentPage: -3 },
    { ...begins, owner: 'somebody' },
    { ...begins, filter: { search: ['x'.repeat(10_000)] } },
    { ...begins, filter: { search: ['a\0b'] } },
    { ...begins, dtOptions: { chart: 'bar', measure: null, colour: 'red' } },
  ])
    await expect(me.saveTableState({ params, body: body as TableSettings })).rejects.toMatchObject(refused)
  expect(await me.listTableStates({})).toEqual([])
  const half = await me.saveTableState({ params, body: { ...begins, filter: { search: ['a\ud800b'] } } })
  expect(half.filter).toEqual({ search: ['a\ufffdb'] })
})

test('a suspended user can neither read nor write a state', async () => {
  const person = await someUser()
  await api.as(person).saveTableState({ params, body: begins })
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
  const refused = { code: 'UnauthorizedUserException', status: 403 }
  await expect(api.as(person).listTableStates({})).rejects.toMatchObject(refused)
  await expect(api.as(person).saveTableState({ params, body: begins })).rejects.toMatchObject(refused)
})
