import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { headersOf, newSecret } from '#server/webhooks/sign.ts'
import { samples } from '#testkit/access/access-samples.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken, aScopedToken } from '#testkit/api-tokens.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { createClient, verifyWebhook } from '../../client/index.ts'

let api: TestApi
let url: string
beforeAll(async () => {
  api = await openTestApi()
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
})
afterAll(() => api.close())

async function aShop(machines = 0) {
  const { id: merchantId } = await aMerchant(api.database)
  const serials = []
  for (let one = 0; one < machines; one++) serials.push((await aMachine(api.database, merchantId)).serial)
  const { token } = await anApiToken(api.database, merchantId)
  return { merchantId, serials, token, client: createClient({ url, token }), params: { merchantId } }
}

test('a call is typed by the contract, and filters arrive', async () => {
  const { client, params, serials } = await aShop(2)
  const { items, total } = await client.call('listMachines', { params, query: { search: serials[0] as string } })
  expect([items.map(({ serial }) => serial), total]).toEqual([[serials[0]], 1])
})

test('a token with the scope writes, and a change is not repeated after a failure', async () => {
  const { merchantId, params } = await aShop()
  const { token } = await aScopedToken(api.database, merchantId, ['clients.write'])
  const writer = createClient({ url, token })
  const created = await writer.call('createClient', {
    params,
    // Cast: the samples of all rows have one type.
    body: samples.createClient.input({ merchantId } as never).body as never,
  })
  expect(created).toMatchObject({ id: expect.any(String) })
  let sent = 0
  const away: typeof fetch = async () => {
    sent += 1
    return new Response('', { status: 503 })
  }
  const failing = createClient({ url, token, fetch: away })
  await expect(
    failing.call('deleteClient', { params: { ...params, clientId: created.id }, query: {} as never }),
  ).rejects.toMatchObject({ status: 503 })
  expect(sent).toBe(1)
})

test('each reads every page of a list', async () => {
  const { client, params, serials } = await aShop(5)
  const seen: string[] = []
  for await (const { serial } of client.each('listMachines', { params, query: { size: 2 } })) seen.push(serial)
  expect(seen.toSorted()).toEqual(serials.toSorted())
})

test('a refusal is an error with the code, the status and the request’s id', async () => {
  const { client } = await aShop()
  const other = await aMerchant(api.database)
  await expect(client.call('listMachines', { params: { merchantId: other.id } })).rejects.toMatchObject({
    name: 'GettoneError',
    status: 404,
    code: 'MerchantNotFoundException',
    problem: { requestId: expect.any(String) },
  })
})

test('429 and lost connections are repeated, other refusals are not', async () => {
  const answers = [429, 503, 200]
  let calls = 0
  const send: typeof fetch = async () => {
    calls += 1
    if (calls === 2) throw new TypeError('fetch failed')
    const status = answers.shift() ?? 200
    return Response.json({ items: [] }, { status, headers: { 'retry-after': '0' } })
  }
  const client = createClient({ url, token: 'x', retries: 3, fetch: send })
  await client.call('listMachines', { params: { merchantId: 'x' } })
  expect(calls).toBe(4)
})

describe('the signature of a webhook', () => {
  const secret = newSecret()
  const body = JSON.stringify({ id: '1', type: 'webhook.test', data: {} })
  const headers = headersOf([secret], '1', new Date(), body)

  test('is checked with the secret, or with both during a rotation', async () => {
    expect(await verifyWebhook({ secret, headers, body })).toMatchObject({ type: 'webhook.test' })
    expect(await verifyWebhook({ secret: [newSecret(), secret], headers: new Headers(headers), body })).toMatchObject({
      id: '1',
    })
    const both = headersOf([newSecret(), secret], '1', new Date(), body)
    expect(await verifyWebhook({ secret, headers: both, body })).toMatchObject({ id: '1' })
  })

  test.each([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: newSecret() }],
    ['a later time', { now: new Date(Date.now() + 301_000) }],
    ['no headers', { headers: {} }],
    ['another id', { headers: { ...headers, 'webhook-id': '2' } }],
  ])('is refused for %s', async (_, change) => {
    await expect(verifyWebhook({ secret, headers, body, ...change })).rejects.toMatchObject({ name: 'WebhookError' })
  })
})

const example = (name: string) => join(import.meta.dirname, '..', '..', 'client', 'examples', name)
const start = (name: string, environment: Record<string, string>) => {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--conditions=gettone-source', example(name)], {
    env: { PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  return { child, output: () => output }
}

describe('the examples of the documentation', () => {
  test.each(['machines.ts', 'receiver.ts'])('%s is in docs/client.md as it is', (name) => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'client.md'), 'utf8')
    expect(page).toContain(`\`\`\`ts\n${readFileSync(example(name), 'utf8')}\`\`\``)
  })

  test('machines.ts lists the machines', async () => {
    const { merchantId, token, serials } = await aShop(3)
    const { child, output } = start('machines.ts', {
      GETTONE_URL: url,
      GETTONE_TOKEN: token,
      GETTONE_MERCHANT: merchantId,
    })
    await once(child, 'close')
    expect(
      output()
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0])
        .toSorted(),
    ).toEqual(serials.toSorted())
  })

  test('receiver.ts accepts a message once, and refuses a wrong one', async () => {
    const secret = newSecret()
    const { output } = start('receiver.ts', { GETTONE_WEBHOOK_SECRET: secret })
    await expect.poll(output, { timeout: 20_000 }).toMatch(/listening \d+/)
    const port = /listening (\d+)/.exec(output())?.[1]
    const body = JSON.stringify({ id: '7', type: 'sale.made', currency: 'EUR', data: { value: 150 } })
    const send = async (text: string) =>
      (
        await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body: text,
          headers: headersOf([secret], '7', new Date(), body),
        })
      ).status
    expect([await send(body), await send(body), await send(`${body} `)]).toEqual([204, 204, 400])
    await expect.poll(output).toContain('sold 150 EUR')
    expect(output().match(/sold/g)).toHaveLength(1)
  })
})
