import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aPlanogram } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const planogramOf = async (machineId: string) =>
  (
    await api.database.admin<{ planogram_id: string | null }>('select planogram_id from machines where id = $1', [
      machineId,
    ])
  )[0]?.planogram_id

test('a machine gets a planogram and loses it, with entries in the change log, and shows its name', async () => {
  const planogramId = await aPlanogram(api.database, merchantId, { name: 'Hall' })
  const machine = await aMachine(api.database, merchantId)
  const params = { merchantId, posId: machine.id }
  expect(await admin.setMachinePlanogram({ params, body: { planogramId } })).toMatchObject({
    planogramId,
    planogramName: 'Hall',
  })
  expect(await admin.getMachine({ params })).toMatchObject({ planogramId, planogramName: 'Hall' })
  await admin.setMachinePlanogram({ params, body: { planogramId } })
  expect(await admin.setMachinePlanogram({ params, body: { planogramId: null } })).toMatchObject({ planogramId: null })
  const log = await api.database.admin(
    'select action, before, after from change_log where subject_id = $1 order by at',
    [machine.id],
  )
  expect(log).toEqual([
    { action: 'machine.assignPlanogram', before: { planogramId: null }, after: { planogramId } },
    { action: 'machine.assignPlanogram', before: { planogramId }, after: { planogramId: null } },
  ])
})

test('a planogram of another merchant is not assigned, neither to one machine nor to many', async () => {
  const other = (await aMerchant(api.database)).id
  const ownPlanogram = await aPlanogram(api.database, merchantId)
  const foreignPlanogram = await aPlanogram(api.database, other)
  const here = await aMachine(api.database, merchantId)
  const there = await aMachine(api.database, other)
  const grants = [merchantId, other].map((id) => ({ merchantId: id, groups: 'all' as const }))
  const both = api.as(await aUser(api.database, 'merchantAdmin', grants))
  const refused = expect.objectContaining({ code: 'PlanogramNotFound' })
  for (const planogramId of [foreignPlanogram, randomUUID()])
    await expect(
      admin.setMachinePlanogram({ params: { merchantId, posId: here.id }, body: { planogramId } }),
    ).rejects.toEqual(refused)
  await expect(
    both.setMachinePlanogram({
      params: { merchantId: allMerchants, posId: there.id },
      body: { planogramId: ownPlanogram },
    }),
  ).rejects.toEqual(refused)
  const outcome = await both.setMachinePlanograms({
    params: { merchantId: allMerchants },
    body: { machines: { ids: [here.id, there.id] }, planogramId: ownPlanogram },
  })
  expect(outcome).toEqual({
    changed: [{ id: here.id, before: null }],
    unchanged: 0,
    refused: [{ id: there.id, code: 'PlanogramNotFound' }],
  })
  expect(await planogramOf(there.id)).toBeNull()
})

test('all machines that match get a planogram, and machines are filtered by it', async () => {
  const merchant = (await aMerchant(api.database)).id
  const by = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant, groups: 'all' }]))
  const planogramId = await aPlanogram(api.database, merchant)
  const group = await aGroup(api.database, merchant)
  const inGroup = [
    await aMachine(api.database, merchant, { groupId: group }),
    await aMachine(api.database, merchant, { groupId: group }),
  ]
  await aMachine(api.database, merchant)
  const params = { merchantId: merchant }
  const machines = { matching: { groupIds: [group] }, count: 2 }
  const outcome = await by.setMachinePlanograms({ params, body: { machines, planogramId } as never })
  expect(outcome.changed).toHaveLength(2)
  const page = await by.listMachines({ params, query: { planogramId } })
  expect(new Set(page.items.map(({ id }) => id))).toEqual(new Set(inGroup.map(({ id }) => id)))
  const changed = { machines: { matching: { groupIds: [group] }, count: 3 }, planogramId: null }
  await expect(by.setMachinePlanograms({ params, body: changed as never })).rejects.toMatchObject({
    code: 'SelectionChanged',
    facts: { count: 2 },
  })
})

test('machines of a planogram are listed, added and removed; a group admin sees those of own groups', async () => {
  const planogramId = await aPlanogram(api.database, merchantId, { name: 'Station' })
  const group = await aGroup(api.database, merchantId)
  const ownMachine = await aMachine(api.database, merchantId, { groupId: group })
  const hidden = await aMachine(api.database, merchantId, { columns: { hidden: true, planogram_id: planogramId } })
  const limited = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [group] }]))
  const params = { merchantId, planogramId }
  const others = await limited.listPlanogramMachines({ params, query: { others: 'true' } })
  expect(others.items.map(({ id }) => id)).toEqual([ownMachine.id])
  expect(await limited.movePlanogramMachines({ params, body: { added: { ids: [ownMachine.id] } } })).toEqual({
    added: 1,
    removed: 0,
  })
  const ownPage = await limited.listPlanogramMachines({ params })
  expect(ownPage.items).toMatchObject([{ id: ownMachine.id, planogramId, planogramName: 'Station' }])
  expect((await admin.listPlanogramMachines({ params })).total).toBe(2)
  await expect(
    limited.movePlanogramMachines({ params, body: { removed: { ids: [hidden.id] } } }),
  ).rejects.toMatchObject({ code: 'MachineNotFound' })
})

test('a machine never gets a planogram that is deleted at the same moment', async () => {
  const machine = await aMachine(api.database, merchantId)
  for (let round = 0; round < 5; round++) {
    const planogramId = await aPlanogram(api.database, merchantId)
    const [assigned, deleted] = await Promise.allSettled([
      admin.setMachinePlanogram({ params: { merchantId, posId: machine.id }, body: { planogramId } }),
      admin.deletePlanogram({ params: { merchantId, planogramId } }),
    ])
    const failed = [assigned, deleted].filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(failed).toHaveLength(1)
    expect(['PlanogramNotFound', 'PlanogramInUse']).toContain(failed[0]?.reason.code)
    expect((await planogramOf(machine.id)) === planogramId).toBe(assigned.status === 'fulfilled')
  }
})

test('a deleted machine leaves its planogram', async () => {
  const planogramId = await aPlanogram(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId, { columns: { planogram_id: planogramId } })
  await admin.deleteMachine({ params: { merchantId, posId: machine.id } })
  await admin.deletePlanogram({ params: { merchantId, planogramId } })
})
