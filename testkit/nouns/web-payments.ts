import { randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newReference, sealSecrets } from '#server/payments/account.ts'
import { createVault } from '#server/secrets/vault.ts'
import type { TestDatabase } from '../database.ts'
import { testSecretKey } from '../fixtures.ts'

type Columns = Record<string, unknown>

async function insert(database: Pick<TestDatabase, 'admin'>, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns)
  const places = names.map((_, at) => `$${at + 1}`)
  await database.admin(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(columns),
  )
}

/** A payment service: a payment gateway where nothing listens. */
export async function aPaymentService(database: Pick<TestDatabase, 'admin'>, with_: Columns = {}): Promise<string> {
  const id = randomUUIDv7()
  const base = { id, name: `Service ${id}`, url: 'http://127.0.0.1:9', type: 4, created_at: new Date() }
  await insert(database, 'web_payment_services', { ...base, ...with_ })
  return id
}

/** A merchant's account with a service. */
export async function aPaymentConfig(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  serviceId: string,
  {
    credentials = { accountId: 'shop' },
    secrets = { signingKey: 'a signing key' },
    ...with_
  }: Columns & { credentials?: Record<string, string>; secrets?: Record<string, string> } = {},
): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'web_payment_configs', {
    merchant_id: merchantId,
    id,
    service_id: serviceId,
    is_active: true,
    credentials,
    secrets: Object.keys(secrets),
    sealed: sealSecrets(createVault(testSecretKey), secrets),
    set_at: new Date(),
    set_by: randomUUIDv7(),
    set_by_name: 'Anna',
    ...with_,
  })
  return id
}

/** An order that waits: a payment of 5.00 euro. */
export async function aPaymentOrder(
  database: Pick<TestDatabase, 'admin'>,
  { merchantId, configId, serviceId }: { merchantId: string; configId: string; serviceId: string },
  with_: Columns = {},
): Promise<string> {
  const id = randomUUIDv7()
  await insert(database, 'web_payment_orders', {
    merchant_id: merchantId,
    id,
    reference: newReference(),
    config_id: configId,
    service_id: serviceId,
    service_name: 'A service',
    service_type: 4,
    kind: 'payment',
    amount: 500,
    currency: 'EUR',
    description: 'A coffee',
    created_at: new Date(),
    expires_at: new Date(Date.now() + 86_400_000),
    ...with_,
  })
  return id
}

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A provider on this machine: answers each call with JSON, and keeps what it saw. A thrown status is answered. */
export async function aProvider(answer: (request: SeenRequest) => unknown) {
  const requests: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
    }
    requests.push(one)
    const status = (code: number) => response.writeHead(code, { 'content-type': 'application/json' })
    try {
      const reply = await answer(one)
      status(200).end(JSON.stringify(reply))
    } catch (error) {
      if (typeof error !== 'number') console.error(error)
      status(typeof error === 'number' ? error : 500).end('{}')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type TestProvider = Awaited<ReturnType<typeof aProvider>>
