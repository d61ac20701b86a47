import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnIdsOf } from '#contract/export/export-lists.ts'
import { refreshUsualSales } from '#database/stock/usual-sales.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let groupId: string
let admin: TestClient
let technician: TestClient
let technicianId: string
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  groupId = await aGroup(api.database, merchantId)
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }])
  technicianId = user.id
  technician = api.as(user)
})
afterAll(() => api.close())

const day = new Date().toISOString().slice(0, 10)
const machine = (columns: Record<string, unknown> = {}, inGroup: string | undefined = groupId) =>
  aMachine(api.database, merchantId, { ...(inGroup && { groupId: inGroup }), columns })
const plan = (machines: readonly TestMachine[], with_: object = {}) =>
  admin.createRound({
    params: { merchantId },
    body: { name: 'North', day, posIds: machines.map(({ id }) => id), ...with_ },
  })
const of = (roundId: string) => ({ merchantId, roundId })

describe('candidates', () => {
  test('are machines with a reason, the most money at stake first', async () => {
    const merchant = (await aMerchant(api.database)).id
    const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant, groups: 'all' }]))
    const clientId = await aClient(api.database, merchant, { phone: '+39 06 1' })
    const [soldOut, full, fine] = [
      await aMachine(api.database, merchant, { columns: { client_id: clientId, last_audit_at: new Date() } }),
      await aMachine(api.database, merchant, {
        columns: { cash_in_box: 9000, cash_box_capacity: 10_000, last_audit_at: new Date() },
      }),
      await aMachine(api.database, merchant, { columns: { last_audit_at: new Date() } }),
    ] as const
    await aStock(api.database, soldOut, { selection: '11', level: 0, capacity: 10 })
    await aStock(api.database, soldOut, { selection: '12', level: 10, capacity: 10 })
    await anAlarm(api.database, soldOut, { code: 'EJM', criticity: 4 })
    await api.database.admin(
      `insert into sales_daily (merchant_id, day, machine_id, type, media_type, media_source, count, value, value_charge, free_count, error_count)
       values ($1, current_date - 1, $2, 1, 1, 1, 10, 28000, 0, 0, 0)`,
      [merchant, soldOut.id],
    )
    await refreshUsualSales(api.database, new Date())
    const { items, currency } = await reader.listVisitCandidates({ params: { merchantId: merchant }, query: { day } })
    expect(currency).toBe('EUR')
    expect(items.map(({ posId }) => posId)).toEqual([full.id, soldOut.id])
    expect(items[0]).toMatchObject({ atStake: 9000 + items[0]!.lostSales, reasons: [{ kind: 'cashFull', value: 90 }] })
    expect(items[1]).toMatchObject({
      clientPhone: '+39 06 1',
      fillPercent: 50,
      pieces: 10,
      reasons: [
        { kind: 'blocked', code: 'EJM' },
        { kind: 'soldOut', value: 1 },
      ],
    })
    // 1,000 on a usual day, lost for at most one day.
    expect(items[1]!.lostSales).toBeGreaterThanOrEqual(0)
    expect(items[1]!.lostSales).toBeLessThanOrEqual(1000)
    expect(items.some(({ posId }) => posId === fine.id)).toBe(false)
    const query = { day, size: 1 }
    const second = await reader.listVisitCandidates({ params: { merchantId: merchant }, query: { ...query, page: 2 } })
    expect(second).toMatchObject({ total: 2, items: [items[1]] })
    const search = await reader.listVisitCandidates({
      params: { merchantId: merchant },
      query: { ...query, search: soldOut.serial },
    })
    expect(search).toMatchObject({ total: 1, items: [items[1]] })
  })
})

describe('a round', () => {
  test('computes what to load for each stop, by planogram and level', async () => {
    const productId = await aProduct(api.database, merchantId, { name: 'Water', code: 'W1' })
    const planogramId = await aPlanogram(api.database, merchantId)
    const line = { capacity: 10, warning_level: 2, refill_value: 8 }
    await aPlanogramLine(api.database, merchantId, planogramId, productId, { selection: '11', ...line })
    await aPlanogramLine(api.database, merchantId, planogramId, productId, { selection: '12', ...line })
    const one = await machine({ planogram_id: planogramId })
    const other = await machine()
    await aStock(api.database, one, { selection: '11', level: 3, capacity: 12 })
    await aStock(api.database, other, { selection: '5', level: 1, capacity: 6, product: 'Cola' })
    const { id, stopList, pieces } = await plan([one, other])
    expect(stopList.map(({ posId, position }) => [posId, position])).toEqual([
      [one.id, 1],
      [other.id, 2],
    ])
    expect(pieces).toBe(10)
    const query = { roundId: id }
    const loads = await admin.listRoundLoads({ params: { merchantId }, query })
    expect(loads.items.map(({ selection, product, quantity }) => [selection, product, quantity])).toEqual([
      ['11', 'Water', 5],
      ['5', 'Cola', 5],
    ])
    const products = await admin.listRoundProducts({ params: { merchantId }, query: { ...query, ord: 'quantity' } })
    expect(products.items).toHaveLength(2)

    const edit = { stopId: stopList[0]!.id, selection: '11', before: 5, quantity: 2 }
    expect(await admin.updateRoundLoads({ params: of(id), body: { edits: [edit] } })).toMatchObject({ saved: 1 })
    // The same edit from an older view of the screen.
    const late = { ...edit, before: 5, quantity: 6 }
    expect(await admin.updateRoundLoads({ params: of(id), body: { edits: [late] } })).toEqual({
      saved: 0,
      conflicts: [{ stopId: edit.stopId, selection: '11', current: 2 }],
    })
    // The planogram's capacity of 10 less the level of 3.
    expect(loads.items.map(({ fits }) => fits)).toEqual([7, 5])
    // Computed again, the user's quantity stays.
    expect((await admin.computeRoundLoads({ params: of(id) })).pieces).toBe(7)
    await expect(
      admin.updateRoundLoads({ params: of(id), body: { edits: [{ ...edit, before: 2, quantity: 8 }] } }),
    ).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [{ path: 'edits.0.quantity', values: { maxValue: 7 } }],
    })

    const pdf = await api.send('getRoundPdf', { params: of(id) }, await anAdmin())
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('keeps its stops that are done when machines are exchanged', async () => {
    const [a, b, c] = [await machine(), await machine(), await machine()] as const
    const round = await plan([a, b])
    const doneStop = round.stopList[0]!
    await api.database.admin(
      `update round_stops set status = 'done', closed_at = now(), closed_by = 'user' where id = $1`,
      [doneStop.id],
    )
    const { version, name } = round
    const saved = await admin.updateRound({ params: of(round.id), body: { version, name, day, posIds: [c.id] } })
    expect(saved.stopList.map(({ posId }) => posId)).toEqual([c.id, a.id])
    await expect(
      admin.updateRound({ params: of(round.id), body: { version, name: 'Other', day, posIds: [c.id] } }),
    ).rejects.toMatchObject({ code: 'EditConflict' })
  })

  test('belongs to a user of the merchant', async () => {
    const round = await plan([await machine()], { assigneeId: technicianId })
    expect(round).toMatchObject({ assigneeId: technicianId, assigneeName: expect.any(String) })
    const other = (await aMerchant(api.database)).id
    const stranger = await aUser(api.database, 'merchantUser', [{ merchantId: other, groups: 'all' }])
    await expect(plan([], { assigneeId: stranger.id })).rejects.toMatchObject({ code: 'UserNotFound' })
    const { items } = await technician.listRounds({ params: { merchantId }, query: { assigneeIds: [technicianId] } })
    expect(items.map(({ id }) => id)).toEqual([round.id])
    const assignees = await admin.listRoundAssignees({ params: { merchantId } })
    expect(assignees.map(({ id }) => id)).toContain(technicianId)
    expect(assignees.map(({ id }) => id)).not.toContain(stranger.id)
  })

  test('shows a user of one group the stops of that group, and an edit by that user keeps the others', async () => {
    const otherGroup = await aGroup(api.database, merchantId)
    const [ownMachine, foreignMachine, added] = [
      await machine(),
      await machine({}, otherGroup),
      await machine(),
    ] as const
    const round = await plan([foreignMachine, ownMachine])
    const visible = await technician.getRound({ params: of(round.id) })
    expect(visible.stopList.map(({ posId }) => posId)).toEqual([ownMachine.id])
    expect(visible.stops).toBe(1)
    const groupAdmin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }]))
    const { version, name } = round
    await groupAdmin.updateRound({
      params: of(round.id),
      body: { version, name, day, posIds: [added.id, ownMachine.id] },
    })
    const all = await admin.getRound({ params: of(round.id) })
    expect(all.stopList.map(({ posId }) => posId)).toEqual([added.id, ownMachine.id, foreignMachine.id])
  })

  test('starts, skips stops with a reason, and ends; then nothing changes it', async () => {
    const round = await plan([await machine(), await machine()])
    const [first, second] = round.stopList as [(typeof round.stopList)[0], (typeof round.stopList)[0]]
    expect(await technician.startRound({ params: of(round.id) })).toMatchObject({ status: 'underway' })
    const stop = { ...of(round.id), stopId: first.id }
    const skipped = await technician.skipStop({ params: stop, body: { reason: 'closed', note: 'Holiday' } })
    expect(skipped.stopList[0]).toMatchObject({
      status: 'skipped',
      skipReason: 'closed',
      skipNote: 'Holiday',
      closedBy: 'user',
    })
    expect((await technician.reopenStop({ params: stop })).stopList[0]).toMatchObject({
      status: 'open',
      closedAt: null,
    })
    const done = await technician.finishRound({ params: of(round.id) })
    expect(done.stopList.map(({ skipReason }) => skipReason)).toEqual(['roundFinished', 'roundFinished'])
    await expect(
      technician.skipStop({ params: { ...of(round.id), stopId: second.id }, body: { reason: 'closed' } }),
    ).rejects.toMatchObject({ code: 'RoundClosed' })
    await expect(admin.cancelRound({ params: of(round.id) })).rejects.toMatchObject({ code: 'RoundClosed' })
  })

  test('takes a step of a phone that got no answer for done', async () => {
    const round = await plan([await machine(), await machine()])
    const stop = { ...of(round.id), stopId: round.stopList[0]?.id ?? '' }
    const steps = [
      () => technician.startRound({ params: of(round.id) }),
      () => technician.skipStop({ params: stop, body: { reason: 'closed', note: 'Holiday' } }),
      () => technician.finishRound({ params: of(round.id) }),
    ]
    for (const step of steps) expect(await step()).toMatchObject({ version: (await step()).version })
    // The answer to the skip was lost, and meanwhile another phone has ended the round.
    expect(await technician.skipStop({ params: stop, body: { reason: 'noTime' } })).toMatchObject({
      status: 'done',
      stopList: [{ skipReason: 'closed', skipNote: 'Holiday' }, { skipReason: 'roundFinished' }],
    })
    const cancelled = await plan([await machine()])
    await admin.cancelRound({ params: of(cancelled.id) })
    await expect(technician.finishRound({ params: of(cancelled.id) })).rejects.toMatchObject({ code: 'RoundClosed' })
  })

  test('skips the stop of a machine that is deleted', async () => {
    const gone = await machine()
    const round = await plan([gone, await machine()])
    await admin.deleteMachine({ params: { merchantId, posId: gone.id } })
    const { stopList, posIds } = await admin.getRound({ params: of(round.id) })
    expect(posIds).toHaveLength(1)
    expect(stopList.find(({ posId }) => posId === gone.id)).toMatchObject({
      status: 'skipped',
      skipReason: 'machineRemoved',
    })
  })
})

test('the pick list is a file by stop and a file by product', async () => {
  const productId = await aProduct(api.database, merchantId, { name: 'Listed water' })
  const planogramId = await aPlanogram(api.database, merchantId)
  const line = { selection: '11', capacity: 10, warning_level: 2, refill_value: 10 }
  await aPlanogramLine(api.database, merchantId, planogramId, productId, line)
  const stop = await machine({ planogram_id: planogramId })
  await aStock(api.database, stop, { selection: '11', level: 2, capacity: 10 })
  const { id: roundId } = await plan([stop])
  const user = await anAdmin()
  for (const list of ['roundLoads', 'roundProducts'] as const) {
    const columns = columnIdsOf(list)
    const body = { list, format: 'csv', columns, filter: { roundId }, language: 'en' }
    const answer = await api.send('exportShown', { params: { merchantId }, body }, user)
    expect(answer.statusCode, answer.payload).toBe(200)
    const [, row, ...more] = answer.payload.trim().split('\n')
    expect(row, answer.payload).toMatch(/Listed water.*8/)
    expect(more).toEqual([])
  }
})

const anAdmin = () => aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
