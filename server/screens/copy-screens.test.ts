import { createHash, randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { v2 as webdav } from 'webdav-server'
import { screenBlob } from '#database/configurations/screen-file.ts'
import { openTestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { aWhitelistEntry } from '#testkit/nouns/screens.ts'
import { copyScreens } from './copy-screens.ts'

const password = 'right password'

/** A local server, stopped when the test ends or earlier. */
async function serving(server: Server): Promise<{ url: string; stop: () => void }> {
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}

async function aWebDav(auth: 'basic' | 'digest' = 'basic', port = 0) {
  const users = new webdav.SimpleUserManager()
  const user = users.addUser('screens', password, false)
  const rights = new webdav.SimplePathPrivilegeManager()
  rights.setRights(user, '/', ['all'])
  const Sign = auth === 'basic' ? webdav.HTTPBasicAuthentication : webdav.HTTPDigestAuthentication
  const server = new webdav.WebDAVServer({
    httpAuthentication: new Sign(users, 'Screens'),
    privilegeManager: rights,
    requireAuthentification: true,
    hostname: '127.0.0.1',
    port,
  })
  return serving((await server.startAsync(port)) as unknown as Server)
}

/** A server that keeps files by PUT; `most` bytes of each. */
async function aPlainServer(most = Number.POSITIVE_INFINITY) {
  const files = new Map<string, Buffer>()
  const answer: RequestListener = async (request, response) => {
    if (request.headers.authorization !== `Basic ${btoa(`screens:${password}`)}`) return response.writeHead(401).end()
    const name = request.url ?? ''
    if (request.method === 'PUT') {
      files.set(name, (await buffer(request)).subarray(0, most))
      return response.writeHead(201).end()
    }
    const file = files.get(name)
    if (!file) return response.writeHead(404).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = start === undefined ? file : file.subarray(Number(start), Number(end) + 1)
    response.writeHead(start === undefined ? 200 : 206, { 'content-length': part.length })
    response.end(request.method === 'HEAD' ? undefined : part)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { ...(await serving(server)), files }
}

/** A merchant with a machine that was sent a document and a picture, and functions for its storage. */
async function aScreen(pictureBytes = 300_000) {
  const api = await openTestApi()
  onTestFinished(() => api.close())
  const { id: merchantId } = await aMerchant(api.database)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const machine = await aMachine(api.database, merchantId)
  await aWhitelistEntry(api.database, merchantId, machine.serial)
  const params = { merchantId }
  const screen = await admin.createScreenConfiguration({
    params,
    body: { name: 'Lobby', size: 'portrait10', languages: ['it'] },
  })
  const sent = await admin.sendScreenConfiguration({
    params: { merchantId, screenConfigurationId: screen.id },
    body: { version: screen.version, machines: { ids: [machine.id] } },
  })
  expect(sent.refused).toEqual([])
  const [document] = await api.database.admin<{ id: string; sha256: string }>(
    'select id, sha256 from screen_files where merchant_id = $1',
    [merchantId],
  )
  if (!document) throw new Error('There is a document')
  // A picture beside it, of which a machine fetches the rest after an interruption.
  const picture = { id: randomUUID(), content: Buffer.alloc(pictureBytes, 'picture ') }
  const sha256 = createHash('sha256').update(picture.content).digest('hex')
  await api.database.admin(
    `insert into screen_files (merchant_id, id, origin, name, kind, type, bytes, sha256, created_at)
     values ($1, $2, 'upload', 'Idle', 'picture', 'png', $3, $4, now())`,
    [merchantId, picture.id, picture.content.length, sha256],
  )
  await api.database.admin('update screen_files set parts = $1 where id = $2', [[picture.id], document.id])
  await api.blobs.put(screenBlob(merchantId, picture.id), [picture.content])
  const gateway = await aGateway(api.database, { SECRET_KEY: api.config.secretKey })
  const services = { doors: api.database, blobs: api.blobs, vault: gateway.vault, config: { production: false } }
  const save = async (url: string) => {
    const { version } = await admin.getScreenStorage({ params })
    return admin.updateScreenStorage({ params, body: { version, username: 'screens', password, url } })
  }
  const state = async () => {
    const { copied, waiting, fault } = (await admin.getScreenStorage({ params })).copies
    return { copied, waiting, fault }
  }
  /** The machine fetches a file; the gateway has an empty store of its own, so that only the storage can give it. */
  const fetched = async (id: string, headers: Record<string, string> = {}) => {
    const authorization = `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`
    const url = `/device/v1/${machine.serial}/screens/${id}`
    const answer = await gateway.app.inject({ url, headers: { authorization, ...headers } })
    return { status: answer.statusCode, bytes: answer.rawPayload }
  }
  return { api, admin, merchantId, document, picture, gateway, services, save, state, fetched }
}

test.each(['basic', 'digest'] as const)(
  'content is written to a WebDAV storage with %s sign-in, and machines get it from there',
  async (auth) => {
    // The test's server serves ranges of files that arrived in one piece.
    const { picture, document, services, save, state, fetched } = await aScreen(30_000)
    expect(await state()).toEqual({ copied: 0, waiting: 0, fault: null })
    await save((await aWebDav(auth)).url)
    expect(await state()).toEqual({ copied: 0, waiting: 2, fault: null })
    expect((await fetched(picture.id)).status).toBe(404)
    await copyScreens(services, new Date())
    expect(await state()).toEqual({ copied: 2, waiting: 0, fault: null })
    const whole = await fetched(picture.id)
    expect([whole.status, whole.bytes.equals(picture.content)]).toEqual([200, true])
    const rest = await fetched(picture.id, { range: 'bytes=29000-' })
    expect([rest.status, rest.bytes.equals(picture.content.subarray(29_000))]).toEqual([206, true])
    expect(
      createHash('sha256')
        .update((await fetched(document.id)).bytes)
        .digest('hex'),
    ).toBe(document.sha256)
  },
)

test('content is written to a plain storage by PUT, once, and again after the setting changes', async () => {
  const { picture, document, services, save, state, fetched } = await aScreen()
  const first = await aPlainServer()
  await save(first.url).catch(() => undefined)
  const { files, url } = first
  // Its root must answer a GET before it is saved.
  files.set('/', Buffer.from('{}'))
  await save(url)
  await copyScreens(services, new Date())
  files.delete('/')
  expect([...files.keys()].sort()).toEqual([`/${document.id}.json`, `/${picture.id}.png`].sort())
  expect((await fetched(picture.id)).bytes.equals(picture.content)).toBe(true)
  const rest = await fetched(picture.id, { range: 'bytes=299000-' })
  expect([rest.status, rest.bytes.equals(picture.content.subarray(299_000))]).toEqual([206, true])
  files.clear()
  await copyScreens(services, new Date())
  expect([...files.keys()]).toEqual([])
  const second = await aPlainServer()
  second.files.set('/', Buffer.from('{}'))
  await save(second.url)
  expect(await state()).toEqual({ copied: 0, waiting: 2, fault: null })
  await copyScreens(services, new Date())
  expect(second.files.size).toBe(3)
})

test('a storage that is away says so, is tried again with growing pauses, and machines get the content from the portal meanwhile', async () => {
  const { picture, merchantId, api, gateway, services, save, state, fetched } = await aScreen()
  const storage = await aPlainServer()
  storage.files.set('/', Buffer.from('{}'))
  await save(storage.url)
  await gateway.blobs.put(screenBlob(merchantId, picture.id), [picture.content])
  storage.stop()
  const start = Date.now()
  const minute = (number: number) => new Date(start + number * 60_000)
  await copyScreens(services, minute(0))
  expect(await state()).toEqual({ copied: 0, waiting: 2, fault: 'RepositoryNotReachable' })
  expect((await fetched(picture.id)).bytes.equals(picture.content)).toBe(true)
  const attempts = async () =>
    (await api.database.admin<{ attempts: number }>('select max(attempts)::int as attempts from screen_copies'))[0]
      ?.attempts
  // The file that failed waits a minute, then two; its storage's other file is tried in between.
  expect(await attempts()).toBe(1)
  await copyScreens(services, minute(1))
  await copyScreens(services, minute(2))
  expect(await attempts()).toBe(2)
  const returned = await aPlainServer()
  returned.files.set('/', Buffer.from('{}'))
  await save(returned.url)
  await copyScreens(services, minute(60))
  expect(await state()).toEqual({ copied: 2, waiting: 0, fault: null })
})

test('a file that disappeared from the storage is served by the portal and copied again', async () => {
  const { picture, merchantId, gateway, services, save, state, fetched } = await aScreen()
  const storage = await aPlainServer()
  storage.files.set('/', Buffer.from('{}'))
  await save(storage.url)
  await copyScreens(services, new Date())
  await gateway.blobs.put(screenBlob(merchantId, picture.id), [picture.content])
  storage.files.delete(`/${picture.id}.png`)
  expect((await fetched(picture.id)).bytes.equals(picture.content)).toBe(true)
  expect(await state()).toEqual({ copied: 1, waiting: 1, fault: 'RepositoryRefusesFiles' })
  await copyScreens(services, new Date(Date.now() + 1_000))
  expect(await state()).toEqual({ copied: 2, waiting: 0, fault: null })
  expect(storage.files.get(`/${picture.id}.png`)?.length).toBe(picture.content.length)
})

test('a storage that was removed and entered again has no copies', async () => {
  const { admin, merchantId, services, save, state } = await aScreen()
  const storage = await aPlainServer()
  storage.files.set('/', Buffer.from('{}'))
  await save(storage.url)
  await copyScreens(services, new Date())
  await admin.deleteScreenStorage({ params: { merchantId } })
  expect(await state()).toEqual({ copied: 0, waiting: 0, fault: null })
  await save(storage.url)
  expect(await state()).toEqual({ copied: 0, waiting: 2, fault: null })
})

test('a storage that keeps half of a file has no copy', async () => {
  const { services, save, state } = await aScreen()
  const storage = await aPlainServer(10)
  storage.files.set('/', Buffer.from('{}'))
  await save(storage.url)
  await copyScreens(services, new Date())
  expect(await state()).toEqual({ copied: 0, waiting: 2, fault: 'RepositoryRefusesFiles' })
})

test('in production nothing is written to an address that is not public', async () => {
  const { services, save, state } = await aScreen()
  const storage = await aPlainServer()
  storage.files.set('/', Buffer.from('{}'))
  await save(storage.url)
  await copyScreens({ ...services, config: { production: true } }, new Date())
  expect(storage.files.size).toBe(1)
  expect(await state()).toEqual({ copied: 0, waiting: 2, fault: 'RepositoryAddressRefused' })
})
