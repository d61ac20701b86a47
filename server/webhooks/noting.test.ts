import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WebhookFact, webhookData } from '#contract/merchants/webhook-event.ts'
import { type WebhookEvent, webhookEvents } from '#contract/merchants/webhook-vocabulary.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { reopenAlarms, repairAlarms } from '#database/alarms/alarm-repair.ts'
import { insertRefunds } from '#database/cashless/refund.ts'
import { writeWanted } from '#database/catalogue/price-edit.ts'
import { noteFacts } from '#database/facts/webhook-note.ts'
import { markSilent, writeConditions } from '#database/machines/machine-condition.ts'
import { setRoundStatus } from '#database/stock/round.ts'
import { changeRollout, findRollout } from '#database/updates/rollout.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import { aRound } from '#testkit/nouns/rounds.ts'
import { aFirmware } from '#testkit/nouns/updates.ts'
import { aWebhook } from '#testkit/nouns/webhooks.ts'

/* Facts are noted for webhooks in the transaction that stores them. */

let database: TestDatabase
let server: TestGateway
beforeAll(async () => {
  database = await openTestDatabase()
  server = await openGateway(database)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

const everyFeature = [
  'vending',
  'transactionDetails',
  'customerMedia',
  'productStock',
  'firmwareUpdate',
  'cashDatabaseUpdate',
]

async function aShop(events: readonly WebhookEvent[] = webhookEvents, features = everyFeature) {
  const { id: merchantId } = await aMerchant(database)
  await database.admin('update merchant_features set features = $2 where merchant_id = $1', [merchantId, features])
  const machine = await aMachine(database, merchantId)
  const webhook = await aWebhook(database, merchantId, { url: 'http://127.0.0.1:9/', events })
  const noted = async () =>
    (
      await database.admin<{ event: WebhookEvent; data: string }>(
        'select event, data from webhook_messages where webhook_id = $1 order by noted_at, event',
        [webhook.id],
      )
    ).map(({ event, data }) => {
      const facts = JSON.parse(data)
      expect(webhookData[event].parse(facts)).toEqual(facts)
      return { event, ...facts }
    })
  return { merchantId, machine, webhook, noted, whole: wholeMerchant(merchantId) }
}

/** The local time of a machine in Rome, now. */
const clock = () => new Date().toLocaleString('sv-SE', { timeZone: 'Europe/Rome', hour12: false }).replace(' ', 'T')
const batch = (items: object[]) => ({ id: randomUUID(), at: clock(), epoch: 1, items })
const item = (seq: number, more: object) => ({ seq, at: clock(), ...more })

/** Sends messages as the machine, each stored before the next. */
async function sends(machine: TestMachine, ...messages: ['sale' | 'event' | 'prices', object[]][]) {
  const connection = await aConnection(server, machine)
  for (const [kind, items] of messages) {
    await connection.send(kind, batch(items))
    await connection.next('ack')
  }
  await connection.close()
}

test('vends and failed vends of a machine, and no other transactions', async () => {
  const { machine, noted, merchantId } = await aShop(['sale.made', 'sale.failed'])
  const sale = { type: 1, mediaType: 1, value: 150 }
  await sends(machine, [
    'sale',
    [
      item(1, { ...sale, product: 'Espresso', mediaSerial: 'AB12' }),
      item(2, { ...sale, errorSale: true }),
      item(3, { ...sale, type: 4 }),
    ],
  ])
  // The same items again are no other facts.
  await sends(machine, ['sale', [item(1, sale)]])
  const facts = await noted()
  expect(facts).toMatchObject([
    { event: 'sale.failed', posId: machine.id },
    { event: 'sale.made', posId: machine.id, value: 150, product: 'Espresso' },
  ])
  const [{ id }] = (await database.admin<{ id: string }>(
    'select id from transactions where merchant_id = $1 and seq = 1',
    [merchantId],
  )) as [{ id: string }]
  expect(facts[1]?.transactionId).toBe(id)
  expect(JSON.stringify(facts)).not.toContain('AB12')
})

test('what belongs to a feature is left out without it', async () => {
  const { machine, noted } = await aShop(['sale.made', 'price.changed'], ['transactionDetails'])
  await sends(machine, ['sale', [item(1, { type: 1, mediaType: 1, value: 150, product: 'Espresso', priceLine: 4 })]])
  const [fact] = await noted()
  expect(fact).toMatchObject({ value: 150 })
  expect(Object.keys(fact ?? {})).not.toEqual(expect.arrayContaining(['product']))
  const without = await aShop(['sale.made'], [])
  await sends(without.machine, ['sale', [item(1, { type: 1, mediaType: 1, value: 150 })]])
  expect(await without.noted()).toEqual([])
})

test('alarms that an event raises and ends, and that a user repairs and opens again', async () => {
  const { machine, noted, whole } = await aShop(['alarm.raised', 'alarm.ended'])
  await sends(
    machine,
    ['event', [item(1, { code: 'ENC' })]],
    ['event', [item(2, { code: 'ENC' })]],
    ['event', [item(3, { code: 'ENC', active: false })]],
  )
  expect(await noted()).toMatchObject([
    { event: 'alarm.raised', posId: machine.id, code: 'ENC' },
    { event: 'alarm.ended', byUser: false },
  ])
  const other = await aMachine(database, machine.merchantId)
  const alarm = await anAlarm(database, other, { code: 'EJC' })
  const by = { id: randomUUID(), name: 'Anna', at: new Date(), note: undefined }
  await database.withTenant(whole, async (db) => {
    const repaired = await repairAlarms(db, [alarm], by)
    expect(await repairAlarms(db, [alarm], by)).toEqual([])
    await reopenAlarms(db, repaired, by)
  })
  expect((await noted()).slice(2)).toMatchObject([
    { event: 'alarm.ended', alarmId: alarm, byUser: true },
    { event: 'alarm.raised', alarmId: alarm },
  ])
})

test('a machine that comes online and falls silent', async () => {
  const { merchantId, machine, noted, whole } = await aShop(['machine.online', 'machine.offline'])
  await database.admin('update machines set connection = 0 where id = $1', [machine.id])
  const lastSeenAt = new Date(Date.now() - 3_600_000)
  const report = { merchantId, machineId: machine.id, lastSeenAt, connection: connections.online }
  for (const _ of [1, 2]) await database.withTenant(whole, (db) => writeConditions(db, [report]))
  expect(await noted()).toMatchObject([{ event: 'machine.online', posId: machine.id }])
  for (const _ of [1, 2]) await markSilent(database, new Date(Date.now() - 600_000))
  expect((await noted()).map(({ event }) => event)).toEqual(['machine.online', 'machine.offline'])
})

test('a collection once, whatever reports it', async () => {
  const { machine, noted } = await aShop(['cash.collected'])
  await sends(
    machine,
    ['sale', [item(1, { type: 12, mediaType: 1, value: 4_200 })]],
    ['sale', [item(2, { type: 12, mediaType: 1, value: 100 })]],
  )
  expect(await noted()).toMatchObject([{ posId: machine.id, source: 'sale', reported: 4_200 }])
})

test('a collection without its amount where the merchant counts blind', async () => {
  const { merchantId, machine, noted } = await aShop(['cash.collected'])
  await database.admin('update merchants set counts_blind = true where id = $1', [merchantId])
  await sends(machine, ['sale', [item(1, { type: 12, mediaType: 1, value: 4_200 })]])
  expect(await noted()).toMatchObject([{ posId: machine.id, source: 'sale', reported: null }])
})

test('a refund, a changed price, a halted rollout and a round that is done', async () => {
  const { merchantId, machine, noted, whole } = await aShop()
  const mediaId = await aMedia(database, merchantId)
  const { id: userId } = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const roundId = await aRound(database, merchantId)
  const firmwareId = await aFirmware(database)
  const target = { by: 'deviceTypes' as const, deviceTypes: ['AZVT' as const] }
  const ruleId = await aRunningRollout(database, { merchantId, firmwareId, release: '2.0.0', target })
  const at = new Date()
  await database.withTenant(whole, async (db) => {
    await insertRefunds(db, [
      {
        merchant_id: merchantId,
        id: randomUUID(),
        batch_id: null,
        media_id: mediaId,
        kind: 'cloud',
        state: 'done',
        amount: 250,
        reason: 'A name that stays inside',
        transaction_id: null,
        transaction_at: null,
        pos_id: machine.id,
        created_at: at,
        created_by: userId,
        created_by_name: 'Anna',
      },
    ])
    const step = { merchantId, machineId: machine.id, selection: '4', priceTable: 1, before: 100, after: 120 }
    await writeWanted(db, [step], { at, source: 'edit', user: { id: userId, name: 'Anna' } })
    await setRoundStatus(db, { merchant_id: merchantId, id: roundId }, 'done', at)
    const rollout = await findRollout(db, ruleId)
    if (rollout) await changeRollout(db, rollout, { state: 'halted', haltedAt: at })
  })
  const facts = await noted()
  expect(facts).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'refund.made', amount: 250, posId: machine.id }),
      expect.objectContaining({ event: 'price.changed', before: 100, after: 120, source: 'edit' }),
      expect.objectContaining({ event: 'round.done', roundId }),
      expect.objectContaining({ event: 'rollout.halted', ruleId, kind: 'firmware', byUser: false }),
    ]),
  )
  expect(JSON.stringify(facts)).not.toContain('stays inside')
})

test('a fact whose transaction fails is not noted; no webhook, no note', async () => {
  const { merchantId, machine, noted, whole, webhook } = await aShop(['machine.online'])
  const fact = (): WebhookFact[] => [
    { event: 'machine.online', merchantId, data: { posId: machine.id, at: new Date().toISOString() } },
  ]
  const note = () => database.withTenant(whole, (db) => noteFacts(db, [merchantId], ['machine.online'], fact))
  await expect(
    database.withTenant(whole, async (db) => {
      await noteFacts(db, [merchantId], ['machine.online'], fact)
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await noted()).toEqual([])
  await database.admin('update webhooks set is_enabled = false where id = $1', [webhook.id])
  await note()
  expect(await noted()).toEqual([])
  // One that the server stopped may be enabled again: its messages wait.
  await database.admin('update webhooks set stopped_at = now() where id = $1', [webhook.id])
  await note()
  expect(await noted()).toHaveLength(1)
})
