import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'
import { aRound, aStop, jpeg } from '#testkit/nouns/rounds.ts'

let api: TestApi
let merchantId: string
let planogramId: string
let admin: TestClient
let driver: TestUser & { id: string }
let technician: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  driver = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  technician = api.as(driver)
  planogramId = await aPlanogram(api.database, merchantId)
  const productId = await aProduct(api.database, merchantId, { name: 'Water' })
  const line = { selection: '11', capacity: 10, warning_level: 2, refill_value: 8 }
  await aPlanogramLine(api.database, merchantId, planogramId, productId, line)
})
afterAll(() => api.close())

/** A managed machine with selection 11 of 10 pieces, filled up to 8. */
async function managed(): Promise<TestMachine> {
  const machine = await aMachine(api.database, merchantId, {
    columns: { planogram_id: planogramId, cash_in_box: 5000, cash_box_capacity: 10_000 },
  })
  await aStock(api.database, machine, { selection: '11', level: 8, at: new Date(Date.now() - 3_600_000) })
  await admin.setManageStock({ params: of(machine), body: { manageStock: true } })
  return machine
}
async function underway(machine: TestMachine, with_: Record<string, unknown> = {}) {
  const started = { status: 'underway', started_at: new Date(Date.now() - 3_600_000) }
  const roundId = await aRound(api.database, merchantId, { ...started, ...with_ })
  return { roundId, stopId: await aStop(api.database, machine, { round_id: roundId }) }
}
const of = (machine: TestMachine) => ({ merchantId, posId: machine.id })
const visit = (machine: TestMachine, with_: object = {}, who = technician) =>
  who.createVisit({ params: of(machine), body: { id: randomUUID(), at: new Date().toISOString(), ...with_ } })
const line = (with_: object = {}) => ({ selection: '11', planned: 2, loaded: 2, waste: 0, counted: null, ...with_ })
const levelOf = async (machine: TestMachine) => {
  const [row] = await api.database.admin<{ level: number }>(
    `select level from machine_stock where machine_id = $1 and selection = '11'`,
    [machine.id],
  )
  return row?.level
}

test('the plan of a visit says who counts the machine’s stock', async () => {
  const machine = await managed()
  const countedBy = async (one: TestMachine) => (await technician.getVisitPlan({ params: of(one) })).countedBy
  expect(await countedBy(machine)).toBe('portal')
  await admin.setManageStock({ params: of(machine), body: { manageStock: true, stockCountedBy: 'machine' } })
  expect(await countedBy(machine)).toBe('machine')
  expect(await countedBy(await aMachine(api.database, merchantId))).toBeNull()
})

describe('a visit', () => {
  test('books counts, waste and refills, opens the collection of the cash box and closes the stop', async () => {
    const machine = await managed()
    const { roundId, stopId } = await underway(machine)
    const stored = await visit(machine, {
      stopId,
      lines: [line({ counted: 5, waste: 1, loaded: 4 })],
      cashTaken: true,
      bagNumber: 'B 17',
      note: 'Door is stiff',
      picture: jpeg.toString('base64'),
    })
    expect(stored).toMatchObject({ roundId, stopId, bagNumber: 'B 17', hasPicture: true })
    expect(await levelOf(machine)).toBe(8)
    const { stopList } = await technician.getRound({ params: { merchantId, roundId } })
    expect(stopList[0]).toMatchObject({
      status: 'done',
      closedBy: 'visit',
      visit: { id: stored.id, loaded: 4, waste: 1, cashTaken: true, bagNumber: 'B 17', hasPicture: true },
    })
    const collections = await api.database.admin('select bag_number from collections where machine_id = $1', [
      machine.id,
    ])
    expect(collections).toEqual([{ bag_number: 'B 17' }])
    const params = { ...of(machine), visitId: stored.id }
    const picture = await api.send('getVisitPicture', { params }, driver)
    expect(picture.rawPayload.equals(jpeg)).toBe(true)
  })

  test('sent twice is one; another content under its id is refused', async () => {
    const machine = await managed()
    const { stopId } = await underway(machine)
    const body = { id: randomUUID(), at: new Date().toISOString(), stopId, lines: [line({ counted: 3, loaded: 2 })] }
    const [one, other] = await Promise.all([
      technician.createVisit({ params: of(machine), body }),
      technician.createVisit({ params: of(machine), body }),
    ])
    expect(other).toEqual(one)
    expect(await levelOf(machine)).toBe(5)
    await expect(
      technician.createVisit({ params: of(machine), body: { ...body, note: 'Other' } }),
    ).rejects.toMatchObject({ code: 'VisitIdTaken' })
  })

  test('of a second phone to the same stop needs a confirmation', async () => {
    const machine = await managed()
    const { stopId } = await underway(machine)
    await visit(machine, { stopId, lines: [line()] })
    const second = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
    const facts = { closedBy: expect.any(String), closedAt: expect.any(String) }
    await expect(visit(machine, { stopId, lines: [line()] }, second)).rejects.toMatchObject({
      status: 409,
      code: 'StopAlreadyVisited',
      facts,
    })
    expect(await visit(machine, { stopId, again: true, lines: [line({ loaded: 0 })] }, second)).toMatchObject({
      stopId,
    })
  })

  test('names the lines that do not fit', async () => {
    const machine = await managed()
    const lines = [line({ loaded: 11 }), line({ selection: '99' })]
    await expect(visit(machine, { lines })).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [
        { path: 'lines.0.loaded', rule: 'rule.maximum' },
        { path: 'lines.1.selection', rule: 'rule.choice' },
      ],
    })
    await expect(visit(machine, { picture: Buffer.from('%PDF-').toString('base64') })).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [{ path: 'picture' }],
    })
  })

  test('takes no more than fits and no more waste than there was, unless the technician counts', async () => {
    const machine = await managed()
    const refused = (with_: object, maxValue: number) =>
      expect(visit(machine, { lines: [line(with_)] })).rejects.toMatchObject({
        code: 'ValidationFailed',
        errors: [{ rule: 'rule.maximum', values: { maxValue } }],
      })
    await refused({ loaded: 3 }, 2)
    await refused({ loaded: 0, waste: 100_000 }, 8)
    await refused({ loaded: 0, counted: 99_999 }, 10)
    await visit(machine, { lines: [line({ counted: 1, loaded: 9 })] })
    expect(await levelOf(machine)).toBe(10)
  })

  test('starts a refill at nothing, however much was sold beyond the books', async () => {
    const machine = await managed()
    await api.database.admin(
      `update machine_stock set balance = -3, level = 0, moved_at = now() - interval '1 minute' where machine_id = $1`,
      [machine.id],
    )
    await visit(machine, { lines: [line({ loaded: 10 })] })
    expect(await levelOf(machine)).toBe(10)
    const { items, shrinkage } = await admin.listStockMovements({ params: of(machine) })
    const ofVisit = items.map(({ kind, amount }) => [kind, amount])
    expect(ofVisit).toEqual(
      expect.arrayContaining([
        ['oversold', 3],
        ['refill', 10],
      ]),
    )
    expect(shrinkage).toBe(0)
  })

  test('that arrives late has the time of the phone, and never one in the future', async () => {
    const machine = await managed()
    const { roundId } = await underway(machine)
    const hoursAgo = new Date(Date.now() - 30 * 60_000).toISOString()
    const late = await visit(machine, { at: hoursAgo, lines: [line()] })
    expect(late).toMatchObject({ at: hoursAgo.slice(0, -1), roundId })
    const ahead = await visit(machine, { at: new Date(Date.now() + 3_600_000).toISOString(), note: 'Ahead' })
    expect(ahead.at).toBe(ahead.receivedAt)
    await expect(visit(machine, { at: new Date(Date.now() - 91 * 86_400_000).toISOString() })).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [{ path: 'at' }],
    })
  })

  test('of a round that ended meanwhile is stored, and explains the skipped stop', async () => {
    const machine = await managed()
    const { roundId, stopId } = await underway(machine)
    await technician.finishRound({ params: { merchantId, roundId } })
    await visit(machine, { stopId, lines: [line()] })
    const round = await admin.getRound({ params: { merchantId, roundId } })
    expect(round).toMatchObject({ status: 'done', stopList: [{ status: 'done', closedBy: 'visit', skipReason: null }] })
  })

  test('of a stop that was removed meanwhile is stored, and closes the machine’s open stop if there is one', async () => {
    const machine = await managed()
    const { roundId, stopId } = await underway(machine)
    const { version, name, day } = await admin.getRound({ params: { merchantId, roundId } })
    const edit = { version, name, day, posIds: [] }
    await admin.updateRound({ params: { merchantId, roundId }, body: edit })
    const alone = await visit(machine, { stopId, lines: [line({ counted: 5, loaded: 2 })] })
    expect(alone).toMatchObject({ roundId: null, stopId: null, lines: [{ loaded: 2 }] })
    expect(await levelOf(machine)).toBe(7)
    const next = await underway(machine)
    expect(await visit(machine, { stopId, lines: [line()] })).toMatchObject(next)
    // A stop of another machine is none of this machine.
    const other = await underway(await managed())
    expect(await visit(machine, { stopId: other.stopId, lines: [] })).toMatchObject({ stopId: null })
  })

  test('closes no stop of a round that is planned for a later day', async () => {
    const machine = await managed()
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const { roundId, stopId } = await underway(machine, { status: 'planned', started_at: null, day })
    expect(await visit(machine, { stopId, lines: [line()] })).toMatchObject({ roundId: null, stopId: null })
    const round = await admin.getRound({ params: { merchantId, roundId } })
    expect(round).toMatchObject({ status: 'planned', stopList: [{ status: 'open' }] })
    await technician.startRound({ params: { merchantId, roundId } })
    expect(await visit(machine, { stopId, lines: [line({ loaded: 0 })] })).toMatchObject({ roundId, stopId })
  })

  test('of a machine that was deleted meanwhile is refused as missing', async () => {
    const machine = await managed()
    const { stopId } = await underway(machine)
    await admin.deleteMachine({ params: of(machine) })
    await expect(visit(machine, { stopId, lines: [line()] })).rejects.toMatchObject({ code: 'MachineNotFound' })
  })
})

test('the plan of a visit has the round’s quantities, and the reader’s own round first', async () => {
  const machine = await managed()
  await underway(machine)
  const ownRound = await underway(machine, { assignee_id: driver.id, assignee_name: 'Driver', name: 'Own round' })
  await api.database.admin(
    `insert into round_loads (merchant_id, stop_id, machine_id, selection, capacity, quantity) values ($1, $2, $3, '11', 10, 3)`,
    [merchantId, ownRound.stopId, machine.id],
  )
  const plan = await technician.getVisitPlan({ params: of(machine) })
  expect(plan.stop).toMatchObject({
    id: ownRound.stopId,
    roundName: 'Own round',
    position: 1,
    stops: 1,
    nextName: null,
  })
  expect(plan.selections).toEqual([
    expect.objectContaining({ selection: '11', product: 'Water', level: 8, capacity: 10, planned: 3 }),
  ])
})
