import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AssociationAnswer, DeviceAnswer } from '#contract/device-protocol.ts'
import { createPins, type Pins } from '#server/gateway/pins.ts'
import { aDatabase, openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, aGateway, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

const at = '2026-11-21T08:00:00'
const sales = (...seqs: number[]) => ({
  id: randomUUID(),
  at,
  epoch: 1,
  items: seqs.map((seq) => ({ seq, at, type: 1, value: 100 })),
})
/** A report with a correct CRC over the bytes from ST through the line before G85. */
const report = [
  'DXS*GET0000001*VA*V0/6*1',
  'ST*001*0001',
  'ID1*SN1*MODEL',
  'ID4*2*978*EUR',
  'ID5*20261121*0800',
  'VA1*12345*67',
  'G85*0000',
  'SE*7*0001',
  'DXE*1*1',
]
  .map((line) => `${line}\r\n`)
  .join('')

let database: TestDatabase
let server: TestGateway
let pins: Pins
beforeAll(async () => {
  database = await openTestDatabase()
  server = await openGateway(database)
  pins = createPins(server.config.secretKey)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

async function aFleet() {
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const pin = await pins.givePin(database, merchant.id)
  return { merchant, machine, pin }
}

const newSerial = () => `NEW-${randomBytes(5).toString('hex')}`

type Answer<T> = { status: number; body: T; type: string | null; authenticate: string | null }
async function post<T = DeviceAnswer>(
  server: TestGateway,
  path: string,
  body: string | Uint8Array | object,
  options: { machine?: Pick<TestMachine, 'serial' | 'secret'>; type?: string; from?: string } = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = { 'content-type': options.type ?? 'application/json' }
  const { machine } = options
  if (machine) headers.authorization = `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`
  if (options.from) headers['x-forwarded-for'] = options.from
  const payload = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const response = await fetch(`${server.httpUrl}/device/v1/${path}`, {
    method: 'POST',
    headers,
    body: payload as BodyInit,
  })
  return {
    status: response.status,
    body: (await response.json()) as T,
    type: response.headers.get('content-type'),
    authenticate: response.headers.get('www-authenticate'),
  }
}

describe('over HTTP', () => {
  test('the same payloads are stored with the same answer as over MQTT', async () => {
    const { machine } = await aFleet()
    const first = await post(server, `${machine.serial}/sale`, sales(1, 3), { machine })
    expect(first).toMatchObject({
      status: 200,
      body: { ack: { epoch: 1, committed: 1, missing: [[2, 2]] }, commands: [] },
    })
    const again = await post(server, `${machine.serial}/sale`, sales(1, 2, 3), { machine })
    expect(again.body).toMatchObject({ ack: { epoch: 1, committed: 3, missing: [] }, commands: [] })
    expect(await database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toHaveLength(3)
    const state = await post(server, `${machine.serial}/state`, { id: randomUUID(), online: true }, { machine })
    expect(state.body.ack.committed).toBe(3)
  })

  test('a stranger and another machine get the same refusal', async () => {
    const { merchant, machine } = await aFleet()
    const other = await aMachine(database, merchant.id)
    for (const who of [undefined, { ...machine, secret: 'wrong' }, other, { serial: 'NOBODY', secret: 'x' }]) {
      const answer = await post(server, `${machine.serial}/sale`, sales(1), who ? { machine: who } : {})
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 'Unauthorized' },
        type: 'application/problem+json; charset=utf-8',
      })
      expect(answer.authenticate).toMatch('Basic')
    }
    expect(await database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toEqual([])
  })

  test('an item with a very deeply nested unknown field is stored like its neighbors', async () => {
    const { machine } = await aFleet()
    const deep = `{"seq":2,"at":"${at}","type":1,"value":1,"x":${'['.repeat(60_000)}${']'.repeat(60_000)}}`
    const body = JSON.stringify(sales(1, 3)).replace('},{', `},${deep},{`)
    expect(await post(server, `${machine.serial}/sale`, body, { machine })).toMatchObject({
      status: 200,
      body: { ack: { committed: 3, missing: [] } },
    })
    expect(await database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toHaveLength(3)
  })

  test('a bad payload is refused with its reason and set aside', async () => {
    const { machine } = await aFleet()
    const answer = await post(server, `${machine.serial}/sale`, '{"id": 1}', { machine })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'ValidationFailed', errors: [{ message: expect.any(String) }] },
    })
    expect(
      await database.admin('select kind, transport from dead_letters where serial = $1', [machine.serial]),
    ).toEqual([{ kind: 'sale', transport: 'http' }])
    expect(await post(server, `${machine.serial}/nonsense`, '{}', { machine })).toMatchObject({ status: 404 })
    expect(await post(server, `${machine.serial}/sale`, 'x'.repeat(300_000), { machine })).toMatchObject({
      status: 413,
      body: { code: 'PayloadTooLarge' },
    })
  })
})

describe('an audit', () => {
  const auditsOf = (machine: TestMachine) =>
    database.admin<{
      crc: string
      size: number
      raw: Buffer
      sales_total: string | null
      port: string
      origin: number
      read_at: Date
      machine_time: string | null
    }>('select * from audits where machine_id = $1 order by id', [machine.id])

  /** The remarks of each audit, except those about its envelope and checksum. */
  const remarksOf = async (machine: TestMachine) => {
    const rows = await database.admin<{ codes: string[] }>(
      `select array(select w->>'code' from jsonb_array_elements(content->'warnings') w
         where w->>'code' in ('serialDiffers', 'currencyDiffers', 'pricesOutOfScale')) as codes
       from audits where machine_id = $1 order by id`,
      [machine.id],
    )
    return rows.map(({ codes }) => codes)
  }

  test.each([['application/octet-stream'], ['text/plain'], ['application/x-dts'], ['application/json']])(
    'is kept byte by byte and read, posted as %s',
    async (type) => {
      const { machine } = await aFleet()
      const answer = await post(server, `${machine.serial}/audit`, report, { machine, type })
      expect(answer).toMatchObject({ status: 200, body: { ack: { committed: 0 } } })
      const [audit] = await auditsOf(machine)
      expect(audit).toMatchObject({ sales_total: '12345', vends_total: '67', crc: 'fails', port: 'http', origin: 5 })
      expect(audit?.raw.toString()).toBe(report)
    },
  )

  test('an audit sent twice, over HTTP or MQTT, is stored once', async () => {
    const { machine } = await aFleet()
    await post(server, `${machine.serial}/audit`, report, { machine })
    await post(server, `${machine.serial}/audit`, report, { machine })
    const connection = await aConnection(server, machine)
    await connection.send('audit', report)
    const envelope = {
      id: randomUUID(),
      at,
      epoch: 1,
      seq: 1,
      origin: 2,
      port: 'dex',
      data: Buffer.from(report).toString('base64'),
    }
    await connection.send('audit', envelope)
    expect(await connection.next('ack')).toMatchObject({ epoch: 1 })
    expect(await auditsOf(machine)).toHaveLength(1)
  })

  test('in an envelope has its origin, its port and its number', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const data = Buffer.from(report).toString('base64')
    await connection.send('audit', { id: randomUUID(), at, epoch: 1, seq: 1, origin: 2, port: 'dex', data })
    expect(await connection.next('ack')).toMatchObject({ epoch: 1, committed: 1, missing: [] })
    expect(await auditsOf(machine)).toMatchObject([{ origin: 2, port: 'dex', machine_time: '2026-11-21T08:00:00' }])
  })

  test('that was delayed has the reading time of its envelope, whatever the clock in the file shows', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const data = Buffer.from(report.replace('20261121', '19990101')).toString('base64')
    await connection.send('audit', { id: randomUUID(), at, readAt: '2026-11-21T06:00:00', epoch: 1, seq: 1, data })
    const [audit] = await auditsOf(machine)
    expect(Math.abs(Date.now() - 7_200_000 - Number(audit?.read_at))).toBeLessThan(5000)
    expect(audit?.machine_time).toBe('1999-01-01T08:00:00')
  })

  test('in a modem’s envelope is stored as the file inside, over HTTP and MQTT; another serial gives a remark', async () => {
    const { machine } = await aFleet()
    // The Swedish locale writes dates in ISO 8601.
    const twoHoursAgo = new Date(Date.now() - 7_200_000).toLocaleString('sv-SE', { timeZone: 'Europe/Rome' })
    const modem = { HWSerial: machine.serial, MachineDate: twoHoursAgo, Origin: 1, DexData: report }
    expect(await post(server, `${machine.serial}/audit`, JSON.stringify(modem), { machine })).toMatchObject({
      status: 200,
    })
    const connection = await aConnection(server, machine)
    const other = report.replace('VA1*12345', 'VA1*12445')
    await connection.send('audit', { ...modem, HWSerial: 'HW-77', DexData: Buffer.from(other).toString('base64') })
    const stored = await auditsOf(machine)
    expect(stored.map(({ raw }) => raw.toString())).toEqual([report, other])
    expect(stored).toMatchObject([
      { origin: 1, port: 'http', sales_total: '12345' },
      { origin: 1, port: 'mqtt', sales_total: '12445' },
    ])
    for (const { read_at } of stored) expect(Math.abs(Date.now() - 7_200_000 - Number(read_at))).toBeLessThan(10_000)
    expect(await remarksOf(machine)).toEqual([[], ['serialDiffers']])
    // A truncated envelope is stored unchanged.
    const torn = JSON.stringify(modem).slice(0, -9)
    await post(server, `${machine.serial}/audit`, torn, { machine })
    expect((await auditsOf(machine)).at(-1)?.raw.toString()).toBe(torn)
  })

  test('in another currency has amounts in that currency; in an unknown currency, none', async () => {
    const { machine } = await aFleet()
    const inCurrency = (id4: string) => report.replace(/ID4[^\r]*/, id4)
    await post(server, `${machine.serial}/audit`, report, { machine })
    await post(server, `${machine.serial}/audit`, inCurrency('ID4*2*840*USD'), { machine })
    await post(server, `${machine.serial}/audit`, inCurrency('ID4*2*756*CHF'), { machine })
    expect(await auditsOf(machine)).toMatchObject([
      { currency: 'EUR', sales_total: '12345' },
      { currency: 'USD', sales_total: '12345' },
      { currency: 'XXX', sales_total: null, vends_total: '67' },
    ])
    expect((await remarksOf(machine))[1]).toEqual(['currencyDiffers'])
  })

  test('with amounts far from the machine’s earlier amounts gets a remark', async () => {
    const { machine } = await aFleet()
    await post(server, `${machine.serial}/audit`, report, { machine })
    await post(server, `${machine.serial}/audit`, report.replace('VA1*12345*67', 'VA1*128*69'), { machine })
    expect((await remarksOf(machine))[1]).toContain('pricesOutOfScale')
  })

  const noise: [string, Uint8Array][] = [
    ['truncated', Buffer.from(report.slice(0, 57))],
    ['all stars', Buffer.alloc(1024 * 1024, '*')],
    ['all zeros', Buffer.alloc(1024 * 1024)],
    ['random', randomBytes(1024 * 1024)],
    [
      'every byte, in a segment',
      Buffer.concat([
        Buffer.from('DXS*\r\nST*001\r\nID1*'),
        Buffer.from(Uint8Array.from({ length: 256 }, (_, n) => n)),
        Buffer.from('^00^*^0A^\r\n'),
      ]),
    ],
    ['a JSON that is no envelope', Buffer.from('{"data":"\\u0000"}')],
    ['empty', Buffer.alloc(0)],
    ['a line of EA2 a hundred thousand times', Buffer.from('EA2*EAD*1*2\r\n'.repeat(80_000))],
  ]
  test.each(noise)('of arbitrary bytes is stored: %s', async (_, bytes) => {
    const { machine } = await aFleet()
    const answer = await post(server, `${machine.serial}/audit`, bytes, { machine, type: 'application/octet-stream' })
    expect(answer.status).toBe(200)
    const [audit] = await auditsOf(machine)
    expect(audit?.size).toBe(bytes.length)
    expect(audit?.raw.equals(Buffer.from(bytes))).toBe(true)
  })

  test('above 1 MB is refused', async () => {
    const { machine } = await aFleet()
    const answer = await post(server, `${machine.serial}/audit`, Buffer.alloc(1024 * 1024 + 1), {
      machine,
      type: 'text/plain',
    })
    expect(answer).toMatchObject({ status: 413, body: { code: 'PayloadTooLarge' } })
    expect(await auditsOf(machine)).toEqual([])
  })
})

describe('association', () => {
  const request = (pin: string, more: object = {}) => ({ serial: newSerial(), deviceType: 'AZVT', pin, ...more })
  const associate = (server: TestGateway, body: object, from?: string) =>
    post<AssociationAnswer & { code: string }>(server, 'associate', body, from ? { from } : {})

  test('gives an unknown machine a working secret', async () => {
    const { merchant, pin } = await aFleet()
    const { status, body } = await associate(server, request(pin, { name: 'Atrium' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      serial: expect.stringMatching('^NEW-'),
      epoch: 1,
      mqtt: { port: server.gateway.mqttPort, tls: false },
    })
    const connection = await aConnection(server, body)
    await connection.send('sale', sales(1))
    expect(
      await database.admin('select name, device_type, merchant_id from machines where serial = $1', [body.serial]),
    ).toEqual([{ name: 'Atrium', device_type: 'AZVT', merchant_id: merchant.id }])
    expect(await database.admin('select action from change_log where merchant_id = $1', [merchant.id])).toEqual([
      { action: 'machine.associate' },
    ])
  })

  test('repeated with the current secret starts a new epoch with a new secret and revokes the old one', async () => {
    const { pin } = await aFleet()
    const order = request(pin)
    const first = await associate(server, order)
    const connection = await aConnection(server, first.body)
    await connection.send('sale', sales(1, 2))
    const second = await associate(server, { ...order, secret: first.body.secret })
    expect(second.body.epoch).toBe(2)
    await expect.poll(() => connection.client.connected).toBe(false)
    await expect(aConnection(server, first.body)).rejects.toThrow()
    const again = await aConnection(server, second.body)
    await again.send('sale', { ...sales(1), epoch: 2 })
    expect(await again.next('ack')).toMatchObject({ epoch: 2, committed: 1 })
  })

  test('with a wrong PIN, or of another merchant’s machine, gets the same refusal', async () => {
    const { pin } = await aFleet()
    const stranger = await aMerchant(database)
    const otherPin = await pins.givePin(database, stranger.id)
    const ours = request(pin)
    await associate(server, ours)
    const wrong = pin === '12345678' ? '12345679' : '12345678'
    for (const body of [request(wrong), { ...ours, pin: otherPin }])
      expect(await associate(server, body)).toMatchObject({ status: 403, body: { code: 'AssociationRefused' } })
  })

  test.each([
    ['a PIN of 7 digits', { pin: '1234567' }],
    ['a serial with a wildcard', { serial: 'A+B' }],
    ['a serial with a slash', { serial: 'A/B/C' }],
    ['no type', { deviceType: '' }],
    ['neither PIN nor secret', { pin: undefined }],
  ])('with %s is refused as invalid', async (_, more) => {
    expect(await associate(server, request('12345678', more))).toMatchObject({
      status: 400,
      body: { code: 'ValidationFailed' },
    })
  })

  test('with a name that the database cannot store is refused', async () => {
    const { pin } = await aFleet()
    const answer = await associate(server, request(pin, { name: 'a\0b' }))
    expect(answer).toMatchObject({ status: 400, body: { code: 'ValidationFailed' } })
  })

  test('limits PIN guessing, but not the merchant’s own technician', async () => {
    const database = await aDatabase()
    const merchant = await aMerchant(database)
    const server = await aGateway(database, { TRUST_PROXY: 'true' })
    const app = server.app
    const pin = await createPins(server.config.secretKey).givePin(database, merchant.id)
    const from = async (address: string, body: object) =>
      (await app.inject({ method: 'POST', url: '/device/v1/associate', payload: body, remoteAddress: address }))
        .statusCode
    const bySerial = await Promise.all(
      Array.from({ length: 12 }, (_, n) => from(`10.0.0.${n}`, request(`0000000${n % 10}`, { serial: 'TARGET-1' }))),
    )
    expect(bySerial.filter((status) => status === 403).length).toBeLessThanOrEqual(5)
    expect(bySerial.filter((status) => status === 429).length).toBeGreaterThanOrEqual(7)
    const byAddress = await Promise.all(
      Array.from({ length: 40 }, (_, n) => from('10.1.1.1', request(`000000${10 + n}`))),
    )
    expect(byAddress.filter((status) => status === 403).length).toBeLessThanOrEqual(20)
    expect(await from('10.1.1.1', request(pin))).toBe(429)
    expect(await from('192.168.7.7', request(pin))).toBe(200)
  })

  test('a merchant can read its PIN, and no two merchants share one', async () => {
    const { merchant, pin } = await aFleet()
    const other = await aMerchant(database)
    expect(await pins.setPin(database, other.id, pin)).toBe(false)
    expect(await pins.setPin(database, other.id, '00000042')).toBe(true)
    const read = (id: string) => database.withTenant(wholeMerchant(id), (db) => pins.pinOf(db, id))
    expect([await read(merchant.id), await read(other.id)]).toEqual([pin, '00000042'])
  })
})
