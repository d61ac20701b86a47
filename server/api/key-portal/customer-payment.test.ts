import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { endOverdueReservations } from '#database/cashless/expiry.ts'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { randomFrom } from '#simulator/random.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, testSecretKey } from '#testkit/fixtures.ts'
import { aDevice } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { aSignedInCustomer, aWallet, signedBy, type TestCustomer } from '#testkit/nouns/customers.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

let api: TestApi
let gateway: TestGateway
beforeAll(async () => {
  api = await openTestApi({ SECRET_KEY: testSecretKey })
  gateway = await openGateway(api.database, { SECRET_KEY: testSecretKey })
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})

const as = async (who: TestCustomer, name: EndpointName, input: object = {}) => {
  const answer = await api.send(name, { ...input, headers: signedBy(who) })
  return answer.statusCode === 204 ? undefined : answer.json()
}

/** A merchant with two connected machines, and a customer whose wallet has credit. */
async function aPlace(credit = 200) {
  const { id: merchantId } = await aMerchant(api.database)
  await aPortal(api.database, merchantId)
  const place = async () => {
    const machine = await aMachine(api.database, merchantId, { columns: { connection: 1 } })
    const [row] = await api.database.admin<{ code: string }>(
      'select code from machine_directory where machine_id = $1',
      [machine.id],
    )
    return { ...machine, code: row?.code as string, device: aDevice(gateway, machine) }
  }
  const one = await place()
  const other = await place()
  const customer = await aSignedInCustomer(api, merchantId)
  const mediaId = await aWallet(api.database, customer)
  if (credit > 0) await aCredit(api.database, merchantId, mediaId, credit)
  const pay = (code: string, body: object = {}, who = customer) =>
    as(who, 'startOwnPayment', {
      params: { code },
      body: { id: randomUUID(), mediaId, amount: 150, currency: 'EUR', ...body },
    })
  return {
    merchantId,
    one,
    other,
    customer,
    mediaId,
    pay,
    state: (paymentId: string) => as(customer, 'getOwnPayment', { params: { paymentId } }),
    wallet: async () => {
      expect(await ledgerFaults(api.database, merchantId)).toEqual([])
      const { items } = await as(customer, 'listOwnMedias')
      return { credit: items[0].credit, reserved: items[0].reserved }
    },
  }
}
type Place = Awaited<ReturnType<typeof aPlace>>['one']

/** The machine takes the payment that waits for it. */
async function nextCommand({ device }: Place) {
  const [command] = await device.commands()
  const { id, parameters } = command as { id: string; parameters: { reservationId: string; mediaSerial: string } }
  expect(await device.claim(id)).toBe(true)
  return { id, ...parameters }
}
const vend = (
  { device }: Place,
  { reservationId, mediaSerial }: { reservationId: string; mediaSerial: string },
  more: object = {},
) =>
  device.say('sale', {
    type: 15,
    mediaType: 4,
    mediaSource: 5,
    value: 120,
    product: 'Espresso',
    mediaSerial,
    reservationId,
    ...more,
  })

test('a payment is held, taken by its machine once, and settled by the sale; the rest is free again', async () => {
  const { one, pay, state, wallet } = await aPlace()
  const payment = await pay(one.code)
  expect(payment).toMatchObject({ state: 'waiting', amount: 150, machineName: one.name })
  expect(await wallet()).toEqual({ credit: 50, reserved: 150 })
  const command = await nextCommand(one)
  expect(await one.device.claim(command.id)).toBe(false)
  expect(await state(payment.id)).toMatchObject({ state: 'accepted' })
  await vend(one, command)
  await one.device.say('result', { commandId: command.id, outcome: 'success' })
  expect(await state(payment.id)).toMatchObject({ state: 'vended', settled: 120, product: 'Espresso', reason: null })
  expect(await wallet()).toEqual({ credit: 80, reserved: 0 })
})

test('the same payment again is the same payment, also at one moment, and another one with its id is refused', async () => {
  const { one, other, pay, wallet } = await aPlace(1000)
  const id = randomUUID()
  const both = await Promise.all([pay(one.code, { id }), pay(one.code, { id })])
  // The second call may find the machine busy; its repetition is answered.
  expect(both.map((answer) => answer.state ?? answer.code).filter((outcome) => outcome === 'waiting')).not.toEqual([])
  expect(await pay(one.code, { id })).toMatchObject({ id, state: 'waiting' })
  expect(await pay(one.code, { id, amount: 100 })).toMatchObject({ code: 'PaymentIdTaken' })
  expect(await pay(other.code, { id, amount: 100 })).toMatchObject({ code: 'PaymentIdTaken' })
  expect(await wallet()).toEqual({ credit: 850, reserved: 150 })
})

test('of two phones with the last euro at two machines one wins', async () => {
  const { one, other, pay, wallet } = await aPlace(150)
  const answers = await Promise.all([pay(one.code), pay(other.code)])
  expect(answers.map((answer) => answer.state ?? answer.code).sort()).toEqual(['CreditInsufficient', 'waiting'])
  expect(await wallet()).toEqual({ credit: 0, reserved: 150 })
})

test('a machine serves one customer at a time, until the time of a silent payment is over', async () => {
  const { one, pay, state, wallet, merchantId } = await aPlace(1000)
  const silent = await pay(one.code)
  await nextCommand(one)
  expect(await pay(one.code)).toMatchObject({ code: 'MachineBusy' })
  await api.database.admin(
    `update remote_commands set expires_at = now() - interval '10 minutes' where merchant_id = $1`,
    [merchantId],
  )
  expect(await pay(one.code)).toMatchObject({ state: 'waiting' })
  expect(await state(silent.id)).toMatchObject({ state: 'failed', reason: 'notVended' })
  expect(await wallet()).toEqual({ credit: 850, reserved: 150 })
})

test('a failed vend costs nothing, a charged one is named, and an old machine releases at once', async () => {
  const { one, pay, state, wallet } = await aPlace()
  const failed = await pay(one.code)
  const first = await nextCommand(one)
  await vend(one, first, { value: 0, errorSale: true })
  await one.device.say('result', { commandId: first.id, outcome: 'error' })
  expect(await state(failed.id)).toMatchObject({ state: 'failed', reason: 'vendFailed', settled: null })
  expect(await wallet()).toEqual({ credit: 200, reserved: 0 })

  const unsupported = await pay(one.code)
  await one.device.say('result', { commandId: (await nextCommand(one)).id, outcome: 'unsupported' })
  expect(await state(unsupported.id)).toMatchObject({ state: 'failed', reason: 'unsupported' })
  expect(await wallet()).toEqual({ credit: 200, reserved: 0 })

  const charged = await pay(one.code)
  const third = await nextCommand(one)
  await vend(one, third, { errorSale: true })
  await one.device.say('result', { commandId: third.id, outcome: 'error' })
  expect(await state(charged.id)).toMatchObject({ state: 'failed', reason: 'vendFailed', settled: 120 })
  expect(await wallet()).toEqual({ credit: 80, reserved: 0 })
})

test('an untaken or cancelled payment is released, and its machine gets no go afterwards', async () => {
  const { one, other, pay, state, customer, wallet } = await aPlace(400)
  const cancelled = await pay(one.code)
  const [command] = await one.device.commands()
  const undone = await as(customer, 'cancelOwnPayment', { params: { paymentId: cancelled.id } })
  expect(undone).toMatchObject({ state: 'failed', reason: 'cancelled' })
  expect(await one.device.claim(command?.id as string)).toBe(false)

  const late = await pay(other.code)
  const [waiting] = await other.device.commands()
  await api.database.admin(`update credit_reservations set expires_at = now() - interval '1 second' where id = $1`, [
    late.id,
  ])
  expect(await other.device.claim(waiting?.id as string)).toBe(false)
  await endOverdueReservations(api.database, new Date())
  expect(await state(late.id)).toMatchObject({ state: 'failed', reason: 'notTaken' })
  expect(await wallet()).toEqual({ credit: 400, reserved: 0 })
})

/** What ends a customer's right to pay while a payment waits. */
const ends = {
  'staff blocks the medium': ({ merchantId, mediaId }: Pending) => asStaff(merchantId, 'blockMedia', { mediaId }),
  'the customer blocks the medium': ({ customer, mediaId }: Pending) =>
    as(customer, 'blockOwnMedia', { params: { mediaId } }),
  'the medium is lost': async ({ merchantId, mediaId }: Pending) => {
    const replacement = await aMedia(api.database, merchantId)
    await asStaff(merchantId, 'lostMyKey', { mediaId }, { MediaId: replacement })
  },
  'the medium is given to nobody': ({ merchantId, mediaId }: Pending) =>
    asStaff(merchantId, 'setMediaCustomer', { mediaId }, { customerId: null }),
  'the customer is erased': ({ merchantId, customer: { customerId } }: Pending) =>
    asStaff(merchantId, 'deleteCustomer', { customerId }),
  'the account is suspended': ({ merchantId }: Pending) =>
    api.database.admin(`update customer_accounts set status = 'suspended' where merchant_id = $1`, [merchantId]),
  'the feature is turned off': ({ merchantId }: Pending) =>
    api.database.admin(`update merchant_features set features = '{}' where merchant_id = $1`, [merchantId]),
} as const
type Pending = Pick<Awaited<ReturnType<typeof aPlace>>, 'merchantId' | 'mediaId' | 'customer'>

const asStaff = async (merchantId: string, name: EndpointName, params: object, body?: object) => {
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const answer = await api.send(name, { params: { merchantId, ...params }, ...(body && { body }) }, user)
  expect(answer.statusCode, answer.payload).toBeLessThan(300)
}

test.each(Object.entries(ends))('a machine may not vend for a payment that waits when %s', async (_, end) => {
  const place = await aPlace()
  const { one, pay, merchantId } = place
  const payment = await pay(one.code)
  const [command] = await one.device.commands()
  await end(place)
  expect(await one.device.claim(command?.id as string)).toBe(false)
  expect(await one.device.claim(command?.id as string)).toBe(false)
  const [row] = await api.database.admin<{ reserved: number; state: string; reason: string }>(
    `select (select sum(reserved)::int from ledger_accounts where merchant_id = $1) as reserved, r.state, p.reason
     from app_payments p join credit_reservations r on r.merchant_id = p.merchant_id and r.id = p.id
     where p.merchant_id = $1 and p.id = $2`,
    [merchantId, payment.id],
  )
  expect(row).toMatchObject({ reserved: 0, state: expect.stringMatching(/^(released|unblocked)$/) })
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
})

test('of a block and a claim at one moment, the claim gets no go once the block is answered', async () => {
  for (let round = 0; round < 8; round++) {
    const { one, pay, merchantId, mediaId, state, wallet } = await aPlace()
    const payment = await pay(one.code)
    const [command] = await one.device.commands()
    const [isGo] = await Promise.all([
      one.device.claim(command?.id as string),
      asStaff(merchantId, 'blockMedia', { mediaId }),
    ])
    expect(await state(payment.id)).toMatchObject(
      isGo ? { state: 'accepted' } : { state: 'failed', reason: 'mediaBlocked' },
    )
    expect(await wallet()).toEqual(isGo ? { credit: 50, reserved: 150 } : { credit: 200, reserved: 0 })
  }
})

test('a request that a machine repeats after a block gets no credit, and its amount is free again', async () => {
  const { one, merchantId } = await aPlace()
  const serial = `K${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial })
  await aCredit(api.database, merchantId, mediaId, 500)
  const id = randomUUID()
  expect(await one.device.authorise(serial, { id })).toMatchObject({ approved: true, credit: 400 })
  await asStaff(merchantId, 'blockMedia', { mediaId })
  expect(await one.device.authorise(serial, { id })).toMatchObject({ approved: false, reason: 'blocked' })
  await asStaff(merchantId, 'unblockMedia', { mediaId })
  expect(await one.device.authorise(serial, { id })).toMatchObject({ approved: false, reason: 'ended', credit: 500 })
  await api.database.admin(`update merchant_features set features = '{}' where merchant_id = $1`, [merchantId])
  expect(await one.device.authorise(serial)).toMatchObject({ approved: false, reason: 'notEnabled' })
})

test('a machine of another merchant, offline or unknown, a foreign medium and another currency are refused', async () => {
  const { one, pay, merchantId } = await aPlace()
  const stranger = await aPlace()
  expect(await pay(stranger.one.code)).toMatchObject({ code: 'MachineOfOtherMerchant' })
  expect(await pay('0123456789ab')).toMatchObject({ code: 'MachineNotFound' })
  expect(await pay(one.code, { mediaId: stranger.mediaId })).toMatchObject({ code: 'MediaNotFound' })
  const neighbour = await aSignedInCustomer(api, merchantId)
  expect(await pay(one.code, {}, neighbour)).toMatchObject({ code: 'MediaNotFound' })
  expect(await pay(one.code, { currency: 'USD' })).toMatchObject({ code: 'CurrencyDiffers' })
  expect(await pay(one.code, { amount: 0 })).toMatchObject({ code: 'ValidationFailed' })
  await api.database.admin(`update machines set connection = 0 where id = $1`, [one.id])
  expect(await pay(one.code)).toMatchObject({ code: 'MachineNotReachable' })
})

test('a key is linked once by the code that a machine shows, and a linked key by no other customer', async () => {
  const { one, customer, merchantId } = await aPlace()
  const serial = `K${randomUUID().slice(0, 8).toUpperCase()}`
  const link = (who: TestCustomer, code: string) =>
    as(who, 'linkOwnMedia', { body: { serial: serial.toLowerCase(), code } })
  const first = await one.device.linkCode(serial)
  const issued = await one.device.linkCode(serial)
  expect(issued).toMatchObject({ code: expect.stringMatching(/^\d{8}$/), expiresInSeconds: 600 })
  expect(await link(customer, first?.code as string)).toMatchObject({ code: 'LinkCodeWrong' })
  expect(await link(customer, issued?.code as string)).toMatchObject({ serial, type: 2 })
  expect(await link(customer, issued?.code as string)).toMatchObject({ code: 'LinkCodeWrong' })
  expect(await one.device.linkCode(serial)).toMatchObject({ reason: 'alreadyLinked' })
  const stored = await api.database.admin<{ code_hash: string }>(
    'select code_hash from media_link_codes where merchant_id = $1',
    [merchantId],
  )
  expect(stored[0]?.code_hash).not.toContain(issued?.code)

  const thief = await aSignedInCustomer(api, merchantId)
  const [media] = await api.database.admin<{ id: string }>('select id from medias where serial = $1', [serial])
  await api.database.admin(`update media_link_codes set used_at = null where media_id = $1`, [media?.id])
  expect(await link(thief, issued?.code as string)).toMatchObject({ code: 'MediaAlreadyLinked' })
  expect(await as(thief, 'blockOwnMedia', { params: { mediaId: media?.id } })).toMatchObject({ code: 'MediaNotFound' })
  expect(await as(customer, 'blockOwnMedia', { params: { mediaId: media?.id } })).toMatchObject({ status: 1 })
  expect(await one.device.authorise(serial)).toMatchObject({ approved: false, reason: 'blocked' })
  expect(await as(customer, 'unlinkOwnMedia', { params: { mediaId: media?.id } })).toBeUndefined()
  expect((await as(customer, 'listOwnMedias')).items).toHaveLength(1)
})

test('guessed codes are slowed for the customer and the medium, and become a finding', async () => {
  const { one, customer, merchantId } = await aPlace()
  const serial = `K${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial })
  const link = await one.device.linkCode(serial)
  const wrong = link?.code === '00000000' ? '00000001' : '00000000'
  const guess = (who: TestCustomer, code = wrong) => as(who, 'linkOwnMedia', { body: { serial, code } })
  const codes = []
  for (let time = 0; time < 11; time++) codes.push((await guess(customer)).code)
  expect(codes).toEqual([...Array(10).fill('LinkCodeWrong'), 'TooManyRequests'])
  // Another account does not help against the same medium, not even with the right code.
  expect(await guess(await aSignedInCustomer(api, merchantId), link?.code)).toMatchObject({ code: 'TooManyRequests' })
  const findings = await api.database.admin('select kind from media_findings where media_id = $1', [mediaId])
  expect(findings).toEqual([{ kind: 'linkGuessed' }])
})

test('the page of a machine shows what it sells, and nothing that only staff see', async () => {
  const { one, merchantId } = await aPlace()
  await one.device.say('prices', {
    prices: [
      { priceTable: 1, selection: '12', price: 120 },
      { priceTable: 2, selection: '12', price: 110 },
    ],
  })
  // A machine's total of hot drinks is no product.
  await one.device.say('stock', {
    levels: [
      { selection: '12', level: 0, capacity: 10, product: 'Espresso' },
      { selection: 'HOT', level: 300, capacity: 900, stockType: 1 },
    ],
  })
  const page = await api.send('getMachinePage', { params: { code: one.code } })
  expect(page.json()).toMatchObject({
    code: one.code,
    slug: `p-${merchantId}`,
    name: one.name,
    currency: 'EUR',
    isOnline: true,
    takesAppPayments: true,
    products: [{ selection: '12', name: 'Espresso', price: 120, cashlessPrice: 110, isSoldOut: true, allergens: [] }],
  })
  expect(page.payload).not.toContain(one.id)
  expect((await api.send('getMachinePage', { params: { code: 'ffffffffffff' } })).statusCode).toBe(404)
})

test.each(['a', 'b', 'c'])(
  'whatever phones and machines do, what vends cost is taken, once, and nothing else (%s)',
  async (seed) => {
    const random = randomFrom(`app payments ${seed}`)
    const { one, other, pay, state, customer, wallet, merchantId } = await aPlace(1000)
    const payments: string[] = []
    const running: { place: Place; command: Awaited<ReturnType<typeof nextCommand>> }[] = []
    let spent = 0
    for (let step = 0; step < 25; step++) {
      const place = random.chance(0.5) ? one : other
      const act = random.int(0, 5)
      if (act <= 1) {
        const sent = await Promise.all([pay(place.code), pay(random.chance(0.5) ? one.code : other.code)])
        payments.push(...sent.flatMap(({ id }) => id ?? []))
      } else if (act === 2) {
        const paymentId = payments[random.int(0, payments.length)]
        if (paymentId) await as(customer, 'cancelOwnPayment', { params: { paymentId } })
      } else if (act === 3) {
        if ((await place.device.commands()).length > 0) running.push({ place, command: await nextCommand(place) })
      } else {
        const [next] = running.splice(0, 1)
        if (!next) continue
        const value = random.chance(0.6) ? 120 : 0
        spent += value
        await vend(next.place, next.command, { value, errorSale: value === 0 })
        await next.place.device.say('result', { commandId: next.command.id, outcome: value > 0 ? 'success' : 'error' })
      }
      const { credit, reserved } = await wallet()
      expect(credit + reserved).toBe(1000 - spent)
    }
    await api.database.admin(
      `update credit_reservations set expires_at = now() - interval '1 second' where merchant_id = $1`,
      [merchantId],
    )
    await endOverdueReservations(api.database, new Date())
    expect(await wallet()).toEqual({ credit: 1000 - spent, reserved: 0 })
    const settled = (await Promise.all(payments.map(state))).map((payment) => payment.settled ?? 0)
    expect(settled.reduce((sum, each) => sum + each, 0)).toBe(spent)
  },
)
