import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import { createApp } from './server.ts'

test('behind a proxy a caller’s address is the proxy’s, never the caller’s own header', async () => {
  for (const [trustProxy, clientAddress] of [
    [true, '198.51.100.7'],
    [false, '10.0.0.1'],
  ] as const) {
    const app = createApp(pino({ level: 'silent' }), { trustProxy })
    app.get('/address', async (request) => request.ip)
    const headers = { 'x-forwarded-for': '203.0.113.66, 198.51.100.7' }
    expect((await app.inject({ url: '/address', remoteAddress: '10.0.0.1', headers })).body).toBe(clientAddress)
    await app.close()
  }
})

test('under HTTPS every answer sends HSTS, the identity provider’s too', async () => {
  for (const isAlwaysHttps of [true, false]) {
    const app = createApp(pino({ level: 'silent' }), { isAlwaysHttps })
    app.get('/answer', async () => ({}))
    app.get('/own', async (_request, reply) => {
      reply.hijack()
      reply.raw.end('own')
    })
    for (const url of ['/answer', '/own', '/nowhere'])
      expect((await app.inject(url)).headers['strict-transport-security']).toBe(
        isAlwaysHttps ? 'max-age=31536000' : undefined,
      )
    await app.close()
  }
})

test('every answer forbids sniffing its type and says who may frame it; data loads nothing', async () => {
  const app = createApp(pino({ level: 'silent' }))
  app.get('/data', async () => ({}))
  app.get('/text', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('text'))
  app.get('/file', async (_request, reply) => reply.type('application/pdf').send('%PDF-'))
  app.get('/page', async (_request, reply) =>
    reply.type('text/html').header('content-security-policy', "script-src 'self'; frame-ancestors 'none'").send('page'),
  )
  app.get('/own', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).end('own')
  })
  const policies: [url: string, policy: string | undefined][] = []
  for (const url of ['/data', '/text', '/file', '/page', '/nowhere', '/own']) {
    const { headers } = await app.inject(url)
    expect(headers['x-content-type-options'], url).toBe('nosniff')
    policies.push([url, headers['content-security-policy']?.toString()])
  }
  const nothing = expect.stringMatching(/^default-src 'none'; base-uri 'none'; .*frame-ancestors 'none'$/)
  expect(Object.fromEntries(policies)).toEqual({
    '/data': nothing,
    '/text': nothing,
    '/file': "frame-ancestors 'self'",
    '/page': "script-src 'self'; frame-ancestors 'none'",
    '/nowhere': nothing,
    '/own': undefined,
  })
  await app.close()
})

test('the log names the address of a refused call', async () => {
  const lines: string[] = []
  const app = createApp(pino({}, { write: (line: string) => lines.push(line) }))
  app.get('/refused', async () => {
    throw new ProductError('Forbidden')
  })
  await app.inject({ url: '/refused', remoteAddress: '203.0.113.9' })
  const refused = lines.map((line) => JSON.parse(line) as object).find((line) => 'code' in line)
  expect(refused).toMatchObject({ code: 'Forbidden', address: '203.0.113.9', msg: 'Request refused' })
  await app.close()
})

test('the log has neither the query of an address nor the secret of a mailed link', async () => {
  const lines: string[] = []
  const app = createApp(pino({}, { write: (line: string) => lines.push(line) }))
  app.get('/identity/reset/:token', async () => ({}))
  app.get('/machines/:id', async () => ({}))
  for (const url of ['/identity/reset/SECRET?language=it', '/machines/7?code=SECRET']) await app.inject(url)
  const urls = lines.map((line) => (JSON.parse(line) as { url: string }).url)
  expect(urls).toEqual(['/identity/reset/:token', '/machines/7'])
  expect(lines.join('')).not.toContain('SECRET')
  await app.close()
})

test('a failure of ours answers its request’s id alone, and its cause is in the log', async () => {
  const lines: string[] = []
  const app = createApp(pino({}, { write: (line: string) => lines.push(line) }))
  app.get('/broken', async () => {
    throw new Error('select secret from nowhere')
  })
  const { statusCode, headers, body } = await app.inject('/broken')
  expect(statusCode).toBe(500)
  expect(JSON.parse(body)).toEqual({
    type: 'urn:gettone:error:Internal',
    title: 'Internal',
    status: 500,
    code: 'Internal',
    requestId: headers['x-request-id'],
  })
  expect(lines.join('')).toContain('select secret from nowhere')
  await app.close()
})

test('a body that would change the prototype of objects is refused', async () => {
  const app = createApp(pino({ level: 'silent' }))
  app.post('/taken', async ({ body }) => body)
  for (const payload of ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}'])
    expect(
      (await app.inject({ method: 'POST', url: '/taken', payload, headers: { 'content-type': 'application/json' } }))
        .statusCode,
    ).toBe(400)
  await app.close()
})

test.each([
  ['a UUID', '01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['no header', undefined, false],
  ['another form', 'my-request', false],
  ['capital letters', '01890A5D-AC96-774B-BCCE-B302099A8057', false],
  ['a statement', "01890a5d-ac96-774b-bcce-b302099a805'; select 1", false],
  ['a line end', '01890a5d-ac96-774b-bcce-b302099a8057\t', false],
  ['a long one', 'a'.repeat(5_000), false],
])('a caller names its request by %s', async (_, sent, isTaken) => {
  const app = createApp(pino({ level: 'silent' }))
  app.get('/', async ({ id }) => id)
  const { headers, body } = await app.inject({ url: '/', headers: sent === undefined ? {} : { 'x-request-id': sent } })
  expect(headers['x-request-id']).toBe(body)
  expect(body).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(body === sent?.trim()).toBe(isTaken)
  await app.close()
})
