import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { columnIdsOf, type ExportList, exportLists } from '#contract/export/export-lists.ts'
import { isOfCustomer, isOfKiosk } from '#contract/frame/endpoint.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { period, samples } from '#testkit/access/access-samples.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { may, rowOf } from '#testkit/access/trial.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import type { TestMachine } from '#testkit/fixtures.ts'
import { anAudit, anInterval } from '#testkit/machines/machine-data.ts'
import { storeItem } from '#testkit/machines/seller.ts'
import { aKiosk, shownBy } from '#testkit/nouns/kiosks.ts'
import { textsOfPdf } from '#testkit/pdf-text.ts'

/*
 * A machine whose box, audits and own report all say the same unusual amount. An answer or file that has it before the count
 * reveals the result.
 */
const secret = 471_123
const written = /471[.,\s]?123|4[.,\s\u202f\u00a0]?711[.,]23/

let api: TestApi
let world: Awaited<ReturnType<typeof accessAims>>
let id: string
let aim: Aim
const of = (collectionId: string) => ({ params: { merchantId: world.ownAim.merchantId, collectionId } })
const as = (role: Role) => api.as(world.users[role])
const hour = 3_600_000

async function setBlind(countsBlind: boolean) {
  const params = { merchantId: world.ownAim.merchantId }
  const { pin: _, ...settings } = await as('merchantAdmin').getMerchantSettings({ params })
  await as('merchantAdmin').updateMerchantSettings({ params, body: { ...settings, countsBlind } })
}

beforeAll(async () => {
  api = await openTestApi()
  world = await accessAims(api)
  const { merchantId, groupId, posId } = world.ownAim
  const [row] = await api.database.admin<Pick<TestMachine, 'serial' | 'name'>>(
    'select serial, name from machines where id = $1',
    [posId],
  )
  const machine = { serial: '', name: '', ...row, id: posId, merchantId, groupId, epoch: 1, secret: '' }
  await api.database.admin('delete from collections where machine_id = $1', [posId])
  const store = (kind: 'sale' | 'cash', seq: number, hours: number, more: object) =>
    storeItem(api.database, machine, { kind, seq, at: Date.now() - hours * hour, more })
  const read = async (hours: number, coins: number) => {
    const raw = writeAudit({
      serial: machine.serial,
      model: 'M',
      software: '1',
      decimals: 2,
      currency: 'EUR',
      time: '2026-01-01T00:00:00',
      selections: [{ selection: '11', price: 100, count: 5, value: 500 }],
      cash: { count: 5, value: 500, in: { toBox: coins, toTubes: 0, bills: 0 } },
    })
    const content = JSON.stringify(readAudit(raw, { fallback: 'EUR' }))
    const auditId = await anAudit(api.database, machine, {
      read_at: new Date(Date.now() - hours * hour),
      content,
      raw,
      sha256: Buffer.alloc(32, hours),
    })
    return anInterval(api.database, machine, auditId)
  }
  // On another day than the second collection, at each hour.
  await store('sale', 901, 80, { type: 12, value: 5000 })
  await read(79, 0)
  await store('cash', 902, 30, { box: secret, boxCapacity: 500_000, boxPieces: [{ value: 1, count: secret }] })
  const auditId = await read(29, secret)
  await store('sale', 903, 28, { type: 12, value: secret })
  const [sale] = await api.database.admin<{ id: string }>(
    'select id from transactions where machine_id = $1 and value = $2',
    [posId, secret],
  )
  await api.database.admin('update round_stops set cash_in_box = $2 where machine_id = $1', [posId, secret])
  const { items } = await as('merchantAdmin').listCashCollections({
    params: { merchantId },
    query: { posIds: [posId] },
  })
  id = items[0]?.id ?? ''
  aim = { ...world.ownAim, auditId, transactionId: sale?.id ?? '', collectionId: id }
  await setBlind(true)
})
afterAll(() => api.close())

/** What an answer says, also in a PDF. */
async function said(name: EndpointName, role: Role): Promise<string> {
  const answer = await api.send(name, samples[name].input(aim), world.users[role])
  const isPdf = answer.rawPayload.subarray(0, 4).toString() === '%PDF'
  return isPdf ? textsOfPdf(answer.rawPayload).join('\n') : answer.payload
}

const reads = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
  const row = rowOf(name)
  const isEndless = row.produces === 'text/event-stream'
  return (
    row.method === 'GET' && row.path.includes('{merchantId}') && !isEndless && !isOfCustomer(row) && !isOfKiosk(row)
  )
})

test('no call reveals to counters what is expected of an uncounted collection', async () => {
  const found: EndpointName[] = []
  for (const name of reads)
    if (may('groupAdmin', name) && written.test(await said(name, 'groupAdmin'))) found.push(name)
  expect(found).toEqual([])
})

/** They show the amount to who may see it, so the test above would find it. */
const telling = [
  'getDashboard',
  'listMachines',
  'getMachine',
  'listTransactions',
  'listTransactionPages',
  'listAllTransactions',
  'getTransaction',
  'statsOfPeriod',
  'listAudits',
  'getAudit',
  'getRawAudit',
  'getAuditReconciliation',
  'listVisitCandidates',
  'getRound',
  'getRoundPdf',
  'getVisitPlan',
  'getMachineCash',
] as const satisfies readonly EndpointName[]

test('admins of the merchant see cash boxes, but no figure of an uncounted collection', async () => {
  const ofCollections: EndpointName[] = ['listCashCollections', 'getCashCollection', 'getCashCollectionReceipt']
  for (const name of ofCollections)
    expect(await said(name, 'merchantAdmin'), name).not.toMatch(
      // The cash in boxes beside the list is not that of a collection.
      name === 'listCashCollections' ? /"(audited|transmitted|expected)":471123/ : written,
    )
  for (const name of telling) expect(await said(name, 'merchantAdmin'), name).toMatch(written)
  const withheld = await as('merchantAdmin').getCashCollection(of(id))
  expect(withheld).toMatchObject({
    isWithheld: true,
    audited: null,
    transmitted: null,
    expected: null,
    comparedWith: null,
    transmittedPieces: null,
    rest: { audited: null, transmitted: null },
  })
  expect(withheld.lines.filter(({ audited, transmitted }) => audited || transmitted)).toEqual([])
})

test('no file shows it either', async () => {
  const { merchantId } = world.ownAim
  const telling: string[] = []
  for (const list of Object.keys(exportLists) as ExportList[]) {
    if (!may('merchantUser', exportNameOf(list))) continue
    const filter = {
      ...(needsPeriod(list) && period),
      ...(/Loads|Products/.test(list) && { roundId: world.ownAim.roundId }),
    }
    const body = { list, format: 'csv', columns: columnIdsOf(list), filter, language: 'en' }
    const answer = await api.send('exportShown', { params: { merchantId }, body }, world.users.merchantUser)
    if (written.test(answer.payload)) telling.push(list)
  }
  expect(telling).toEqual([])
})
const exportNameOf = (list: ExportList) =>
  (Object.keys(endpoints) as EndpointName[]).find(
    (name) => rowOf(name) === (exportLists[list].row as unknown),
  ) as EndpointName
const needsPeriod = (list: ExportList) => ['transactions', 'statsByPos', 'reconciledDays'].includes(list)

test('an order of the list reveals nothing, and a token sees as little as a user', async () => {
  const { merchantId, posId } = world.ownAim
  const { token } = await anApiToken(api.database, merchantId)
  for (const ord of ['audited', 'transmitted', 'difference'] as const) {
    const { items } = await as('merchantUser').listCashCollections({
      params: { merchantId },
      query: { posIds: [posId], ord },
    })
    expect(
      items.map((row) => row.expected),
      ord,
    ).toEqual(items.map(() => null))
  }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await api.send('getMachineCash', { params: { merchantId, posId }, headers })
  expect(answer.json()).toMatchObject({ box: null, boxPieces: null, since: null, isBoxHidden: true })
})

test('a wall display shows no cash in boxes', async () => {
  const { merchantId } = world.ownAim
  const { secret: link } = await aKiosk(api.database, merchantId, { creatorId: world.users.merchantAdmin.id })
  const answer = await api.send('getKioskDashboard', { headers: shownBy(link) })
  expect(answer.statusCode).toBe(200)
  expect(answer.payload).toContain('"cashInBoxes":0,"isCashHidden":true')
})

describe('the count', () => {
  const pieces = [{ value: 100, count: 4700 }]
  test('is saved whatever its difference, also if it should close, and shows what was expected', async () => {
    const counted = await as('merchantUser').countCashCollection({
      ...of(id),
      body: { version: 1, pieces, close: true },
    })
    expect(counted).toMatchObject({
      status: 'counted',
      isWithheld: false,
      countSight: 'blind',
      blindCounted: 470_000,
      expected: secret,
      difference: 470_000 - secret,
    })
    // Its answer got lost.
    const again = await as('merchantUser').countCashCollection({ ...of(id), body: { version: 1, pieces, close: true } })
    expect(again.version).toBe(counted.version)
  })

  test('of a user who has seen the difference is marked as another one, beside the blind one', async () => {
    const { version } = await as('merchantUser').getCashCollection(of(id))
    const body = { version, pieces: [{ value: 100, count: 4711 }], close: true }
    expect(await as('merchantUser').countCashCollection({ ...of(id), body })).toMatchObject({
      status: 'closed',
      countSight: 'again',
      counted: 471_100,
      blindCounted: 470_000,
    })
    const { items } = await as('merchantAdmin').listChangeLog({
      params: { merchantId: world.ownAim.merchantId },
      query: { subjectId: id },
    })
    expect(items.map(({ after }) => after)).toMatchObject([{ sight: 'again' }, { sight: 'blind' }])
  })

  test('of an admin, who sees cash boxes, is not a blind one', async () => {
    const other = randomUUIDv7()
    const { merchantId, posId } = world.ownAim
    await api.database.admin(
      `insert into collections (merchant_id, id, machine_id, at, until, created_at) values ($1, $2, $3, now(), now(), now())`,
      [merchantId, other, posId],
    )
    const counted = await as('merchantAdmin').countCashCollection({ ...of(other), body: { version: 1, pieces } })
    expect(counted).toMatchObject({ countSight: 'seen', blindCounted: null })
  })
})

test('without the setting, figures are shown as before and counts have no mark', async () => {
  await setBlind(false)
  const { merchantId, posId } = world.ownAim
  const other = randomUUIDv7()
  await api.database.admin(
    `insert into collections (merchant_id, id, machine_id, at, until, reported_total, created_at)
     values ($1, $2, $3, now() + interval '1 second', now() + interval '1 second', $4, now())`,
    [merchantId, other, posId, secret],
  )
  expect(await as('merchantUser').getCashCollection(of(other))).toMatchObject({
    isWithheld: false,
    transmitted: secret,
  })
  const counted = await as('merchantUser').countCashCollection({ ...of(other), body: { version: 1, pieces: [] } })
  expect(counted).toMatchObject({ countSight: null, blindCounted: null })
})
