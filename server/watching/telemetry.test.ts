import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DownCommand } from '#contract/device-protocol.ts'
import { readConfig } from '#server/config.ts'
import { runLane } from '#server/webhooks/lane.ts'
import { startJobs } from '#server/worker/jobs.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { aWebhook, testVault } from '#testkit/nouns/webhooks.ts'
import { aCollector, type CollectedSpan, factOf } from '#testkit/servers/collector.ts'
import { aReceiver } from '#testkit/servers/receiver.ts'
import { openTelemetry } from './open-telemetry.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const settingsOf = (environment: Record<string, string>) =>
  readConfig(environment, { production: false, keptSecret: 'a key of the tests alone' })

/** A collector, and this process traced to it. `collected` stops the trace and says what arrived. */
async function aTrace(environment: Record<string, string> = {}) {
  const collector = await aCollector()
  const warnings: string[] = []
  const telemetry = await openTelemetry(
    settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...environment }),
    { warn: (_, text) => warnings.push(text) },
  )
  onTestFinished(async () => telemetry?.stop())
  const collected = async () => {
    await telemetry?.stop()
    return collector.spans()
  }
  return { collector, collected, warnings }
}

async function aShop() {
  const { id: merchantId } = await aMerchant(api.database)
  const machine = await aMachine(api.database, merchantId, { name: 'Lobby of Anna' })
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { merchantId, machine, admin, params: { merchantId } }
}

/** Whether a span was caused by another, directly or through others. */
function isWithin(span: CollectedSpan, cause: CollectedSpan, all: readonly CollectedSpan[]): boolean {
  if (span.parentSpanId === cause.spanId) return true
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId)
  return parent !== undefined && isWithin(parent, cause, all)
}

const named = (spans: readonly CollectedSpan[], name: string | RegExp) =>
  spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)))

test('a request, its statements, the message to the machine and the job that it queues are one trace', async () => {
  const { merchantId, machine, admin, params } = await aShop()
  const { collector, collected } = await aTrace()
  const gateway = await aGateway(api.database)
  const connection = await aConnection(gateway, machine)
  const ran = Promise.withResolvers<void>()
  const jobs = await startJobs(api.database.adminUrl, pino({ level: 'silent' }), [
    {
      tasks: {
        writeExport: async () => {
          await api.database.withTenant([{ merchantId, groups: 'all' }], (db) =>
            db.from('machines').select('id').execute(),
          )
          ran.resolve()
        },
      },
    },
  ])
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= jobs.stop())
  onTestFinished(stop)

  const [sending, exporting] = [randomUUID(), randomUUID()]
  const sent = await api.send(
    'sendRemoteCommand',
    {
      params,
      body: { machines: { ids: [machine.id] }, order: { type: 1 } },
      headers: { 'x-request-id': sending },
    },
    admin,
  )
  expect(sent.statusCode).toBe(201)
  await connection.next<DownCommand>('command')
  const exported = await api.send(
    'createExport',
    {
      params,
      body: { list: 'machines', format: 'csv', columns: ['name'], language: 'en', filter: { search: 'Lobby of Anna' } },
      headers: { 'x-request-id': exporting },
    },
    admin,
  )
  expect(exported.statusCode, exported.body).toBe(201)
  await ran.promise
  await stop()

  const spans = await collected()
  for (const [id, route] of [
    [sending, 'POST /api/v1/merchants/:merchantId/remote-commands'],
    [exporting, 'POST /api/v1/merchants/:merchantId/exports'],
  ] as const) {
    const [request] = named(spans, route)
    expect(request).toMatchObject({ traceId: id.replaceAll('-', '') })
    expect(request && factOf(request, 'gettone.request_id')).toBe(id)
    expect(request && factOf(request, 'http.response.status_code')).toBe(201)
  }
  const of = (id: string) => spans.filter(({ traceId }) => traceId === id.replaceAll('-', ''))
  const [request] = named(of(sending), /^POST/) as [CollectedSpan]
  const [insert] = named(of(sending), 'insert remote_commands') as [CollectedSpan]
  const [publication] = named(of(sending), 'publish command') as [CollectedSpan]
  expect([insert, publication].map((span) => isWithin(span, request, spans))).toEqual([true, true])
  const [order] = named(of(exporting), /^POST/) as [CollectedSpan]
  const [job] = named(of(exporting), 'job writeExport') as [CollectedSpan]
  expect(isWithin(job, order, spans)).toBe(true)
  const ofJob = named(of(exporting), 'select machines').filter((span) => isWithin(span, job, spans))
  expect(ofJob.length).toBeGreaterThan(0)

  // No value of a statement, no name, no mail address.
  for (const value of ['Lobby of Anna', admin.email, merchantId, machine.id])
    expect(collector.text()).not.toContain(value)
  expect(collector.metrics()).toMatchObject({
    gettone_commands_total: { sum: { isMonotonic: true } },
    gettone_mqtt_connections: { gauge: {} },
    gettone_ingest_batch_items: { histogram: { dataPoints: expect.any(Array) } },
  })
})

test('a message of a machine is a trace with the statements that store it', async () => {
  const { machine } = await aShop()
  const { collected } = await aTrace()
  const gateway = await aGateway(api.database)
  const connection = await aConnection(gateway, machine)
  const at = '2026-11-21T08:00:00'
  await connection.send('event', { id: randomUUID(), at, epoch: 1, items: [{ seq: 1, at, code: 'D1', kind: 'door' }] })
  const spans = await collected()
  const [reception] = named(spans, 'receive event') as [CollectedSpan]
  expect(factOf(reception, 'gettone.serial')).toBe(machine.serial)
  const [batch] = named(spans, 'store batch') as [CollectedSpan]
  const [begin] = named(spans, 'begin').filter((span) => isWithin(span, batch, spans))
  expect(batch.parentSpanId).toBe(reception.spanId)
  expect(begin).toMatchObject({ traceId: reception.traceId })
})

test('the trace of a caller continues, to a webhook too', async () => {
  const { merchantId, params, admin } = await aShop()
  const receiver = await aReceiver()
  const webhook = await aWebhook(api.database, merchantId, { url: receiver.url, events: ['machine.online'] })
  const { collected } = await aTrace()
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const read = await api.send(
    'listWebhooks',
    { params, headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } },
    admin,
  )
  expect(read.statusCode).toBe(200)
  const tested = await api.send(
    'testWebhook',
    {
      params: { ...params, webhookId: webhook.id },
      body: {},
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    },
    admin,
  )
  expect(tested.statusCode, tested.body).toBeLessThan(300)
  const deps = {
    doors: api.database,
    vault: testVault,
    live: { announce: () => undefined },
    config: { production: false },
  }
  await runLane(deps, webhook, new AbortController().signal)
  const spans = (await collected()).filter(({ traceId }) => traceId === trace)
  expect(named(spans, /^GET/)[0]).toMatchObject({ parentSpanId: '00f067aa0ba902b7' })
  const [sending] = named(spans, /^send /) as [CollectedSpan]
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${trace}-${sending.spanId}-01`)
})

test.each(['', '00-zz-00-01', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x'.repeat(10_000)])(
  'a trace of a wrong form (%#) is left alone',
  async (traceparent) => {
    const { params, admin } = await aShop()
    const { collected } = await aTrace()
    const id = randomUUID()
    await api.send('listWebhooks', { params, headers: { traceparent, 'x-request-id': id } }, admin)
    const [request] = named(await collected(), /^GET/)
    expect(request).toMatchObject({ traceId: id.replaceAll('-', '') })
    expect(request?.parentSpanId).toBeFalsy()
  },
)

test('a caller cannot make us keep more traces than the share', async () => {
  const { params, admin } = await aShop()
  const { collected } = await aTrace({ OTEL_TRACES_SAMPLER_ARG: '0' })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await api.send('listWebhooks', { params, headers: { traceparent } }, admin)
  expect(await collected()).toEqual([])
})

test('a collector that refuses is named in the log once, and nothing waits for it', async () => {
  const { params, admin } = await aShop()
  const { collector, collected, warnings } = await aTrace()
  collector.refuse()
  for (let one = 0; one < 3; one++) expect((await api.send('listWebhooks', { params }, admin)).statusCode).toBe(200)
  await collected()
  expect(warnings).toEqual(['The collector does not take traces and metrics'])
})

test('a failed statement names its kind, and no value', async () => {
  const { collector, collected } = await aTrace()
  const { traced } = await import('#database/frame/watching/cause.ts')
  const failing = traced({ name: 'work', kind: 'internal', parent: null }, () =>
    api.database.withSystem('health', (db) => sql`select ${'Anna'}::uuid`.execute(db)),
  )
  await expect(failing).rejects.toThrow()
  const spans = await collected()
  const [statement] = named(spans, 'select') as [CollectedSpan]
  expect([factOf(statement, 'error.type'), statement.status]).toEqual(['22P02', { code: 2 }])
  expect(collector.text()).not.toContain('Anna')
})

test('without a collector nothing of OpenTelemetry is loaded', () => {
  const program = `
    await import('./server/start.ts')
    const { readConfig } = await import('./server/config.ts')
    const { openTelemetry } = await import('./server/watching/open-telemetry.ts')
    const { default: modules } = await import('node:module')
    for (const environment of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }]) {
      await openTelemetry(readConfig(environment, { production: false, keptSecret: 'a key' }), { warn() {} })
      console.log(Object.keys(modules._cache).filter((name) => name.includes('@opentelemetry')).join(' '))
    }
    process.exit(0)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  const packages = stdout
    .trim()
    .split('\n')
    .map((line) => [...new Set([...line.matchAll(/@opentelemetry[\\/]([\w-]+)/g)].map(([, name]) => name))])
  // prom-client loads the interface, which is empty without a provider.
  expect(packages, stderr).toEqual([['api'], expect.arrayContaining(['exporter-trace-otlp-http', 'sdk-trace'])])
})
