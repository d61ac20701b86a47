import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aFreePort } from '#testkit/browser/portal.ts'
import { aDatabase } from '#testkit/database.ts'
import { createApp } from '../http/server.ts'
import { registerHealth, registerMetrics } from './health.ts'

const nothing = async () => []

test('live while the process runs; ready while the database answers and the server is not stopping', async () => {
  const database = await aDatabase()
  let isDraining = false
  const app = createApp(pino({ level: 'silent' }))
  registerHealth(app, { doors: database, isDraining: () => isDraining, unwritable: nothing })
  const status = async (path: string) => (await app.inject(path)).statusCode
  expect([await status('/health/live'), await status('/health/ready')]).toEqual([200, 200])
  isDraining = true
  expect([await status('/health/live'), await status('/health/ready')]).toEqual([200, 503])
  isDraining = false
  const broken = createApp(pino({ level: 'silent' }))
  const refuse = async () => {
    throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
  }
  registerHealth(broken, {
    doors: { withSystem: refuse, withTenant: refuse },
    isDraining: () => false,
    unwritable: nothing,
  })
  expect((await broken.inject('/health/ready')).json()).toMatchObject({ status: 503, code: 'ServiceUnavailable' })
})

/** An app with these metrics settings; returns the status and text of its `/metrics`. */
async function metricsOf(settings: Partial<Parameters<typeof registerMetrics>[1]>) {
  const app = createApp(pino({ level: 'silent' }))
  onTestFinished(() => app.close())
  await registerMetrics(app, { production: true, METRICS_HOST: '127.0.0.1', ...settings })
  const ask = async (authorization?: string) => {
    const headers = authorization ? { authorization } : {}
    return (await app.inject({ url: '/metrics', headers })).statusCode
  }
  return { app, ask }
}

test('metrics count answers by route, never by the requested address', async () => {
  const { app } = await metricsOf({ production: false })
  registerHealth(app, { doors: await aDatabase(), isDraining: () => false, unwritable: nothing })
  await app.inject('/health/live')
  await app.inject('/some/secret/path')
  const { payload } = await app.inject('/metrics')
  expect(payload).toContain('gettone_http_seconds_count{method="GET",route="/health/live",status="200"}')
  expect(payload).not.toContain('secret')
})

test('in production the metrics need a token or a separate port', async () => {
  expect(await (await metricsOf({})).ask()).toBe(404)
  const token = 'q3Jx0v7mZpL2bT9w'
  const { ask } = await metricsOf({ METRICS_TOKEN: token })
  expect([await ask(), await ask('Bearer wrong'), await ask(`Bearer ${token}`)]).toEqual([401, 401, 200])

  const port = await aFreePort()
  const separate = await metricsOf({ METRICS_PORT: port })
  expect(await separate.ask()).toBe(404)
  const metricsUrl = `http://127.0.0.1:${port}/metrics`
  expect((await fetch(metricsUrl)).status).toBe(200)
  await separate.app.close()
  await expect(fetch(metricsUrl)).rejects.toThrow()

  const both = await metricsOf({ METRICS_PORT: port, METRICS_TOKEN: token })
  expect((await fetch(metricsUrl)).status).toBe(401)
  await both.app.close()
})
