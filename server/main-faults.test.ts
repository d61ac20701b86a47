import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFreePort } from '#testkit/browser/portal.ts'
import { aFolder, run } from '#testkit/program.ts'
import { removeEmbeddedPostgres } from './postgres/embedded.ts'

test('a data folder that is a file, and an unreachable database, are reported in one sentence', async () => {
  const file = join(await aFolder(), 'data')
  await writeFile(file, 'not a folder')
  const broken = await run({ DATA_DIR: file })
  expect([broken.code, broken.sentences.length]).toEqual([1, 1])
  expect(broken.output).toContain(file)
  const port = await aFreePort()
  const absent = await run({ DATA_DIR: await aFolder(), DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` })
  expect([absent.code, absent.sentences]).toEqual([1, [expect.stringContaining('DATABASE_URL cannot be reached')]])
})

test('a port in use is reported in one sentence with its number, for HTTP and MQTT', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  const { port } = occupant.address() as { port: number }
  const data = await aFolder()
  onTestFinished(async () => {
    occupant.close()
    await removeEmbeddedPostgres(join(data, 'postgres'))
  })
  const free = String(await aFreePort())
  const environment = { DATA_DIR: data, LOG_LEVEL: 'warn' }
  for (const ports of [
    { PORT: String(port), MQTT_PORT: free },
    { PORT: free, MQTT_PORT: String(port) },
  ]) {
    const { code, sentences } = await run({ ...environment, ...ports }, ['--role', 'gateway'])
    expect([code, sentences]).toEqual([1, [expect.stringContaining(`Port ${port} is in use`)]])
  }
}, 60_000)

test('with HTTPS it serves a self-signed certificate, and sign-in works', async () => {
  const data = await aFolder()
  onTestFinished(() => removeEmbeddedPostgres(join(data, 'postgres')))
  const port = await aFreePort()
  const environment = { DATA_DIR: data, HTTPS: 'true', PORT: String(port), MQTT_PORT: String(await aFreePort()) }
  const answers = { ready: 0, authority: '' }
  const { code } = await run(environment, ['--role', 'api'], async () => {
    answers.ready = (await secureGet(port, '/health/ready')).status
    answers.authority = JSON.parse((await secureGet(port, '/api/v1/spa-configuration')).text).loginAuthority
  })
  expect(code).toBe(0)
  expect(answers).toEqual({ ready: 200, authority: `https://localhost:${port}/identity` })
}, 60_000)

/** Requests over TLS, accepting any certificate. */
function secureGet(port: number, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    get({ host: 'localhost', port, path, rejectUnauthorized: false }, (answer) => {
      let text = ''
      answer.on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    }).on('error', reject)
  })
}
