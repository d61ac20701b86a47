import { createServer, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { aPage } from '#testkit/browser/browser.ts'
import { aFreePort, aPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

const key = '01234567-89ab-cdef-0123-456789abcdef'

/** A signed-in user with one machine; `asked` has the files and calls of the page. */
async function somebodyAt(portal: TestPortal) {
  const merchant = await aMerchant(portal.database)
  const machine = await aMachine(portal.database, merchant.id)
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await aPage({ baseURL: portal.url })
  page.setDefaultTimeout(60_000)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.route('https://www.googletagmanager.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  return { page, machine, person, asked, signIn: () => signIn(page, person, '/devices/list') }
}

const throwIn = (page: Page, message: string) =>
  page.evaluate((text) => {
    setTimeout(() => {
      throw new Error(text)
    })
  }, message)
const isReporting = (url: string) => /\/(insights|analytics)-[\w-]+\.js/.test(url) || /googletagmanager/.test(url)

interface Telemetry {
  name: string
  tags: Record<string, string>
  data: { baseType: string; baseData: Record<string, unknown> }
}

/** An ingestion endpoint on this computer, and all that it received. */
async function anEndpoint() {
  const telemetry: Telemetry[] = []
  const headers: IncomingHttpHeaders[] = []
  const port = await aFreePort()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      if (request.method === 'POST') {
        headers.push(request.headers)
        const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
        const lines = text.startsWith('[')
          ? (JSON.parse(text) as Telemetry[])
          : text
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as Telemetry)
        telemetry.push(...lines)
      }
      response.writeHead(200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
      })
      response.end(JSON.stringify({ itemsReceived: 1, itemsAccepted: 1, errors: [] }))
    })
  }).listen(port, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    telemetry,
    headers,
    connectionString: `InstrumentationKey=${key};IngestionEndpoint=http://127.0.0.1:${port}/`,
  }
}

test('without keys no byte of reporting or counting is loaded', async () => {
  const portal = await aPortal()
  const { page, asked, signIn } = await somebodyAt(portal)
  await signIn()
  await throwIn(page, 'Nobody is told')
  await page.waitForTimeout(1_500)
  expect(asked.some((url) => url.includes('/assets/'))).toBe(true)
  expect(asked.filter(isReporting)).toEqual([])
  expect(asked.filter((url) => new URL(url).origin !== new URL(portal.url).origin)).toEqual([])
  expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false)
})

test('with a connection string an error and a failed call are reported, without names', async () => {
  const { telemetry, headers, connectionString } = await anEndpoint()
  const portal = await aPortal({ INSTRUMENTATION_KEY: connectionString })
  const { page, machine, person, asked, signIn } = await somebodyAt(portal)
  await signIn()
  const stranger = '0190f000-0000-7000-8000-000000000001'
  await page.goto(`/devices/${stranger}`)
  await page.getByText('Machine not found.').or(page.getByRole('alert')).first().waitFor()
  await throwIn(page, `Broken for ${person.email} at ${machine.id}`)
  const exceptions = () => telemetry.filter(({ data }) => data.baseType === 'ExceptionData')
  const calls = () => telemetry.filter(({ data }) => data.baseType === 'EventData')
  await expect.poll(() => exceptions().length, { timeout: 30_000 }).toBeGreaterThan(0)
  await expect.poll(() => calls().length, { timeout: 30_000 }).toBeGreaterThan(0)

  expect(exceptions()[0]?.data.baseData).toMatchObject({
    exceptions: [{ message: 'Broken for <address> at <id>' }],
    properties: { page: '/devices/$posId/' },
  })
  expect(calls().map(({ data }) => data.baseData.properties)).toContainEqual(
    expect.objectContaining({
      code: 'MachineNotFound',
      method: 'GET',
      path: '/merchants/{merchantId}/pos/{posId}',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }),
  )
  const all = JSON.stringify(telemetry)
  for (const secret of [person.email, person.id, machine.id, stranger, machine.merchantId])
    expect(all).not.toContain(secret)
  for (const { tags } of telemetry)
    expect(Object.keys(tags).filter((tag) => /user|session|device|location/.test(tag))).toEqual([])
  expect(
    headers.every(({ cookie, authorization, referer }) => !cookie && !authorization && !referer?.includes(stranger)),
  ).toBe(true)
  expect((await page.context().cookies()).filter(({ name }) => name.startsWith('ai_'))).toEqual([])
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  expect(kept.filter((name) => !/^(gettone|oidc|tsr-scroll)/.test(name))).toEqual([])
  // The rule that refuses other requests allows this one.
  const origins = asked.map((url) => new URL(url).origin).filter((origin) => origin !== new URL(portal.url).origin)
  expect([...new Set(origins)]).toEqual([new URL(connectionString.split('=')[2] as string).origin])
})

test('with a Google tag its script is loaded, and receives pages without ids', async () => {
  const portal = await aPortal({ ANALYTICS_CODE: 'G-TEST1234' })
  const { page, machine, asked, signIn } = await somebodyAt(portal)
  await signIn()
  await expect.poll(() => asked.filter(isReporting)).toContain('https://www.googletagmanager.com/gtag/js?id=G-TEST1234')
  await page.getByText(machine.name).first().click()
  await page.waitForURL((url) => url.search.includes(machine.id))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.endsWith(machine.id))
  const layer = () =>
    page.evaluate(() =>
      JSON.stringify((window as { dataLayer?: ArrayLike<unknown>[] }).dataLayer?.map((one) => Array.from(one))),
    )
  await expect.poll(layer).toContain('/devices/$posId')
  const said = (await layer()) ?? ''
  expect(said).toContain('"analytics_storage":"denied"')
  expect(said).not.toContain(machine.id)
  expect(said).not.toContain('merchant=')
})
