import { pino } from 'pino'
import { expect, test } from 'vitest'
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
