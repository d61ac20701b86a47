import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { signedText } from '#domain/updates/signed-text.ts'
import { driverName, packRelease } from './release-file.ts'
import { prepareUpdate } from './update.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const driver = driverName(process.platform, process.arch)

const aRelease = (version = '2.0.0.0') =>
  packRelease({
    version,
    node: 24,
    files: [
      { name: 'main.mjs', content: Buffer.from('program') },
      // It does not get smaller.
      { name: driver, content: randomBytes(200_000) },
    ],
  })

/** A portal that has one file. What it serves is changed by `answer`. */
async function aPortal(
  file: Uint8Array,
  answer?: (request: IncomingMessage, response: ServerResponse, rest: Uint8Array) => void,
) {
  const ranges: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const { range } = request.headers
    ranges.push(range)
    const rest = file.subarray(Number(/\d+/.exec(range ?? '')?.[0] ?? 0))
    if (answer) answer(request, response, rest)
    else response.writeHead(range === undefined ? 200 : 206).end(rest)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { portal: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges }
}

const window = { from: '2026-01-01T00:00:00', until: '2026-01-02T00:00:00' }

/** Command 11 for a file at a portal. */
function anOrder(
  portal: string,
  file: Uint8Array,
  { version = '2.0.0.0', peripheral = null as 'recycler' | null } = {},
) {
  const facts = { version, bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') }
  const kind = peripheral ? 'peripheralFirmware' : 'firmware'
  const text = Buffer.from(signedText({ kind, peripheral, ...facts }))
  return {
    version,
    window,
    file: {
      id: '0190a0a0-0000-7000-8000-000000000002',
      url: `${portal}/device/v1/A-1/files/0190a0a0-0000-7000-8000-000000000002`,
      bytes: facts.bytes,
      sha256: facts.sha256,
      signature: sign(null, text, privateKey).toString('base64'),
    },
  }
}

function preparing(portal: string, more: { running?: string; clock?: () => string } = {}) {
  const steps: string[] = []
  const prepare = (order: object) =>
    prepareUpdate(order, {
      access: { portal, serial: 'A-1', secret: 'secret' },
      running: '1.0.0.0',
      key: async () => pem,
      progress: (phase, percent) => void steps.push(percent === undefined ? phase : `${phase} ${percent}`),
      clock: () => '2026-01-01T12:00:00',
      idle: async () => {},
      signal: new AbortController().signal,
      step: 1,
      ...more,
    })
  return { steps, prepare }
}

test('a signed release is fetched, checked and taken, with its steps', async () => {
  const file = aRelease()
  const { portal, ranges } = await aPortal(file)
  const { steps, prepare } = preparing(portal)
  const release = await prepare({ ...anOrder(portal, file), later: 'fields of newer portals are ignored' })
  expect(release).toMatchObject({ version: '2.0.0.0', files: [{ name: 'main.mjs' }, { name: driver }] })
  expect(ranges).toEqual([undefined])
  expect(steps[0]).toBe('downloading 0')
  expect(steps.slice(-3)).toEqual(['downloading 100', 'checking', 'installing'])
})

test('a download that is cut continues where it was', async () => {
  const file = aRelease()
  let cuts = 2
  const { portal, ranges } = await aPortal(file, (request, response, rest) => {
    response.writeHead(request.headers.range ? 206 : 200, { 'content-length': rest.length })
    if (cuts-- > 0) response.write(rest.subarray(0, 60_000), () => response.socket?.end())
    else response.end(rest)
  })
  await preparing(portal).prepare(anOrder(portal, file))
  expect(ranges).toEqual([undefined, 'bytes=60000-', 'bytes=120000-'])
})

test('a portal that is busy or begins the file again is followed', async () => {
  const file = aRelease()
  let answers = 0
  const { portal } = await aPortal(file, (_, response, rest) => {
    answers++
    if (answers === 1) response.writeHead(503).end()
    else if (answers === 2)
      response
        .writeHead(200, { 'content-length': file.length })
        .write(file.subarray(0, 1000), () => response.socket?.end())
    else response.writeHead(200).end(answers === 3 ? file : rest)
  })
  expect(await preparing(portal).prepare(anOrder(portal, file))).toMatchObject({ version: '2.0.0.0' })
})

test('what is not right in every respect is not installed', async () => {
  const file = aRelease()
  const { portal } = await aPortal(file)
  const { prepare } = preparing(portal)
  const order = anOrder(portal, file)
  const of = (change: object) => ({ ...order, file: { ...order.file, ...change } })
  await expect(prepare({ version: '2.0.0.0' })).rejects.toThrow('not understood')
  await expect(prepare(of({ sha256: 'a'.repeat(64) }))).rejects.toThrow('another check sum')
  await expect(prepare(of({ signature: randomBytes(64).toString('base64') }))).rejects.toThrow('signature')
  await expect(prepare({ ...order, version: '3.0.0.0' })).rejects.toThrow('signature')
  await expect(prepare(anOrder(portal, file, { version: '3.0.0.0' }))).rejects.toThrow('The file is version 2.0.0.0')
  await expect(prepare(anOrder(portal, file, { peripheral: 'recycler' }))).rejects.toThrow('signature')
  await expect(prepare(of({ bytes: file.length - 1 }))).rejects.toThrow('larger')
  await expect(prepare(of({ bytes: 2 ** 30 }))).rejects.toThrow('too large')
  await expect(prepare(of({ url: 'http://127.0.0.1:1/device/v1/A-1/files/1' }))).rejects.toThrow('not at the portal')
})

test('firmware of another product is refused, however well it is signed', async () => {
  const file = randomBytes(1000)
  const { portal } = await aPortal(file)
  await expect(preparing(portal).prepare(anOrder(portal, file))).rejects.toThrow('no release of gettone-agent')
})

test('a file that no command names, and a file behind a redirect, are not fetched', async () => {
  const file = aRelease()
  const gone = await aPortal(file, (_, response) => response.writeHead(404).end())
  await expect(preparing(gone.portal).prepare(anOrder(gone.portal, file))).rejects.toThrow('answers 404')
  const other = await aPortal(file)
  const moved = await aPortal(file, (_, response) => response.writeHead(302, { location: other.portal }).end())
  await expect(preparing(moved.portal).prepare(anOrder(moved.portal, file))).rejects.toThrow('cannot be fetched')
  expect(other.ranges).toEqual([])
})

test('an older version needs the permission of the command; the running one is not fetched', async () => {
  const file = aRelease()
  const { portal, ranges } = await aPortal(file)
  const { prepare } = preparing(portal, { running: '2.0.1.0' })
  await expect(prepare(anOrder(portal, file))).rejects.toThrow('2.0.0.0 is older than 2.0.1.0')
  expect(ranges).toEqual([])
  expect(await prepare({ ...anOrder(portal, file), allowDowngrade: true })).toMatchObject({ version: '2.0.0.0' })
  expect(await preparing(portal, { running: '2.0.0.0' }).prepare(anOrder(portal, file))).toBeUndefined()
})

test('it waits for the window, and does not install after it', async () => {
  const file = aRelease()
  const { portal } = await aPortal(file)
  const times = ['2025-12-31T23:59:58', '2025-12-31T23:59:59', '2026-01-01T00:00:00']
  const early = preparing(portal, { clock: () => times.shift() ?? '' })
  await early.prepare(anOrder(portal, file))
  expect(early.steps.slice(-3)).toEqual(['checking', 'waiting', 'installing'])
  const late = preparing(portal, { clock: () => '2026-01-02T00:00:00' })
  await expect(late.prepare(anOrder(portal, file))).rejects.toThrow('window')
})
