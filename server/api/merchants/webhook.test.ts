import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWire } from '#contract/frame/instant.ts'
import { mostWebhooks } from '#contract/merchants/webhook.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aWebhookMessage } from '#testkit/nouns/webhooks.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

async function aShop() {
  const { id: merchantId } = await aMerchant(api.database)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const params = { merchantId }
  const make = (name: string, url = 'https://erp.example.com/gettone') =>
    admin.createWebhook({ params, body: { name, url, events: ['sale.made'], isEnabled: true } })
  return { merchantId, admin, params, make }
}

test('a secret is in one answer, and sealed in the database', async () => {
  const { merchantId, admin, make } = await aShop()
  const made = await make('ERP')
  expect(made).toMatchObject({ state: 'noSecret', secretMadeAt: null, waiting: 0 })
  const params = { merchantId, webhookId: made.id }
  const { secret, details } = await admin.rotateWebhookSecret({ params, body: { graceHours: 0 } })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(details).toMatchObject({ state: 'working', formerUntil: null })
  const again = await admin.rotateWebhookSecret({ params, body: { graceHours: 24 } })
  expect(again.details.formerUntil).not.toBeNull()
  const kept = [
    await api.database.admin('select * from webhooks'),
    await api.database.admin('select * from change_log'),
  ]
  for (const one of [secret, again.secret]) expect(JSON.stringify(kept)).not.toContain(one)
  expect(JSON.stringify(await admin.getWebhook({ params }))).not.toMatch(/whsec_|v1\./)
})

test('only https is accepted, and http of this machine outside production', async () => {
  const { make } = await aShop()
  for (const url of ['http://erp.example.com/', 'ftp://erp.example.com', 'https://user:word@erp.example.com/'])
    await expect(make('Plain', url)).rejects.toMatchObject({ code: 'ValidationFailed' })
  expect(await make('Local', 'http://127.0.0.1:9000/')).toMatchObject({ url: 'http://127.0.0.1:9000/' })
})

test(`a merchant has ${mostWebhooks} webhooks at most, each with a name of its own`, async () => {
  const { make } = await aShop()
  await make('One')
  await expect(make('one')).rejects.toMatchObject({ code: 'WebhookNameTaken' })
  for (let number = 2; number <= mostWebhooks; number++) await make(`Number ${number}`)
  await expect(make('One more')).rejects.toMatchObject({ code: 'WebhookTooMany' })
})

test('a stopped webhook starts again when a user enables it', async () => {
  const { merchantId, admin, make } = await aShop()
  const { id: webhookId } = await make('ERP')
  await api.database.admin(
    `update webhooks set is_enabled = false, stopped_at = now(), failing_since = now(), failures = 9, retry_at = now(), version = 2 where id = $1`,
    [webhookId],
  )
  const params = { merchantId, webhookId }
  const { name, url, events, version, state } = await admin.getWebhook({ params })
  expect(state).toBe('stopped')
  const body = { name, url, events, version, isEnabled: true }
  expect(await admin.updateWebhook({ params, body })).toMatchObject({
    state: 'noSecret',
    stoppedAt: null,
    failingSince: null,
  })
})

describe('messages', () => {
  test('are sent again one by one, or of a period, and keep their ids', async () => {
    const { merchantId, admin, make } = await aShop()
    const { id: webhookId } = await make('ERP')
    const params = { merchantId, webhookId }
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
    const [early, failed, late] = [
      await aWebhookMessage(api.database, { merchantId, webhookId, at: at(8) }),
      await aWebhookMessage(api.database, { merchantId, webhookId, at: at(9), state: 'failed' }),
      await aWebhookMessage(api.database, { merchantId, webhookId, at: at(11) }),
    ] as [string, string, string]
    expect((await admin.listWebhookMessages({ params, query: {} })).items.map(({ id }) => id)).toEqual([
      late,
      failed,
      early,
    ])
    const period = { from: toWire(at(8)), to: toWire(at(10)) }
    expect(await admin.replayWebhook({ params, body: { ...period, which: 'failed' } })).toEqual({
      messages: 1,
      left: false,
    })
    expect(await admin.replayWebhook({ params, body: { ...period, which: 'all' } })).toEqual({
      messages: 1,
      left: false,
    })
    const waiting = await admin.listWebhookMessages({ params, query: { states: ['waiting'] } })
    expect(waiting.items.map(({ id, attempts }) => [id, attempts])).toEqual([
      [failed, 0],
      [early, 0],
    ])
    const one = { ...params, webhookMessageId: late }
    expect(await admin.retryWebhookMessage({ params: one })).toMatchObject({ id: late, state: 'waiting' })
    const { body } = await admin.getWebhookMessage({ params: one })
    expect(JSON.parse(body)).toMatchObject({ id: late, type: 'machine.online', merchantId })
    await expect(
      admin.replayWebhook({ params, body: { from: period.to, to: period.from, which: 'all' } }),
    ).rejects.toMatchObject({ code: 'PeriodReversed' })
  })

  test('a test needs a webhook that sends', async () => {
    const { merchantId, admin, make } = await aShop()
    const { id: webhookId } = await make('ERP')
    const params = { merchantId, webhookId }
    await expect(admin.testWebhook({ params })).rejects.toMatchObject({ code: 'WebhookNotSending' })
    await admin.rotateWebhookSecret({ params, body: { graceHours: 0 } })
    const { id } = await admin.testWebhook({ params })
    expect((await admin.listWebhookMessages({ params, query: {} })).items).toMatchObject([
      { id, event: 'webhook.test' },
    ])
  })

  test('a deleted webhook leaves none', async () => {
    const { merchantId, admin, make } = await aShop()
    const { id: webhookId } = await make('ERP')
    await aWebhookMessage(api.database, { merchantId, webhookId })
    await admin.deleteWebhook({ params: { merchantId, webhookId } })
    expect(await api.database.admin('select 1 from webhook_messages where webhook_id = $1', [webhookId])).toEqual([])
  })
})
