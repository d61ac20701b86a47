import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandPrice } from '#contract/commands/command-parameters.ts'
import { mostUnusualShown, type UnusualCommandPrices } from '#contract/commands/remote-command.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aPrice } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())

/** A merchant with the usual band of 30 % and machines that sell selection 11 at 100, and with a key at 80. */
async function aFleet(count = 1) {
  const merchantId = (await aMerchant(api.database)).id
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const machines: TestMachine[] = []
  for (let n = 0; n < count; n++) {
    const machine = await aMachine(api.database, merchantId, { name: `Machine ${n} ${merchantId.slice(-6)}` })
    await aPrice(api.database, machine, { selection: '11', price_table: 1, price: 100 })
    await aPrice(api.database, machine, { selection: '11', price_table: 2, price: 80 })
    machines.push(machine)
  }
  const ids = machines.map(({ id }) => id)
  const send = (prices: CommandPrice[], confirmed: string | null = null) =>
    admin.sendRemoteCommand({
      params: { merchantId },
      body: { machines: { ids }, order: { type: 10, parameters: { prices } }, confirmed },
    })
  /** The prices that the answer names for a confirmation of their own. */
  const refused = async (prices: CommandPrice[], confirmed: string | null = null) => {
    const error = await send(prices, confirmed).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'PricesUnusual', status: 409 })
    return (error as { facts: UnusualCommandPrices }).facts
  }
  const commands = () => api.database.admin('select id from remote_commands where machine_id = any($1::uuid[])', [ids])
  return { merchantId, admin, machines, send, refused, commands }
}

test('a price command within the merchant’s band needs no confirmation', async () => {
  const { send } = await aFleet()
  expect((await send([{ selection: '11', priceTable: 1, price: 130 }])).sent).toHaveLength(1)
})

test('a price command beyond the band is refused, names each price, and nothing is sent', async () => {
  const { refused, commands, machines } = await aFleet(2)
  const facts = await refused([
    { selection: '11', priceTable: 1, price: 10_000 },
    { selection: '11', priceTable: 2, price: 81 },
  ])
  expect(facts).toMatchObject({ unusual: 2 })
  expect(facts.prices.map(({ posId }) => posId).sort()).toEqual(machines.map(({ id }) => id).sort())
  for (const price of facts.prices)
    expect(price).toMatchObject({ selection: '11', priceTable: 1, before: 100, price: 10_000, warning: 'band' })
  expect(await commands()).toEqual([])
})

test('a price of zero is unusual, also at a selection without a price', async () => {
  const { refused } = await aFleet()
  const facts = await refused([
    { selection: '11', priceTable: 2, price: 0 },
    { selection: '99', price: 0 },
    { selection: '98', price: 5000 },
  ])
  expect(facts.prices).toMatchObject([
    { selection: '11', priceTable: 2, before: 80, warning: 'zero' },
    { selection: '99', priceTable: null, before: null, warning: 'zero' },
  ])
})

test('a price for all tables is compared with each of them', async () => {
  const { refused } = await aFleet()
  const { prices } = await refused([{ selection: '11', price: 120 }])
  expect(prices).toMatchObject([{ priceTable: 2, before: 80, price: 120, warning: 'band' }])
})

test('the target price is what a price command is compared with', async () => {
  const { admin, merchantId, machines, send, refused } = await aFleet()
  const params = { merchantId, posId: machines[0]?.id as string }
  const edit = { selection: '11', priceTable: 1, before: null, price: 300, isConfirmed: true }
  await admin.updatePrices({ params, body: { edits: [edit] } })
  await refused([{ selection: '11', priceTable: 1, price: 100 }])
  expect((await send([{ selection: '11', priceTable: 1, price: 310 }])).sent).toHaveLength(1)
})

test('a confirmation sends exactly the prices that it names', async () => {
  const { send, refused, machines } = await aFleet()
  const prices = [{ selection: '11', priceTable: 1, price: 10_000 }]
  const { digest } = await refused(prices)
  expect((await refused([{ selection: '11', priceTable: 1, price: 20_000 }], digest)).digest).not.toBe(digest)
  await api.database.admin('update machine_prices set price = 200 where machine_id = $1', [machines[0]?.id])
  const again = await refused(prices, digest)
  expect(again.prices).toMatchObject([{ before: 200 }])
  expect((await send(prices, again.digest)).sent).toHaveLength(1)
})

test('an order of many prices names the first of them and counts all', async () => {
  const { refused } = await aFleet(3)
  const prices = Array.from({ length: 100 }, (_, at) => ({ selection: String(at + 100), price: 0 }))
  const facts = await refused(prices)
  expect(facts.unusual).toBe(300)
  expect(facts.prices).toHaveLength(mostUnusualShown)
})
