import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CreditItem } from '#contract/device-protocol.ts'
import { replaceMedia } from '#database/cashless/credit.ts'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { changeMediaStatus } from '#database/cashless/media.ts'
import { endHeld, reserve } from '#database/cashless/reservation.ts'
import { findMachinesBySerial } from '#database/machines/machine-directory.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aDevice, romeClock } from '#testkit/machines/device.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aCredit, aMedia, aRefund } from '#testkit/nouns/cashless.ts'
import { storeBatch } from '../store-batch.ts'

let database: TestDatabase
let gateway: TestGateway
beforeAll(async () => {
  database = await openTestDatabase()
  gateway = await openGateway(database)
})
afterAll(async () => {
  await gateway?.stop()
  await database?.close()
})

/** A merchant with two machines and a key with credit; the ledger is proven when the test has read what it needs. */
async function aPlace(credit = 500, with_: Record<string, unknown> = {}) {
  const { id: merchantId } = await aMerchant(database, with_)
  const machines = [await aMachine(database, merchantId), await aMachine(database, merchantId)] as const
  const serial = `K${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(database, merchantId, { serial })
  if (credit > 0) await aCredit(database, merchantId, mediaId, credit)
  const devices = machines.map((machine) => aDevice(gateway, machine))
  const one = <Row extends object>(text: string, values: unknown[] = [merchantId]) => database.admin<Row>(text, values)
  return {
    merchantId,
    machines,
    mediaId,
    serial,
    device: devices[0] as (typeof devices)[0],
    other: devices[1] as (typeof devices)[0],
    balance: async () => {
      expect(await ledgerFaults(database, merchantId)).toEqual([])
      const [row] = await one<{ balance: string; reserved: string }>(
        `select sum(balance)::int as balance, sum(reserved)::int as reserved from ledger_accounts
         where merchant_id = $1 and owner_id = $2 and kind in ('credit', 'bonus')`,
        [merchantId, mediaId],
      )
      return { balance: Number(row?.balance ?? 0), reserved: Number(row?.reserved ?? 0) }
    },
    unpaid: async () => {
      const [row] = await one<{ sum: string }>(
        `select coalesce(-sum(balance), 0) as sum from ledger_accounts where merchant_id = $1 and kind = 'unpaid'`,
      )
      return Number(row?.sum)
    },
    findings: async () =>
      (await one<{ kind: string }>('select kind from media_findings where merchant_id = $1 order by 1')).map(
        ({ kind }) => kind,
      ),
    media: (more = '') =>
      one<{ serial: string; last_used_at: Date; key_credit: string; key_counter: string }>(
        `select * from medias where merchant_id = $1 ${more} order by serial`,
      ),
    expire: () =>
      database.withTenant(wholeMerchant(merchantId), (db) =>
        endHeld(db, merchantId, { mediaId, as: 'expired', at: new Date() }),
      ),
  }
}

const sale = (value: number, more: object = {}) => ({ type: 1, mediaType: 2, mediaSource: 5, value, ...more })

test('a sale takes from the reserved credit what it costs, and the rest is free again', async () => {
  const { device, serial, balance, merchantId, machines } = await aPlace(500)
  const answer = await device.authorise(serial, { amount: 200 })
  expect(answer).toMatchObject({ approved: true, amount: 200, credit: 300, blockVersion: 0 })
  expect(answer.expiresInSeconds).toBeGreaterThan(86_000)
  expect(await balance()).toEqual({ balance: 500, reserved: 200 })
  await device.say('sale', sale(120, { mediaSerial: serial, reservationId: answer.reservationId }))
  expect(await balance()).toEqual({ balance: 380, reserved: 0 })
  const [row] = await database.admin(
    'select reservation_id, media_serial, value from transactions where machine_id = $1',
    [machines[0].id],
  )
  expect(row).toEqual({ reservation_id: answer.reservationId, media_serial: serial, value: '120' })
  expect(gateway.hints).toContainEqual({ merchantId, topic: 'media', machineId: machines[0].id })
})

test('a vend that failed costs nothing, and a released reservation cannot be used for another vend', async () => {
  const { device, serial, balance, findings, unpaid } = await aPlace(100)
  const failed = await device.authorise(serial)
  await device.say('sale', sale(0, { errorSale: true, mediaSerial: serial, reservationId: failed.reservationId }))
  expect(await balance()).toEqual({ balance: 100, reserved: 0 })
  const released = await device.authorise(serial)
  await device.say('credit', { action: 'release', reservationId: released.reservationId })
  expect(await balance()).toEqual({ balance: 100, reserved: 0 })
  expect(await device.authorise(serial, { id: released.reservationId })).toMatchObject({
    approved: false,
    reason: 'ended',
  })
  expect([await findings(), await unpaid()]).toEqual([[], 0])
})

test('the same request gets the same answer, and its id is of no use to another request', async () => {
  const { device, other, serial, balance } = await aPlace(500)
  const id = randomUUID()
  const first = await device.authorise(serial, { id })
  expect(await device.authorise(` ${serial.toLowerCase()} `, { id })).toMatchObject({
    ...first,
    expiresInSeconds: expect.any(Number),
  })
  expect(await balance()).toEqual({ balance: 500, reserved: 100 })
  expect(await other.authorise(serial, { id })).toMatchObject({ approved: false, reason: 'idTaken' })
  expect(await device.authorise(serial, { id, amount: 200 })).toMatchObject({ approved: false, reason: 'idTaken' })
  expect(await device.authorise(serial, { id, purpose: 'collect' })).toMatchObject({
    approved: false,
    reason: 'idTaken',
  })
  expect(await balance()).toEqual({ balance: 500, reserved: 100 })
})

test('a machine that is silent between authorise and settle costs no one money twice', async () => {
  const { device, serial, balance, findings, expire, unpaid } = await aPlace(150)
  const { reservationId } = await device.authorise(serial, { amount: 150 })
  await expire()
  expect(await balance()).toEqual({ balance: 150, reserved: 0 })
  // The holder has spent a part elsewhere; then the machine returns and reports its sale, twice.
  const second = await device.authorise(serial, { amount: 100 })
  await device.say('sale', sale(100, { mediaSerial: serial, reservationId: second.reservationId }))
  const late = device.numbered([sale(150, { mediaSerial: serial, reservationId })])
  await device.sendItems('sale', late)
  await device.sendItems('sale', late)
  expect(await balance()).toEqual({ balance: 0, reserved: 0 })
  expect([await unpaid(), await findings()]).toEqual([100, ['settlementAfterEnd']])
})

test('a settlement above its reservation takes what was held; the rest is unpaid, with a finding', async () => {
  const { device, serial, balance, findings, unpaid } = await aPlace(500)
  const { reservationId } = await device.authorise(serial, { amount: 100 })
  await device.say('sale', sale(180, { mediaSerial: serial, reservationId }))
  expect(await balance()).toEqual({ balance: 400, reserved: 0 })
  expect([await unpaid(), await findings()]).toEqual([80, ['settlementAboveReservation']])
})

test('a second settlement books nothing and is a finding', async () => {
  const { device, serial, balance, findings } = await aPlace(500)
  const { reservationId } = await device.authorise(serial)
  const item = () => sale(100, { mediaSerial: serial, reservationId })
  await device.say('sale', item(), item())
  await device.say('sale', item())
  expect(await balance()).toEqual({ balance: 400, reserved: 0 })
  expect(await findings()).toEqual(['settledTwice', 'settledTwice'])
})

test('a settlement without a reservation, or of another machine’s, takes nothing from the medium and is a finding', async () => {
  const { device, other, serial, balance, findings, unpaid } = await aPlace(500)
  const { reservationId } = await device.authorise(serial)
  await other.say('sale', sale(100, { mediaSerial: serial, reservationId }))
  await other.say('sale', sale(70, { mediaSerial: serial, reservationId: randomUUID() }))
  expect(await balance()).toEqual({ balance: 500, reserved: 100 })
  expect([await unpaid(), await findings()]).toEqual([
    170,
    ['settlementWithoutReservation', 'settlementWithoutReservation'],
  ])
})

test('serials are stored in upper case without spaces, and seen media are registered once', async () => {
  const { device, other, media, merchantId, machines } = await aPlace(0)
  const items = ['ab 12', 'AB12', ' aB1 2 '].map((mediaSerial) => sale(100, { mediaSerial, mediaSource: 3 }))
  await Promise.all([device.say('sale', ...items), other.say('sale', ...items)])
  await device.say('sale', sale(50, { mediaSerial: 'card 9', mediaType: 5, mediaSource: 4 }))
  expect(await device.authorise('ab12', { amount: 1 })).toMatchObject({
    approved: false,
    reason: 'insufficientCredit',
    credit: 0,
  })
  const [medium, ...none] = await media(`and serial like '%AB%12%'`)
  expect([medium?.serial, none]).toEqual(['AB12', []])
  expect(medium?.last_used_at.getTime()).toBeGreaterThan(Date.now() - 60_000)
  const stored = await database.admin<{ media_serial: string }>(
    'select distinct media_serial from transactions where merchant_id = $1 order by 1',
    [merchantId],
  )
  expect(stored.map(({ media_serial }) => media_serial)).toEqual(['AB12', 'CARD9'])
  expect(await media(`and serial = 'CARD9'`)).toEqual([])
  const [origin] = await database.admin(
    `select origin_type, origin_serial from medias where merchant_id = $1 and serial = 'AB12'`,
    [merchantId],
  )
  expect(machines.map((machine) => ({ origin_type: 'machine', origin_serial: machine.serial }))).toContainEqual(origin)
})

test('the anonymous serial is never an account', async () => {
  const { device, media } = await aPlace(0)
  expect(await device.authorise('FFFF ffff')).toMatchObject({ approved: false, reason: 'anonymous' })
  expect(await device.authorise('§§')).toMatchObject({ approved: false, reason: 'unknownMedia' })
  await device.say('sale', sale(100, { mediaSerial: 'ffffffff', keyCredit: 5, keyCounter: 1 }))
  const recharge = { action: 'recharge', mediaSerial: 'FFFFFFFF', mediaType: 2, amount: 100, to: 'cloud' }
  const [item] = device.numbered([recharge])
  await expect(device.sendItems('credit', [item as object])).rejects.toThrow('no medium')
  expect(await media(`and serial = 'FFFFFFFF'`)).toEqual([])
})

test.each([
  ['blocked', 1],
  ['lost', 2],
] as const)('a %s medium gets no credit, and the block list names it', async (reason, status) => {
  const { device, merchantId, mediaId, serial, balance } = await aPlace(500)
  expect(await device.blocksAfter(0)).toMatchObject({ since: 0, version: 0, blocked: [], more: false })
  await database.withTenant(wholeMerchant(merchantId), (db) =>
    changeMediaStatus(db, merchantId, [mediaId], status, new Date()),
  )
  expect(await device.authorise(serial)).toMatchObject({ approved: false, reason, credit: 500, blockVersion: 1 })
  expect(await device.blocksAfter(0)).toMatchObject({ since: 0, version: 1, blocked: [serial], unblocked: [] })
  expect(await device.blocksAfter(1)).toMatchObject({ since: 1, version: 1, blocked: [], unblocked: [] })
  // The list of another merchant, or of a lost database.
  expect(await device.blocksAfter(7)).toMatchObject({ since: 0, version: 1, blocked: [serial] })
  expect(await balance()).toEqual({ balance: 500, reserved: 0 })
})

test('a block list that is longer than a message is sent in parts', async () => {
  const { device, merchantId } = await aPlace(0)
  const ids = await Promise.all(Array.from({ length: 501 }, () => aMedia(database, merchantId)))
  await database.withTenant(wholeMerchant(merchantId), (db) => changeMediaStatus(db, merchantId, ids, 1, new Date()))
  const first = await device.blocksAfter(0)
  expect(first).toMatchObject({ version: 500, more: true })
  const second = await device.blocksAfter(first?.version ?? 0)
  expect(second).toMatchObject({ version: 501, more: false })
  expect(new Set([...(first?.blocked ?? []), ...(second?.blocked ?? [])]).size).toBe(501)
})

test('without the feature nothing is registered and nothing approved', async () => {
  const { device, media, merchantId } = await aPlace(0, { features: [] })
  await database.admin('delete from medias where merchant_id = $1', [merchantId])
  expect(await device.authorise('K1')).toMatchObject({ approved: false, reason: 'notEnabled', credit: 0 })
  await device.say('sale', sale(100, { mediaSerial: 'K1', keyCredit: 5, keyCounter: 1 }))
  await device.say('credit', { action: 'key', mediaSerial: 'K1', mediaType: 2, keyCredit: 5, keyCounter: 2 })
  expect(await device.blocksAfter(0)).toMatchObject({ version: 0, blocked: [] })
  expect(await media()).toEqual([])
})

test('a request in another currency, or with an invalid amount, gets nothing', async () => {
  const { device, serial, balance } = await aPlace(500)
  expect(await device.authorise(serial, { currency: 'CHF' })).toMatchObject({
    approved: false,
    reason: 'otherCurrency',
  })
  expect(await device.authorise(serial, { currency: 'EUR' })).toMatchObject({ approved: true })
  for (const wrong of [
    { amount: 0 },
    { amount: -1 },
    { amount: 1.5 },
    { purpose: 'loan' },
    { currency: 'euro' },
    { id: 'x' },
  ])
    await expect(device.authorise(serial, wrong)).rejects.toThrow('400')
  expect(await balance()).toEqual({ balance: 500, reserved: 100 })
})

test('a recharge at the machine credits the cloud once, however often it is sent', async () => {
  const { device, serial, balance, findings } = await aPlace(0)
  const items = device.numbered([{ action: 'recharge', mediaSerial: serial, mediaType: 2, amount: 500, to: 'cloud' }])
  await Promise.all([device.sendItems('credit', items), device.sendItems('credit', items)])
  await device.sendItems('credit', items)
  expect(await balance()).toEqual({ balance: 500, reserved: 0 })
  await device.say('credit', {
    action: 'recharge',
    mediaSerial: serial,
    mediaType: 2,
    amount: 200,
    to: 'key',
    keyCredit: 200,
    keyCounter: 1,
  })
  expect(await balance()).toEqual({ balance: 500, reserved: 0 })
  expect(await findings()).toEqual([])
})

test('credit in the cloud is collected onto the key, and a refund only at its machine', async () => {
  const { device, other, merchantId, machines, mediaId, serial, balance, media } = await aPlace(300)
  const refundId = await aRefund(database, merchantId, mediaId, {
    kind: 'machine',
    state: 'waiting',
    pos_id: machines[0].id,
  })
  await aCredit(database, merchantId, mediaId, 100)
  await database.admin(
    `insert into credit_reservations (merchant_id, id, media_id, pos_id, purpose, credit, bonus, state, refund_id, created_at, expires_at)
     values ($1, $2, $3, $4, 'collect', 100, 0, 'held', $2, now(), now() + interval '1 day')`,
    [merchantId, refundId, mediaId, machines[0].id],
  )
  await database.admin(
    `update ledger_accounts set reserved = 100 where merchant_id = $1 and owner_id = $2 and kind = 'credit'`,
    [merchantId, mediaId],
  )
  const request = { id: randomUUID(), amount: 1000, purpose: 'collect' }
  const first = await device.authorise(serial, request)
  expect(first).toMatchObject({ approved: true, reservationId: refundId, amount: 100, credit: 300 })
  expect(await device.authorise(serial, request)).toMatchObject({ reservationId: refundId, amount: 100 })
  const elsewhere = await other.authorise(serial, { amount: 250, purpose: 'collect' })
  expect(elsewhere).toMatchObject({ approved: true, amount: 250, credit: 50 })
  const collected = { action: 'collected', reservationId: refundId, amount: 100, mediaSerial: serial }
  await device.say('credit', { ...collected, keyCredit: 400, keyCounter: 9 })
  await device.say('credit', collected)
  expect(await balance()).toEqual({ balance: 300, reserved: 250 })
  expect((await database.admin('select state from refunds where id = $1', [refundId]))[0]).toEqual({
    state: 'collected',
  })
  expect(await device.authorise(serial, request)).toMatchObject({ approved: false, reason: 'ended' })
  expect((await media())[0]).toMatchObject({ key_credit: '400', key_counter: '9' })
})

test('a key’s counter that is reused, runs backwards or hides credit is a finding; its newest reading counts', async () => {
  const { device, serial, findings, media } = await aPlace(0)
  const used = (keyCounter: number, keyCredit: number, value = 100, at = Date.now()) =>
    sale(value, { mediaSource: 3, mediaSerial: serial, keyCredit, keyCounter, at: romeClock(new Date(at)) })
  const hour = 3_600_000
  const start = Date.now() - 5 * hour
  // In disorder: 12 is known last.
  await device.say('sale', used(11, 900, 100, start), used(13, 700, 100, start + 2 * hour))
  await device.say('sale', used(12, 800, 100, start + hour))
  expect(await findings()).toEqual([])
  expect((await media())[0]).toMatchObject({ key_credit: '700', key_counter: '13' })
  await device.say('sale', used(14, 800, 100, start + 3 * hour))
  expect(await findings()).toEqual(['unexplainedCredit'])
  await device.say('sale', used(12, 800, 100, start + 4 * hour))
  expect(await findings()).toEqual(['counterBackwards', 'counterReused', 'unexplainedCredit'])
  expect((await media())[0]).toMatchObject({ key_credit: '800', key_counter: '14' })
})

test('requests at the same moment never hold more than there is', async () => {
  const { device, other, serial, balance } = await aPlace(500)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? device : other).authorise(serial)))
  expect(answers.filter(({ approved }) => approved)).toHaveLength(5)
  expect(await balance()).toEqual({ balance: 500, reserved: 500 })
})

test('an expiry and a settlement at the same moment take the credit once', async () => {
  for (let round = 0; round < 8; round++) {
    const { device, serial, balance, expire, unpaid } = await aPlace(100)
    const { reservationId } = await device.authorise(serial)
    await Promise.all([expire(), device.say('sale', sale(100, { mediaSerial: serial, reservationId }))])
    expect(await balance()).toEqual({ balance: 0, reserved: 0 })
    expect(await unpaid()).toBe(0)
  }
})

test('over MQTT the answer has its own topic', async () => {
  const { machines, serial, balance } = await aPlace(500)
  const connection = await aConnection(gateway, machines[0])
  const id = randomUUID()
  const request = { id, at: romeClock(), mediaSerial: serial, mediaType: 2, amount: 100, purpose: 'vend' }
  await Promise.all([connection.send('authorise', request), connection.send('authorise', request)])
  const first = await connection.next('authorised')
  expect(first).toMatchObject({ id, approved: true, reservationId: id })
  expect(await connection.next('authorised')).toMatchObject({ id, approved: true, reservationId: id })
  expect(await balance()).toEqual({ balance: 500, reserved: 100 })
  await connection.send('blocks', { id, at: romeClock(), version: 0 })
  expect(await connection.next('blocked')).toMatchObject({ id, version: 0 })
})

test('a sale after its machine moved to another merchant takes nothing from either merchant’s media', async () => {
  const { device, machines, serial, balance } = await aPlace(500)
  const { id: newMerchant } = await aMerchant(database)
  const { reservationId } = await device.authorise(serial)
  const [machine] = machines
  const moved = await aMachine(database, newMerchant)
  const there = aDevice(gateway, moved)
  await there.say('sale', sale(100, { mediaSerial: serial, reservationId }))
  expect(await balance()).toEqual({ balance: 500, reserved: 100 })
  const findings = await database.admin('select kind from media_findings where merchant_id = $1', [newMerchant])
  expect(findings).toEqual([{ kind: 'settlementWithoutReservation' }])
  expect(await ledgerFaults(database, newMerchant)).toEqual([])
  // After the move the machine gets no credit at the first merchant.
  await database.admin('delete from machine_journals where machine_id = $1', [machine.id])
  await expect(device.authorise(serial)).rejects.toThrow('401')
})

test('a settlement after the key was lost is paid by its replacement, and so is money that is paid in for the lost key', async () => {
  const { device, merchantId, mediaId, serial, balance, unpaid } = await aPlace(500)
  const { reservationId } = await device.authorise(serial, { amount: 200 })
  const newId = await aMedia(database, merchantId)
  const user = { id: randomUUID(), name: 'Anna' }
  await database.withTenant(wholeMerchant(merchantId), (db) =>
    replaceMedia(db, merchantId, { lostId: mediaId, newId, user }, new Date()),
  )
  await device.say('sale', sale(200, { mediaSerial: serial, reservationId }))
  await device.say('credit', { action: 'recharge', mediaSerial: serial, mediaType: 2, amount: 50, to: 'cloud' })
  expect(await balance()).toEqual({ balance: 0, reserved: 0 })
  const [replacement] = await database.admin(
    `select balance from ledger_accounts where merchant_id = $1 and owner_id = $2 and kind = 'credit'`,
    [merchantId, newId],
  )
  expect([replacement, await unpaid()]).toEqual([{ balance: '350' }, 0])
})

test('a replayed item of credit has its effect once', async () => {
  const { merchantId, machines, serial, mediaId, balance } = await aPlace(500)
  const [knownMachine] = await findMachinesBySerial(database, [machines[0].serial])
  if (!knownMachine) throw new Error('The machine is not known')
  const reservationId = randomUUID()
  const expiresAt = new Date(Date.now() + 60_000)
  await database.withTenant(wholeMerchant(merchantId), (db) =>
    reserve(db, { merchantId, id: reservationId, mediaId, posId: knownMachine.id, amount: 100, expiresAt }, new Date()),
  )
  const item = (seq: number, more: object) => {
    const credit = CreditItem.parse({ seq, at: romeClock(), ...more })
    return { kind: 'credit' as const, seq, at: Date.now(), machineTime: null, item: credit }
  }
  const entries = [
    item(1, { action: 'recharge', mediaSerial: serial, mediaType: 2, amount: 70, to: 'cloud' }),
    item(2, { action: 'collected', reservationId, amount: 100, mediaSerial: serial }),
  ]
  const replay = { machine: knownMachine, epoch: 1, entries, setAside: [], isReplay: true }
  for (let time = 0; time < 3; time++) await storeBatch(database, [replay], () => {})
  expect(await balance()).toEqual({ balance: 470, reserved: 0 })
})
