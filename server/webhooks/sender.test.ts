import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookFact } from '#contract/merchants/webhook-event.ts'
import { noteFacts } from '#database/facts/webhook-note.ts'
import { readyWebhooks } from '#database/merchants/webhook-sending.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aWebhook, testVault } from '#testkit/nouns/webhooks.ts'
import { aReceiver, type Received } from '#testkit/servers/receiver.ts'

import { mailStaff, writeStaffLetter } from '../worker/staff-mails.ts'
import { runLane } from './lane.ts'
import { startSender } from './sender.ts'
import { signatureOf } from './sign.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const machine = '00000000-0000-4000-8000-000000000001'
const hour = 3_600_000

/** A merchant with a receiver, and a clock of its own. */
async function aShop() {
  const { id: merchantId } = await aMerchant(database)
  const receiver = await aReceiver()
  const webhook = await aWebhook(database, merchantId, { url: receiver.url, events: ['machine.online'] })
  const shop = {
    merchantId,
    receiver,
    webhook,
    /** Milliseconds after the present. */
    later: 0,
    timeoutMs: 5_000,
    now: () => new Date(Date.now() + shop.later),
    /** Notes as many facts as said. */
    async happens(count = 1) {
      const fact = (): WebhookFact => ({
        event: 'machine.online',
        merchantId,
        data: { posId: machine, at: new Date().toISOString() },
      })
      await database.withTenant(wholeMerchant(merchantId), (db) =>
        noteFacts(db, [merchantId], ['machine.online'], () => Array.from({ length: count }, fact)),
      )
    },
    /** Sends what is due at the shop's time. */
    async send(config = { production: false }) {
      const ready = await readyWebhooks(database, shop.now())
      if (!ready.some(({ id }) => id === webhook.id)) return
      await runLane(
        { ...deps, config, now: shop.now, timeoutMs: shop.timeoutMs },
        webhook,
        new AbortController().signal,
      )
    },
    messages: () =>
      database.admin<{
        id: string
        state: string
        attempts: number
        status: number | null
        fault: string | null
        answer: string | null
        next_attempt_at: Date
      }>('select * from webhook_messages where webhook_id = $1 order by id', [webhook.id]),
    row: async () =>
      (
        await database.admin<{
          is_enabled: boolean
          stopped_at: Date | null
          failing_since: Date | null
          failures: number
          retry_at: Date | null
        }>('select * from webhooks where id = $1', [webhook.id])
      )[0],
  }
  return shop
}
const deps = {
  get doors() {
    return database
  },
  vault: testVault,
  live: { announce: () => undefined },
  config: { production: false },
}
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id'])

test('a message is sent once, signed as Standard Webhooks says, with the bytes that are signed', async () => {
  const { merchantId, receiver, webhook, happens, send, messages } = await aShop()
  await happens()
  await send()
  await send()
  expect(receiver.received).toHaveLength(1)
  const [{ headers, body }] = receiver.received as [Received]
  const message = JSON.parse(body)
  expect(message).toMatchObject({ type: 'machine.online', merchantId, currency: 'EUR', data: { posId: machine } })
  expect(headers['webhook-id']).toBe(message.id)
  const timestamp = Number(headers['webhook-timestamp'])
  expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(300)
  expect(headers['webhook-signature']).toBe(signatureOf(webhook.secret, message.id, timestamp, body))
  expect(await messages()).toMatchObject([{ state: 'delivered', attempts: 1, status: 204, fault: null }])
})

test('the signature is that of the example in the specification', () => {
  expect(
    signatureOf(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330,
      '{"test": 2432232314}',
    ),
  ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('after a rotation both secrets sign until the previous one ends', async () => {
  const shop = await aShop()
  const former = testVault.seal(shop.webhook.secret)
  const until = new Date(Date.now() + hour)
  const fresh = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
  await database.admin('update webhooks set former_secret = $2, former_until = $3, secret = $4 where id = $1', [
    shop.webhook.id,
    former,
    until,
    testVault.seal(fresh),
  ])
  await shop.happens()
  await shop.send()
  shop.later = 2 * hour
  await shop.happens()
  await shop.send()
  const signed = shop.receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' '))
  expect(signed.map((signatures) => signatures.length)).toEqual([2, 1])
})

describe('a message that is not accepted', () => {
  test('is sent again later with the same id and the same body, until it is', async () => {
    const shop = await aShop()
    let isUp = false
    shop.receiver.answer = (response) => response.writeHead(isUp ? 200 : 503).end('busy')
    await shop.happens()
    await shop.send()
    await shop.send()
    expect(await shop.messages()).toMatchObject([{ state: 'waiting', attempts: 1, status: 503, answer: 'busy' }])
    shop.later = 60_000
    await shop.send()
    isUp = true
    shop.later = 600_000
    await shop.send()
    expect(await shop.messages()).toMatchObject([{ state: 'delivered', attempts: 3, status: 200 }])
    expect(shop.receiver.received).toHaveLength(3)
    expect(new Set(idsOf(shop.receiver.received)).size).toBe(1)
    expect(new Set(shop.receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(await shop.row()).toMatchObject({ failing_since: null, failures: 0 })
  })

  test('is given up after ten attempts, while others are accepted', async () => {
    const shop = await aShop()
    await shop.happens()
    const refused = (await shop.messages())[0]?.id
    shop.receiver.answer = (response, { headers }) =>
      response.writeHead(headers['webhook-id'] === refused ? 422 : 200).end()
    for (let attempt = 0; attempt < 12; attempt++) {
      await shop.happens()
      // The receiver accepts the other one, so it is not left alone.
      for (const _ of [1, 2, 3]) {
        await shop.send()
        shop.later += 301_000
      }
      shop.later += 13 * hour
    }
    const [first, ...others] = await shop.messages()
    expect(first).toMatchObject({ id: refused, state: 'failed', attempts: 10, status: 422 })
    expect(others.every(({ state }) => state === 'delivered')).toBe(true)
    expect((await shop.row())?.is_enabled).toBe(true)
  })

  test('a redirect is not followed and no acceptance', async () => {
    const shop = await aShop()
    const other = await aReceiver()
    shop.receiver.answer = (response) => response.writeHead(307, { location: other.url }).end()
    await shop.happens()
    await shop.send()
    expect(other.received).toEqual([])
    expect(await shop.messages()).toMatchObject([{ state: 'waiting', status: 307 }])
  })

  test('a receiver that is too slow, or gone, is no answer; a long answer is cut', async () => {
    const shop = await aShop()
    shop.receiver.answer = () => undefined
    shop.timeoutMs = 200
    await shop.happens()
    await shop.send()
    shop.timeoutMs = 5_000
    expect(await shop.messages()).toMatchObject([{ status: null, fault: 'timedOut' }])
    shop.receiver.answer = (response) => response.writeHead(500).end(`${'x'.repeat(100_000)}`)
    shop.later = hour
    await shop.send()
    expect((await shop.messages())[0]?.answer).toHaveLength(1_000)
  })
})

describe('in production', () => {
  test.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
  ])('%s is never called', async (url) => {
    const shop = await aShop()
    await database.admin('update webhooks set url = $2 where id = $1', [shop.webhook.id, url])
    await shop.happens()
    await shop.send({ production: true })
    expect(await shop.messages()).toMatchObject([{ state: 'waiting', fault: 'addressRefused' }])
  })
})

test('a receiver that accepts nothing for a day and a half is stopped, and its admins get one mail', async () => {
  const shop = await aShop()
  const admin = await aUser(database, 'merchantAdmin', [{ merchantId: shop.merchantId, groups: 'all' }])
  await aUser(database, 'merchantUser', [{ merchantId: shop.merchantId, groups: 'all' }])
  shop.receiver.answer = (response) => response.writeHead(500).end()
  await shop.happens(3)
  for (; shop.later < 35 * hour; shop.later += hour) await shop.send()
  expect((await shop.row())?.is_enabled).toBe(true)
  const calls = shop.receiver.received.length
  // One attempt an hour at most: a receiver that fails gets one message at a time.
  expect(calls).toBeLessThanOrEqual(35)
  for (; shop.later < 48 * hour; shop.later += hour) await shop.send()
  expect(await shop.row()).toMatchObject({ is_enabled: false, stopped_at: expect.any(Date) })
  const sent: { to: string; subject: string }[] = []
  const mail = { send: async (message: { to: string; subject: string }) => void sent.push(message) }
  const config = { publicUrl: 'https://portal.example.com', NO_DATA_MINUTES: 60 }
  for (const _ of [1, 2]) await mailStaff({ doors: database, mail, config }, new Date(Date.now() + 60 * hour))
  expect(sent.map(({ to }) => to)).toEqual([admin.email])
  // Nothing is lost: facts are noted while it is stopped, and wait.
  await shop.happens()
  expect((await shop.messages()).filter(({ state }) => state === 'waiting').length).toBeGreaterThan(0)
})

test('410 stops a webhook at once', async () => {
  const shop = await aShop()
  shop.receiver.answer = (response) => response.writeHead(410).end()
  await shop.happens()
  await shop.send()
  expect((await shop.row())?.is_enabled).toBe(false)
})

test('a slow receiver holds no other back', async () => {
  const slow = await aShop()
  const quick = await aShop()
  const held: (() => void)[] = []
  slow.receiver.answer = (response) => held.push(() => response.writeHead(200).end())
  await slow.happens(40)
  await quick.happens(40)
  const sender = startSender({ ...deps, timeoutMs: 20_000, log: { warn: () => undefined } })
  onTestFinished(() => sender.stop())
  await expect.poll(() => quick.receiver.received.length, { timeout: 10_000 }).toBe(40)
  // Sixteen requests at a time.
  await expect.poll(() => held.length).toBe(16)
  const stopped = sender.stop()
  for (const release of held) release()
  await stopped
  const states = Map.groupBy(await slow.messages(), ({ state }) => state)
  expect([states.get('delivered')?.length, states.get('waiting')?.length]).toEqual([16, 24])
  // What was not sent is due at once.
  expect(states.get('waiting')?.every(({ next_attempt_at }) => next_attempt_at <= new Date())).toBe(true)
})

test('if a worker is killed in the middle, nothing is lost, and what is sent twice has the same id', async () => {
  const shop = await aShop()
  await shop.happens(200)
  let answers = 0
  shop.receiver.answer = (response) => {
    answers += 1
    // The worker dies with requests that the receiver has, and before it has stored their answers.
    if (answers === 100) child.kill('SIGKILL')
    response.writeHead(200).end()
  }
  const script = join(import.meta.dirname, '../../testkit/webhook-sender.ts')
  const child = spawn(process.execPath, [script, database.adminUrl], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'exit')
  const before = shop.receiver.received.length
  expect(before).toBeLessThan(200)
  shop.later = 120_000
  await shop.send()
  const messages = await shop.messages()
  expect(messages.map(({ state }) => state)).toEqual(Array(200).fill('delivered'))
  const ids = idsOf(shop.receiver.received)
  expect(new Set(ids)).toEqual(new Set(messages.map(({ id }) => id)))
  expect(ids.length).toBeGreaterThan(200)
})

test('two workers share a webhook without doubles', async () => {
  const shop = await aShop()
  await shop.happens(150)
  await Promise.all([shop.send(), shop.send(), shop.send()])
  expect(shop.receiver.received).toHaveLength(150)
  expect(new Set(idsOf(shop.receiver.received)).size).toBe(150)
})

test.each(['it', 'en', 'es', 'fr', 'de', 'pt'])('the letter is written in %s', (language) => {
  const facts = {
    webhookId: machine,
    name: 'ERP',
    merchant: 'Shop',
    since: new Date().toISOString(),
    zone: 'Europe/Rome',
  }
  const letter = {
    id: machine,
    userId: machine,
    kind: 'webhookStopped',
    merchantId: machine,
    facts,
    attempts: 0,
  } as const
  const { subject, text } = writeStaffLetter(
    letter,
    { email: 'a@b.it', name: 'Anna', language },
    'https://p.example.com',
  )
  expect(subject).toContain('ERP')
  expect(text).toContain(`https://p.example.com/manage/webhooks/${machine}?merchant=${machine}`)
  expect(text).not.toMatch(/\{\{|webhookStopped/)
})
