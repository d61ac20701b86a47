import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aPaymentService, aProvider, type TestProvider } from '#testkit/nouns/web-payments.ts'

let api: TestApi
let provider: TestProvider
let owner: TestClient
let merchantId: string
let admin: TestClient
const secret = 'zx-very-secret-signing-key'

beforeAll(async () => {
  api = await openTestApi()
  provider = await aProvider(({ path, headers }) => {
    if (path === '/account' && headers['x-gateway-account'] !== 'shop') throw 401
    return path === '/orders' ? { transaction: randomUUID(), redirectUrl: 'https://pay.test/1' } : {}
  })
  ;({ id: merchantId } = await aMerchant(api.database))
  owner = api.as(await aUser(api.database, 'superAdmin', []))
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await provider.close()
  await api.close()
})

const save = (serviceId: string, body: object) =>
  admin.updateWebPaymentConfig({
    params: { merchantId, serviceId },
    body: {
      version: 0,
      isActive: true,
      credentials: { accountId: 'shop' },
      secrets: { signingKey: secret },
      ...body,
    } as never,
  })

test('the super admin manages services; a name is taken once, and a service in use keeps its type and stays', async () => {
  const body = { name: 'Cards', description: null, url: 'https://pay.test', type: 0 }
  const service = await owner.createWebPaymentService({ body })
  expect(service).toMatchObject({ ...body, version: 1, merchants: 0 })
  await expect(owner.createWebPaymentService({ body: { ...body, name: 'CARDS' } })).rejects.toMatchObject({
    code: 'WebPaymentServiceAlreadyExists',
    facts: { field: 'name' },
  })
  const params = { webPaymentServiceId: service.id }
  const renamed = await owner.updateWebPaymentService({ params, body: { ...body, name: 'Cards 2', version: 1 } })
  expect(renamed).toMatchObject({ name: 'Cards 2', version: 2 })
  await expect(
    owner.updateWebPaymentService({ params, body: { ...body, name: 'X', version: 1 } }),
  ).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { name: 'Cards 2' } },
  })
  const { items } = await owner.listWebPaymentServices({ query: { search: 'cards', types: [0] as never } })
  expect(items.map(({ name }) => name)).toEqual(['Cards 2'])
  await save(service.id, { isActive: false, credentials: { alias: 'A' }, secrets: {} })
  const inUse = { code: 'WebPaymentServiceInUse', facts: { merchants: 1 } }
  await expect(owner.deleteWebPaymentService({ params })).rejects.toMatchObject(inUse)
  await expect(
    owner.updateWebPaymentService({ params, body: { ...body, name: 'Cards 2', type: 1, version: 2 } }),
  ).rejects.toMatchObject(inUse)
  const other = await owner.createWebPaymentService({ body: { ...body, name: 'Other' } })
  await owner.deleteWebPaymentService({ params: { webPaymentServiceId: other.id } })
  await expect(owner.createWebPaymentService({ body: { ...body, name: 'Y', type: 5 } })).rejects.toMatchObject({
    code: 'ValidationFailed',
  })
  await expect(admin.listWebPaymentServices({ query: {} })).rejects.toMatchObject({ code: 'Forbidden' })
})

test('secrets are encrypted, and appear in no answer, log, export or column', async () => {
  const serviceId = await aPaymentService(api.database, { url: provider.url })
  const saved = await save(serviceId, {})
  expect(saved).toMatchObject({ version: 1, secrets: ['signingKey'], setBy: 'Test merchantAdmin' })
  const [stored] = await api.database.admin<{ sealed: string }>(
    'select sealed from web_payment_configs where merchant_id = $1 and service_id = $2',
    [merchantId, serviceId],
  )
  expect(stored?.sealed).toMatch(/^v1\./)
  await aMedia(api.database, merchantId, { serial: 'K77' })
  const body = { kind: 'recharge' as const, id: randomUUID(), serviceId, amount: 100, serial: 'K77' }
  const order = await admin.startWebPayment({ params: { merchantId }, body })
  const answers = [
    saved,
    order,
    await admin.listWebPaymentConfigs({ params: { merchantId } }),
    await admin.listWebPaymentChoices({ params: { merchantId } }),
    await admin.listChangeLog({ params: { merchantId }, query: {} }),
    await owner.listProviderLog({ query: {} }),
    String(
      await admin.exportShown({
        params: { merchantId },
        body: {
          list: 'webPaymentOrders',
          format: 'csv',
          language: 'en',
          filter: {},
          columns: ['id', 'serviceName', 'amount'],
        } as never,
      }),
    ),
    await api.database.admin('select * from web_payment_orders'),
    await api.database.admin('select * from change_log'),
    await api.database.admin('select * from web_payment_configs'),
  ]
  expect(JSON.stringify(answers)).not.toContain(secret)
  expect(JSON.stringify(answers)).toContain('changedSecrets')
  expect(String(answers[6])).toContain(order.id)
  expect(provider.requests.some(({ body: sent, headers }) => JSON.stringify([sent, headers]).includes(secret))).toBe(
    false,
  )
})

test('an omitted secret stays, a new version wins, and an active account is complete', async () => {
  const serviceId = await aPaymentService(api.database, { url: provider.url })
  const params = { merchantId, serviceId }
  await expect(save(serviceId, { secrets: {} })).rejects.toMatchObject({
    code: 'ValidationFailed',
    errors: [{ path: 'secrets.signingKey', rule: 'rule.required' }],
  })
  await expect(save(serviceId, { secrets: { signingKey: 'x', other: 'y' } })).rejects.toMatchObject({
    errors: [{ path: 'secrets.other' }],
  })
  await expect(admin.tryWebPaymentConfig({ params })).rejects.toMatchObject({ code: 'WebPaymentNotConfigured' })
  await save(serviceId, {})
  expect(await admin.tryWebPaymentConfig({ params })).toEqual({ works: true, problem: null })
  const next = await save(serviceId, { version: 1, credentials: { accountId: 'another' }, secrets: {} })
  expect(next).toMatchObject({ version: 2, secrets: ['signingKey'] })
  expect(await admin.tryWebPaymentConfig({ params })).toEqual({ works: false, problem: 'refused' })
  await api.database.admin('update web_payment_services set url = $2 where id = $1', [serviceId, 'http://127.0.0.1:9'])
  expect(await admin.tryWebPaymentConfig({ params })).toEqual({ works: false, problem: 'unreachable' })
  await expect(save(serviceId, { version: 1 })).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { version: 2 } },
  })
})
