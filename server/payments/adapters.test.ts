import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { aProvider, type SeenRequest, type TestProvider } from '#testkit/nouns/web-payments.ts'
import { type CallbackRequest, type OrderToPay, UnprovenError } from './adapter.ts'
import { storedDigits } from './amounts.ts'
import { callProvider } from './http.ts'
import { nexi } from './nexi.ts'
import { paypal } from './paypal.ts'
import { satispay } from './satispay.ts'

let provider: TestProvider | undefined
afterEach(async () => {
  await provider?.close()
  provider = undefined
})
const plays = async (answer: (request: SeenRequest) => unknown) => {
  provider = await aProvider(answer)
  return provider
}

const order: OrderToPay = {
  reference: '0123456789abcdefghijklmnop',
  amount: 1250,
  currency: 'EUR',
  description: 'K1',
  transaction: null,
  callbackUrl: 'https://portal.test/callback',
  returnUrl: 'https://portal.test/pay/x/done',
}
const received = (with_: Partial<CallbackRequest>): CallbackRequest => ({
  method: 'POST',
  path: '/callback',
  query: new URLSearchParams(),
  headers: {},
  body: Buffer.alloc(0),
  now: new Date(),
  ...with_,
})
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

describe('Nexi XPay', () => {
  const macKey = 'the-key-for-macs'
  const account = (url = 'https://ecommerce.nexi.it') => ({
    url,
    isPublicOnly: false,
    credentials: { alias: 'ALIAS_1', macKey },
  })

  test('the payer is sent to the page with the MAC of number, currency and amount', async () => {
    const { redirectUrl, transaction, request } = await nexi.create(account(), order)
    const { origin, pathname, searchParams } = new URL(redirectUrl)
    expect(origin + pathname).toBe('https://ecommerce.nexi.it/ecomm/ecomm/DispatcherServlet')
    expect(Object.fromEntries(searchParams)).toEqual({
      alias: 'ALIAS_1',
      codTrans: order.reference,
      divisa: 'EUR',
      importo: '1250',
      url: order.returnUrl,
      url_back: order.returnUrl,
      urlpost: order.callbackUrl,
      mac: sha1(`codTrans=${order.reference}divisa=EURimporto=1250${macKey}`),
    })
    expect(transaction).toBe(order.reference)
    expect(JSON.stringify(request)).not.toContain('mac')
  })

  const notice = (with_: Record<string, string> = {}, key = macKey) => {
    const fields: Record<string, string> = {
      codTrans: order.reference,
      esito: 'OK',
      importo: '1250',
      divisa: 'EUR',
      data: '20261124',
      orario: '130102',
      codAut: '123456',
      ...with_,
    }
    const names = ['codTrans', 'esito', 'importo', 'divisa', 'data', 'orario', 'codAut']
    const mac = sha1(names.map((name) => `${name}=${fields[name]}`).join('') + key)
    return new URLSearchParams({ ...fields, mac, pan: '453997******0006', mail: 'payer@mail.test' }).toString()
  }
  test('a notice proves itself by its MAC; nothing about the payer is kept', async () => {
    const proven = await nexi.readCallback(account(), received({ body: Buffer.from(notice()) }))
    expect(proven).toMatchObject({
      reference: order.reference,
      report: { state: 'paid', amount: 1250, currency: 'EUR' },
    })
    expect(JSON.stringify(proven)).not.toMatch(/453997|payer@/)
    const cancelled = await nexi.readCallback(account(), received({ body: Buffer.from(notice({ esito: 'ANNULLO' })) }))
    expect(cancelled.report).toMatchObject({ state: 'failed', reason: 'cancelled' })
    for (const forged of [notice({}, 'another key'), notice().replace('1250', '1'), 'esito=OK', ''])
      await expect(nexi.readCallback(account(), received({ body: Buffer.from(forged) }))).rejects.toThrow(UnprovenError)
  })

  test('the state of an order is read from an answer with a proven MAC', async () => {
    let report: Record<string, unknown>[] = [{ stato: 'Contabilizzato', importo: '1250', divisa: '978' }]
    let key = macKey
    const { url, requests } = await plays(() => {
      const nexiAnswer = { esito: 'OK', idOperazione: '77', timeStamp: '1764000000000' }
      const mac = sha1(`esito=OKidOperazione=77timeStamp=1764000000000${key}`)
      return { ...nexiAnswer, mac, report }
    })
    expect(await nexi.query(account(url), order)).toMatchObject({ state: 'paid', amount: 1250, currency: 'EUR' })
    const { apiKey, codiceTransazione, timeStamp, mac } = JSON.parse(requests[0]?.body ?? '')
    expect(requests[0]?.path).toBe('/ecomm/api/bo/situazioneOrdine')
    expect(mac).toBe(sha1(`apiKey=${apiKey}codiceTransazione=${codiceTransazione}timeStamp=${timeStamp}${macKey}`))
    const part = { tipoOperazione: 'STORNO', importo: '250' }
    report = [{ stato: 'Rimborsato Parz.', importo: '1250', divisa: 'EUR', dettaglio: [{ operazioni: [part] }] }]
    expect(await nexi.query(account(url), order)).toMatchObject({ state: 'reversed', amount: 250 })
    report = []
    expect(await nexi.query(account(url), order)).toMatchObject({ state: 'waiting' })
    key = 'another key'
    await expect(nexi.query(account(url), order)).rejects.toMatchObject({ kind: 'refused' })
    await expect(nexi.test(account(url))).rejects.toMatchObject({ kind: 'refused' })
  })
})

describe('PayPal', () => {
  const account = (url: string) => ({
    url,
    isPublicOnly: false,
    credentials: { clientId: 'client', clientSecret: 'secret!', webhookId: 'WH1' },
  })
  const unit = { custom_id: order.reference, amount: { currency_code: 'EUR', value: '12.50' } }
  const capture = (status: string) => ({
    id: 'PP1',
    status: 'COMPLETED',
    purchase_units: [{ ...unit, payments: { captures: [{ id: 'C1', status, amount: unit.amount }] } }],
  })
  const basic = `Basic ${Buffer.from('client:secret!').toString('base64')}`

  test('an order is created with its reference as idempotency key, and captured once the payer has approved it', async () => {
    let paypalOrder: object = { id: 'PP1', status: 'CREATED', purchase_units: [unit] }
    const { url, requests } = await plays(({ path, headers }) => {
      if (path === '/v1/oauth2/token') {
        if (headers.authorization !== basic) throw 401
        return { access_token: 'bearer-token' }
      }
      if (headers.authorization !== 'Bearer bearer-token') throw 401
      if (path === '/v2/checkout/orders')
        return { id: 'PP1', status: 'CREATED', links: [{ rel: 'payer-action', href: 'https://paypal.test/PP1' }] }
      return path.endsWith('/capture') ? capture('COMPLETED') : paypalOrder
    })
    const started = await paypal.create(account(url), order)
    expect(started).toMatchObject({ transaction: 'PP1', redirectUrl: 'https://paypal.test/PP1' })
    expect(JSON.stringify(started)).not.toMatch(/secret!|bearer-token/)
    const sent = requests.find(({ path }) => path === '/v2/checkout/orders')
    expect(sent?.headers['paypal-request-id']).toBe(order.reference)
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ intent: 'CAPTURE', purchase_units: [unit] })
    const startedOrder = { ...order, transaction: 'PP1' }
    expect(await paypal.query(account(url), startedOrder)).toMatchObject({ state: 'waiting' })
    expect(requests.some(({ path }) => path.endsWith('/capture'))).toBe(false)
    paypalOrder = { id: 'PP1', status: 'APPROVED', purchase_units: [unit] }
    expect(await paypal.query(account(url), startedOrder)).toMatchObject({
      state: 'paid',
      amount: 1250,
      currency: 'EUR',
    })
    expect(requests.at(-1)?.headers['paypal-request-id']).toBe(`${order.reference}-capture`)
    paypalOrder = capture('DECLINED')
    expect(await paypal.query(account(url), startedOrder)).toMatchObject({ state: 'failed', reason: 'declined' })
    paypalOrder = capture('REFUNDED')
    expect(await paypal.query(account(url), startedOrder)).toMatchObject({ state: 'reversed', amount: 1250 })
  })

  test('a webhook counts only when PayPal confirms its signature for the merchant’s webhook', async () => {
    let verdict = 'SUCCESS'
    const { url, requests } = await plays(({ path }) =>
      path === '/v1/oauth2/token' ? { access_token: 'bearer-token' } : { verification_status: verdict },
    )
    const event = { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'C1', custom_id: order.reference } }
    const headers = {
      'paypal-transmission-id': 'T1',
      'paypal-transmission-time': '2026-11-24T13:00:00Z',
      'paypal-transmission-sig': 'sig',
      'paypal-cert-url': 'https://api.paypal.com/cert',
      'paypal-auth-algo': 'SHA256withRSA',
    }
    const request = received({ headers, body: Buffer.from(JSON.stringify(event)) })
    expect(await paypal.readCallback(account(url), request)).toEqual({
      reference: order.reference,
      transaction: null,
      report: null,
    })
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual({
      transmission_id: 'T1',
      transmission_time: '2026-11-24T13:00:00Z',
      transmission_sig: 'sig',
      webhook_id: 'WH1',
      cert_url: 'https://api.paypal.com/cert',
      auth_algo: 'SHA256withRSA',
      webhook_event: event,
    })
    verdict = 'FAILURE'
    await expect(paypal.readCallback(account(url), request)).rejects.toThrow(UnprovenError)
    await expect(paypal.readCallback(account(url), received({ body: request.body }))).rejects.toThrow(UnprovenError)
  })
})

describe('Satispay', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const account = (url: string, key = pem) => ({
    url,
    isPublicOnly: false,
    credentials: { keyId: 'key-1', privateKey: key },
  })

  /** Checks the signature as Satispay documents it. */
  const isSigned = ({ method, path, headers, body }: SeenRequest) => {
    const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
    const signature =
      /keyId="key-1", algorithm="rsa-sha256", headers="\(request-target\) host date digest", signature="([^"]+)"/.exec(
        headers.authorization ?? '',
      )?.[1]
    const text = `(request-target): ${method.toLowerCase()} ${path}\nhost: ${headers.host}\ndate: ${headers.date}\ndigest: ${digest}`
    const verify = createVerify('RSA-SHA256').update(text)
    return headers.digest === digest && verify.verify(publicKey, signature ?? '', 'base64')
  }

  test('requests are signed; a payment is created in cents and read by a signed query', async () => {
    let status = 'PENDING'
    const { url, requests } = await plays((request) => {
      if (!isSigned(request)) throw 401
      const payment = { id: 'S1', status, amount_unit: 1250, currency: 'EUR' }
      return request.method === 'POST' ? { ...payment, redirect_url: 'https://satispay.test/S1' } : payment
    })
    const started = await satispay.create(account(url), order)
    expect(started).toMatchObject({ transaction: 'S1', redirectUrl: 'https://satispay.test/S1' })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      flow: 'MATCH_CODE',
      amount_unit: 1250,
      currency: 'EUR',
      external_code: order.reference,
      callback_url: `${order.callbackUrl}?payment_id={uuid}`,
      redirect_url: order.returnUrl,
    })
    expect(requests[0]?.headers['idempotency-key']).toBe(order.reference)
    const startedOrder = { ...order, transaction: 'S1' }
    expect(await satispay.query(account(url), startedOrder)).toMatchObject({ state: 'waiting' })
    status = 'ACCEPTED'
    expect(await satispay.query(account(url), startedOrder)).toMatchObject({
      state: 'paid',
      amount: 1250,
      currency: 'EUR',
    })
    status = 'CANCELED'
    expect(await satispay.query(account(url), startedOrder)).toMatchObject({ state: 'failed', reason: 'cancelled' })
    await satispay.test(account(url))
  })

  test('a callback names a payment and says nothing else; a key that is none is refused without a word of it', async () => {
    const query = new URLSearchParams({ payment_id: 'S1', status: 'ACCEPTED' })
    const proven = await satispay.readCallback(account('https://satispay.test'), received({ method: 'GET', query }))
    expect(proven).toEqual({ reference: null, transaction: 'S1', report: null })
    const broken = satispay.test(account('https://satispay.test', 'BEGIN secret words'))
    const error = await broken.catch((one: unknown) => one)
    expect(error).toMatchObject({ kind: 'refused' })
    expect([String(error), (error as Error).cause]).toEqual(['ProviderError: refused', undefined])
  })
})

test('a provider is called at its own host alone, in production at a public address', async () => {
  const { url, requests } = await plays(() => ({}))
  const account = { url, isPublicOnly: false, credentials: {} }
  const call = { method: 'GET' } as const
  expect(await callProvider(account, new URL('/a', url), call)).toEqual({})
  const refused = { kind: 'unreachable', cause: 'address refused' }
  await expect(callProvider(account, new URL('http://localhost:9/'), call)).rejects.toMatchObject(refused)
  await expect(callProvider({ ...account, isPublicOnly: true }, new URL('/b', url), call)).rejects.toMatchObject(
    refused,
  )
  const named = url.replace('127.0.0.1', 'localhost')
  const inside = callProvider({ ...account, url: named, isPublicOnly: true }, new URL('/c', named), call)
  await expect(inside).rejects.toMatchObject(refused)
  expect(requests.map(({ path }) => path)).toEqual(['/a'])
})

test('amounts are written and read with the stored digits of their currency', () => {
  expect([storedDigits('EUR').write(5), storedDigits('EUR').write(1250), storedDigits('CLP').write(1250)]).toEqual([
    '0.05',
    '12.50',
    '1250',
  ])
  expect(['12.50', '12.5', '12', '0.05'].map(storedDigits('EUR').read)).toEqual([1250, 1250, 1200, 5])
  expect(['12.505', '-1', '1e3', '', null, '1,5'].map(storedDigits('EUR').read)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ])
})
