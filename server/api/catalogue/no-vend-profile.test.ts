import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand, aConfiguration, aPrice } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

let count = 0
const morning = { days: [1, 2, 3, 4, 5], from: '08:00', to: '13:00' }
const aBody = (with_: object = {}) => ({
  name: `School ${++count}`,
  selections: ['12'],
  windows: [morning],
  ...with_,
})
const created = (with_: object = {}) => admin.createNoVendProfile({ params: { merchantId }, body: aBody(with_) })
const of = (machine: TestMachine) => ({ merchantId, posId: machine.id })
const assign = (machine: TestMachine, noVendProfileId: string | null) =>
  admin.setNoVendProfile({ params: of(machine), body: { noVendProfileId } })
const sentTo = async (machine: TestMachine) => {
  const rows = await api.database.admin<{ settings: Record<string, string> }>(
    `select parameters -> 'settings' as settings from remote_commands where machine_id = $1 and type = 6 order by id`,
    [machine.id],
  )
  return rows.map(({ settings }) => settings)
}
/** The machines have executed all their commands. */
const finish = (column: 'machine_id' | 'merchant_id', id: string) =>
  api.database.admin(
    `update remote_commands set status = 2, result = 0, started_at = now(), executed_at = now() where ${column} = $1`,
    [id],
  )
const machineOf = () => aMachine(api.database, merchantId)

describe('profiles', () => {
  test('are stored unchanged', async () => {
    const productId = await aProduct(api.database, merchantId)
    const body = aBody({
      productIds: [productId],
      priceTables: [1, 8],
      holidays: ['2026-12-24', '2026-12-25'],
      onHolidays: 'never',
    })
    const { id } = await admin.createNoVendProfile({ params: { merchantId }, body })
    const profile = await admin.getNoVendProfile({ params: { merchantId, noVendProfileId: id } })
    expect(profile).toMatchObject({ ...body, version: 1, machines: 0, machinesInSync: 0 })
  })

  test('a name is taken once per merchant, ignoring case', async () => {
    const { name } = await created()
    await expect(created({ name: name.toUpperCase() })).rejects.toMatchObject({
      status: 409,
      code: 'NoVendProfileAlreadyExists',
      facts: { field: 'name' },
    })
  })

  test.each([
    ['nothing that is not sold', { selections: [] }],
    ['no time', { windows: [] }],
    ['a day twice', { windows: [{ ...morning, days: [1, 1] }] }],
    ['an hour that does not exist', { windows: [{ ...morning, to: '24:00' }] }],
    ['a price table 9', { priceTables: [9] }],
    ['a holiday twice', { holidays: ['2026-12-24', '2026-12-24'] }],
  ])('with %s are refused', async (_, with_) => {
    await expect(created(with_)).rejects.toMatchObject({ status: 400, code: 'ValidationFailed' })
  })

  test('may apply on holidays only', async () => {
    const holidays = { windows: [], holidays: ['2026-12-24'], onHolidays: 'allDay' }
    expect(await created(holidays)).toMatchObject(holidays)
  })

  test('name products of their own merchant, also when several merchants are chosen', async () => {
    const other = await aMerchant(api.database)
    const both = api.as(
      await aUser(api.database, 'merchantAdmin', [
        { merchantId, groups: 'all' },
        { merchantId: other.id, groups: 'all' },
      ]),
    )
    const foreign = await aProduct(api.database, other.id)
    const body = aBody({ productIds: [foreign] })
    const missing = { status: 404, code: 'ProductNotFound' }
    await expect(both.createNoVendProfile({ params: { merchantId }, body })).rejects.toMatchObject(missing)
    const { id, version } = await created()
    const all = '00000000-0000-7000-8000-000000000000'
    await expect(
      both.updateNoVendProfile({ params: { merchantId: all, noVendProfileId: id }, body: { ...body, version } }),
    ).rejects.toMatchObject(missing)
  })

  test('a profile of machines cannot be deleted; machines of unseen groups are only said to exist', async () => {
    const visibleGroup = await aGroup(api.database, merchantId)
    const unseen = await aGroup(api.database, merchantId)
    const here = await aMachine(api.database, merchantId, { groupId: visibleGroup })
    const { id } = await created()
    await assign(here, id)
    await assign(await aMachine(api.database, merchantId, { groupId: unseen }), id)
    const leader = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [visibleGroup] }]))
    const params = { merchantId, noVendProfileId: id }
    await expect(leader.deleteNoVendProfile({ params })).rejects.toMatchObject({
      status: 409,
      code: 'NoVendProfileInUse',
      facts: { machines: 1, firstMachines: [{ id: here.id, name: here.name }], hasOthers: true },
    })
    await admin.setNoVendProfiles({
      params: { merchantId },
      body: { machines: { matching: { noVendProfileId: id }, count: 2 }, noVendProfileId: null },
    })
    await admin.deleteNoVendProfile({ params })
    await expect(admin.getNoVendProfile({ params })).rejects.toMatchObject({ code: 'NoVendProfileNotFound' })
  })

  test('a deleted machine does not keep its profile', async () => {
    const machine = await machineOf()
    const { id } = await created()
    await assign(machine, id)
    await admin.deleteMachine({ params: of(machine) })
    await admin.deleteNoVendProfile({ params: { merchantId, noVendProfileId: id } })
  })
})

describe('assignment', () => {
  test('writes the parameters, sends them alone, and is in sync when the machine reports them', async () => {
    const machine = await machineOf()
    const profile = await created()
    const parameters = [{ name: 'display.brightness', value: '70' }]
    await admin.updateCustomConfig({ params: of(machine), body: { version: 0, parameters: parameters } })
    expect(await assign(machine, profile.id)).toMatchObject({
      noVendProfileId: profile.id,
      noVendProfileName: profile.name,
      noVendProfileInSync: false,
    })
    const [settings = {}] = await sentTo(machine)
    expect(settings).toEqual({
      'novend.selections': '12',
      'novend.priceTables': '',
      'novend.windows': '12345 08:00-13:00',
      'novend.holidays': '',
      'novend.onHolidays': 'asUsual',
    })
    const custom = await admin.getCustomConfig({ params: of(machine) })
    // The user's own parameter has not been sent.
    expect(custom).toMatchObject({ version: 2, parameters: parameters, sync: 'pending', command: null })
    expect(Object.fromEntries(custom.managed.map(({ name, value }) => [name, value]))).toEqual(settings)

    await aConfiguration(api.database, machine, { ...settings, 'novend.windows': '1 08:00-13:00' })
    expect(await admin.getMachine({ params: of(machine) })).toMatchObject({ noVendProfileInSync: false })
    await aConfiguration(api.database, machine, { ...settings, 'light.cabinet': 'on' })
    expect(await admin.getMachine({ params: of(machine) })).toMatchObject({ noVendProfileInSync: true })
    const params = { merchantId, noVendProfileId: profile.id }
    expect(await admin.getNoVendProfile({ params })).toMatchObject({ machines: 1, machinesInSync: 1 })
    expect(await admin.listNoVendMachines({ params, query: {} })).toMatchObject({
      total: 1,
      items: [{ id: machine.id, selections: ['12'], inSync: true }],
    })
    const { items } = await admin.listMachines({ params: { merchantId }, query: { noVendProfileId: profile.id } })
    expect(items.map(({ id }) => id)).toEqual([machine.id])
    // The whole target is in sync only with the user's parameter.
    await aConfiguration(api.database, machine, { ...settings, 'display.brightness': '70' })
    expect(await admin.getCustomConfig({ params: of(machine) })).toMatchObject({ sync: 'sync' })
  })

  test('users cannot edit its parameters, and a save of theirs keeps them', async () => {
    const machine = await machineOf()
    const profile = await created()
    await assign(machine, profile.id)
    const save = (parameters: { name: string; value: string }[]) =>
      admin.updateCustomConfig({ params: of(machine), body: { version: 1, parameters } })
    await expect(save([{ name: 'novend.onHolidays', value: '' }])).rejects.toMatchObject({ code: 'ValidationFailed' })
    const saved = await save([{ name: 'a', value: '1' }])
    expect(saved).toMatchObject({ version: 2, parameters: [{ name: 'a', value: '1' }] })
    expect(saved.managed).toHaveLength(5)
  })

  test('without a profile the machine gets empty values, and stops obeying', async () => {
    const machine = await machineOf()
    const profile = await created({ priceTables: [2] })
    await assign(machine, profile.id)
    await finish('machine_id', machine.id)
    expect(await assign(machine, null)).toMatchObject({ noVendProfileId: null, noVendProfileInSync: null })
    const [before = {}, after = {}] = await sentTo(machine)
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
    expect(new Set(Object.values(after))).toEqual(new Set(['']))
  })

  test('the same profile once more is sent again to a machine that lost it', async () => {
    const machine = await machineOf()
    const profile = await created()
    await assign(machine, profile.id)
    // Pending: not twice.
    await assign(machine, profile.id)
    expect(await sentTo(machine)).toHaveLength(1)
    await finish('machine_id', machine.id)
    await assign(machine, profile.id)
    expect(await sentTo(machine)).toHaveLength(2)
  })

  test('of many machines: those of another merchant are refused one by one', async () => {
    const other = await aMerchant(api.database)
    const both = api.as(
      await aUser(api.database, 'merchantAdmin', [
        { merchantId, groups: 'all' },
        { merchantId: other.id, groups: 'all' },
      ]),
    )
    const one = await machineOf()
    const two = await machineOf()
    const foreign = await aMachine(api.database, other.id)
    const { id } = await created()
    await assign(one, id)
    const all = '00000000-0000-7000-8000-000000000000'
    const body = { machines: { ids: [one.id, two.id, foreign.id] }, noVendProfileId: id }
    expect(await both.setNoVendProfiles({ params: { merchantId: all }, body })).toEqual({
      changed: [{ id: two.id, before: null }],
      unchanged: 1,
      refused: [{ id: foreign.id, code: 'NoVendProfileNotFound' }],
    })
    expect(await sentTo(foreign)).toEqual([])
  })

  test('a merchant without vending has no profiles', async () => {
    const { id } = await aMerchant(api.database, { features: [] })
    const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
    await expect(user.listNoVendProfiles({ params: { merchantId: id }, query: {} })).rejects.toMatchObject({
      code: 'FeatureNotEnabled',
    })
  })

  test('remote configuration is not needed', async () => {
    const { id } = await aMerchant(api.database, { features: ['vending'] })
    const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
    const machine = await aMachine(api.database, id)
    const profile = await user.createNoVendProfile({ params: { merchantId: id }, body: aBody() })
    await user.setNoVendProfile({
      params: { merchantId: id, posId: machine.id },
      body: { noVendProfileId: profile.id },
    })
    expect(await sentTo(machine)).toHaveLength(1)
  })
})

describe('products', () => {
  test('are withheld in the selections of the planogram, whatever the machine reports', async () => {
    const machine = await machineOf()
    const productId = await aProduct(api.database, merchantId)
    const planogramId = await aPlanogram(api.database, merchantId)
    const line = `insert into planogram_lines (merchant_id, planogram_id, selection, position, product_id, capacity,
      warning_level, refill_value) values ($1, $2, $3, 0, $4, 10, 2, 10)`
    await api.database.admin(line, [merchantId, planogramId, '31', productId])
    await api.database.admin(line, [merchantId, planogramId, '32', null])
    await api.database.admin('update machines set planogram_id = $2 where id = $1', [machine.id, planogramId])
    await aProductCode(api.database, machine, { code: 'Bar', product_id: productId })
    await aPrice(api.database, machine, { selection: '40', product: 'Bar' })
    const profile = await created({ productIds: [productId] })
    await assign(machine, profile.id)
    expect((await sentTo(machine))[0]).toMatchObject({ 'novend.selections': '12,31' })
  })

  test('without a planogram are withheld where the machine reports them', async () => {
    const machine = await machineOf()
    const productId = await aProduct(api.database, merchantId)
    await aProductCode(api.database, machine, { code: 'Choc', product_id: productId })
    await aPrice(api.database, machine, { selection: '7', product: 'Choc' })
    await aPrice(api.database, machine, { selection: '8', product: 'Water' })
    const profile = await created({ selections: [], productIds: [productId] })
    await assign(machine, profile.id)
    expect((await sentTo(machine))[0]).toMatchObject({ 'novend.selections': '7' })
  })
})

test('an edit reaches all machines of the profile, also of groups that the editor does not see', async () => {
  const group = await aGroup(api.database, merchantId)
  const here = await aMachine(api.database, merchantId, { groupId: group })
  const elsewhere = await machineOf()
  const busy = await machineOf()
  const { id, version } = await created()
  await admin.setNoVendProfiles({
    params: { merchantId },
    body: { machines: { ids: [here.id, elsewhere.id] }, noVendProfileId: id },
  })
  await finish('merchant_id', merchantId)
  await aCommand(api.database, busy, { type: 6 })
  await assign(busy, id)
  const leader = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [group] }]))
  const body = { ...aBody({ selections: ['12', '13'] }), version }
  const saved = await leader.updateNoVendProfile({ params: { merchantId, noVendProfileId: id }, body })
  expect(saved).toMatchObject({ version: 2, selections: ['12', '13'], machines: 1 })
  for (const machine of [here, elsewhere])
    expect((await sentTo(machine)).at(-1)).toMatchObject({ 'novend.selections': '12,13' })
  // The command that was there first is sent alone.
  expect(await sentTo(busy)).toHaveLength(1)
  await expect(
    admin.updateNoVendProfile({ params: { merchantId, noVendProfileId: id }, body: aBodyOf(version) }),
  ).rejects.toMatchObject({ code: 'EditConflict' })
})
const aBodyOf = (version: number) => ({ ...aBody(), version })

test('a profile of 500 machines is saved and sent in less than two seconds', async () => {
  const crowd = await aMerchant(api.database)
  const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: crowd.id, groups: 'all' }]))
  for (let made = 0; made < 500; made += 50)
    await Promise.all(Array.from({ length: 50 }, () => aMachine(api.database, crowd.id)))
  const params = { merchantId: crowd.id }
  const profile = await user.createNoVendProfile({ params, body: aBody() })
  const body = { machines: { matching: {}, count: 500 }, noVendProfileId: profile.id }
  const { changed } = await user.setNoVendProfiles({ params, body })
  expect(changed).toHaveLength(500)
  await finish('merchant_id', crowd.id)
  const start = performance.now()
  await user.updateNoVendProfile({
    params: { ...params, noVendProfileId: profile.id },
    body: { ...aBody({ selections: ['1', '2'] }), version: 1 },
  })
  expect(performance.now() - start).toBeLessThan(2000)
  const [sent] = await api.database.admin<{ n: number }>(
    `select count(*)::int as n from remote_commands where merchant_id = $1 and status = 0`,
    [crowd.id],
  )
  expect(sent?.n).toBe(500)
})
