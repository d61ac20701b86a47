import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFreePort } from '#testkit/browser/portal.ts'
import { aFolder, run } from '#testkit/program.ts'
import { removeEmbeddedPostgres } from './postgres/embedded.ts'

test('an unknown role is reported in one sentence', async () => {
  const { code, sentences } = await run({ DATA_DIR: await aFolder() }, ['--role', 'barista'])
  expect([code, sentences]).toEqual([1, ['Unknown role "barista". Use --role with api, gateway, worker.']])
})

test('mistakes in the environment are reported in one sentence each, before anything changes', async () => {
  const { code, sentences } = await run({ DATA_DIR: await aFolder(), PORT: '99999999', MQTT_URL: 'there' })
  expect(code).toBe(1)
  expect(sentences[0]).toMatch(/^PORT: /)
})

test('production without secrets does not start', async () => {
  const { code, output } = await run({ DATA_DIR: await aFolder(), NODE_ENV: 'production' })
  expect(code).toBe(1)
  expect(output).toContain('SECRET_KEY must be set in production')
})

test('it starts, reports that it is ready, and stops on request', async () => {
  const data = await aFolder()
  onTestFinished(() => removeEmbeddedPostgres(join(data, 'postgres')))
  const ports = { PORT: String(await aFreePort()), MQTT_PORT: String(await aFreePort()) }
  const { code, output } = await run({ DATA_DIR: data, ...ports }, ['--role', 'gateway,worker'])
  expect(code).toBe(0)
  expect(output).toContain('"msg":"ready"')
}, 60_000)
