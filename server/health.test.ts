import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { createApp } from './api/server.ts'
import { registerHealth } from './health.ts'

test('live while the process runs, ready while the database answers and nothing drains', async () => {
  const database = await aDatabase()
  let isDraining = false
  const app = createApp(pino({ level: 'silent' }))
  registerHealth(app, database, () => isDraining)
  const status = async (path: string) => (await app.inject(path)).statusCode
  expect([await status('/health/live'), await status('/health/ready')]).toEqual([200, 200])
  isDraining = true
  expect([await status('/health/live'), await status('/health/ready')]).toEqual([200, 503])
  isDraining = false
  const broken = createApp(pino({ level: 'silent' }))
  const refuse = async () => {
    throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
  }
  registerHealth(broken, { withSystem: refuse, withTenant: refuse }, () => false)
  expect((await broken.inject('/health/ready')).json()).toMatchObject({ status: 503, code: 'ServiceUnavailable' })
})

test('metrics count answers by route, never by the address asked for', async () => {
  const app = createApp(pino({ level: 'silent' }))
  registerHealth(app, await aDatabase(), () => false)
  await app.inject('/health/live')
  await app.inject('/some/secret/path')
  const { payload } = await app.inject('/metrics')
  expect(payload).toContain('gettone_http_seconds_count{method="GET",route="/health/live",status="200"}')
  expect(payload).not.toContain('secret')
})
