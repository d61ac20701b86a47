import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signedText } from '#domain/updates/signed-text.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { asOwner } from '#server/postgres/storage.ts'
import { createVault } from '#server/secrets/vault.ts'
import { dropFormerUpdateKeys, replaceUpdateKey, updatePublicKey } from '#server/updates/signing-key.ts'
import { sweepUpdateFiles } from '#server/updates/sweep.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCashDatabase, reportsVersion } from '#testkit/nouns/updates.ts'

let api: TestApi
let provider: TestUser
let admin: TestUser
let merchantId: string

beforeAll(async () => {
  api = await openTestApi()
  const shop = await aMerchant(api.database, { features: ['firmwareUpdate', 'cashDatabaseUpdate'] })
  merchantId = shop.id
  provider = await aUser(api.database, 'superAdmin', [])
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
}, 60_000)
afterAll(() => api?.close())

const content = Buffer.from('the whole firmware')
const sha256 = createHash('sha256').update(content).digest('hex')
const create = (release: string, more: object = {}) =>
  api.send('createFirmware', { body: { release, deviceTypes: ['CUNI'], ...more } }, provider)
const upload = (firmwareId: string, file: string | Uint8Array = content, bytes = Buffer.from(file).length) =>
  api.send('uploadFirmwareFile', { params: { firmwareId }, query: { name: 'fw.bin', bytes }, file }, provider)
const made = async (release: string, more: object = {}) => (await create(release, more)).json<{ id: string }>().id

test('a version has four numbers, and each once per device type', async () => {
  for (const release of ['1.2.3', '1.2.3.99999999999', '1.2.3.4.5', '01.2.3.4', '1.2.3.x', ''])
    expect((await create(release)).json(), release).toMatchObject({ code: 'ValidationFailed' })
  expect((await create('1.2.3.4')).json()).toMatchObject({
    release: '1.2.3.4',
    major: 1,
    minor: 2,
    patch: 3,
    build: 4,
    level: 'beta',
    file: null,
  })
  expect((await create('1.2.3.4', { deviceTypes: ['CENG', 'CUNI'] })).json()).toMatchObject({
    code: 'FirmwareAlreadyExists',
  })
  expect((await create('1.2.3.4', { deviceTypes: ['AZNE'] })).statusCode).toBe(201)
})

test('an upload whose connection breaks leaves neither a file nor a blob', async () => {
  const id = await made('2.1.0.1')
  const url = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  const head = [
    `PUT ${apiPrefix}/firmwares/${id}/file?name=fw.bin&bytes=100000 HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${api.tokenOf(provider)}`,
    'content-type: application/octet-stream',
    'content-length: 100000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(1_000)}`)
  const blobs = () => api.blobs.older('updates', new Date(Date.now() + 60_000))
  await vi.waitFor(async () => expect(await blobs()).toHaveLength(1), 5_000)
  socket.destroy()
  await vi.waitFor(async () => expect(await blobs()).toEqual([]), 5_000)
  const firmware = await api.send('getFirmware', { params: { firmwareId: id } }, provider)
  expect(firmware.json()).toMatchObject({ file: null })
})

test('an empty, too large or cut-off file is refused and leaves nothing', async () => {
  const id = await made('2.0.0.1')
  expect((await upload(id, '')).json()).toMatchObject({ code: 'UpdateFileEmpty' })
  expect((await upload(id, 'abc', 300 * 1024 * 1024)).json()).toMatchObject({ code: 'UpdateFileTooLarge' })
  expect((await upload(id, 'abc', 10)).json()).toMatchObject({ code: 'UpdateFileIncomplete' })
  expect((await upload(id, 'abcdef', 3)).json()).toMatchObject({ code: 'UpdateFileIncomplete' })
  const nothing = await api.app.inject({
    method: 'PUT',
    url: `${apiPrefix}/firmwares/${id}/file?name=fw.bin&bytes=3`,
    headers: { authorization: `Bearer ${api.tokenOf(provider)}` },
  })
  expect([nothing.statusCode, nothing.json()]).toMatchObject([400, { code: 'UpdateFileIncomplete' }])
  expect(await api.blobs.older('updates', new Date(Date.now() + 60_000))).toEqual([])
  const stored = (await upload(id)).json<{ file: { id: string; sha256: string } }>()
  expect(stored.file).toMatchObject({ name: 'fw.bin', bytes: content.length, sha256 })
  // A file that replaces another leaves one.
  await upload(id, 'another')
  expect(await api.blobs.older('updates', new Date(Date.now() + 60_000))).toHaveLength(1)
  // What a process that died left behind is swept; what a firmware has stays.
  await api.blobs.put('updates/left', ['behind'])
  await sweepUpdateFiles({ doors: api.database, blobs: api.blobs }, new Date(Date.now() + 86_400_000))
  expect(await api.blobs.older('updates', new Date(Date.now() + 60_000))).toHaveLength(1)
})

test('a command carries the signed file, and keeps the firmware from being deleted', async () => {
  const id = await made('3.0.0.1')
  const machine = await aMachine(api.database, merchantId, { deviceType: 'CUNI' })
  const other = await aMachine(api.database, merchantId, { deviceType: 'AZNE' })
  const send = (type: number, parameters: object, ids = [machine.id, other.id]) =>
    api.send(
      'sendRemoteCommand',
      { params: { merchantId }, body: { machines: { ids }, order: { type, parameters } } },
      admin,
    )
  expect((await send(11, { firmwareId: id })).json()).toMatchObject({ code: 'UpdateFileMissing' })
  const { file } = (await upload(id)).json<{ file: { id: string } }>()
  expect((await send(14, { firmwareId: id })).json()).toMatchObject({ code: 'ValidationFailed' })
  const outcome = (await send(11, { firmwareId: id })).json()
  expect(outcome.refused).toMatchObject([{ posId: other.id, code: 'UpdateNotForMachine' }])
  const { parameters } = outcome.sent[0]
  expect(parameters).toMatchObject({
    version: '3.0.0.1',
    file: { id: file.id, sha256, bytes: content.length, url: expect.stringContaining(`/files/${file.id}`) },
    window: { from: expect.any(String), until: expect.any(String) },
  })
  const key = createPublicKey(
    await updatePublicKey(api.database, createVault(api.config.secretKey), { merchantId, id: machine.id }),
  )
  const isSigned = (version: string) =>
    verify(
      null,
      Buffer.from(signedText({ kind: 'firmware', peripheral: null, version, bytes: content.length, sha256 })),
      key,
      Buffer.from(parameters.file.signature, 'base64'),
    )
  expect(isSigned('3.0.0.1')).toBe(true)
  expect(isSigned('3.0.0.2')).toBe(false)
  const remove = () => api.send('deleteFirmware', { params: { firmwareId: id } }, provider)
  expect((await remove()).json()).toMatchObject({ code: 'FirmwareInUseException', facts: { commands: 1 } })
  expect((await upload(id)).json()).toMatchObject({ code: 'FirmwareInUseException' })
  await api.send('cancelRemoteCommand', { params: { merchantId, commandId: outcome.sent[0].id } }, admin)
  expect((await remove()).statusCode).toBe(204)
})

test('the key that signs updates is replaced while each machine keeps the key that it has fetched', async () => {
  const id = await made('3.0.5.0')
  await upload(id)
  const vault = createVault(api.config.secretKey)
  const fleet = []
  for (let one = 0; one < 2; one++) fleet.push(await aMachine(api.database, merchantId, { deviceType: 'CUNI' }))
  const [keeps, fetches] = fleet as [TestMachine, TestMachine]
  const fetchKey = async ({ id: machineId }: TestMachine) =>
    createPublicKey(await updatePublicKey(api.database, vault, { merchantId, id: machineId }))
  const owned = (isForced: boolean) =>
    asOwner(api.database.adminUrl, (owner) => dropFormerUpdateKeys(api.database, vault, owner, isForced))
  /** Whether a machine's next update is signed with a key. */
  const signs = async (key: KeyObject, { id: machineId }: TestMachine) => {
    const body = { machines: { ids: [machineId] }, order: { type: 11, parameters: { firmwareId: id } } }
    const [{ id: commandId, parameters }] = (
      await api.send('sendRemoteCommand', { params: { merchantId }, body }, admin)
    ).json().sent
    await api.send('cancelRemoteCommand', { params: { merchantId, commandId } }, admin)
    const text = signedText({ kind: 'firmware', peripheral: null, version: '3.0.5.0', bytes: content.length, sha256 })
    return verify(null, Buffer.from(text), key, Buffer.from(parameters.file.signature, 'base64'))
  }
  const former = await fetchKey(keeps)
  await fetchKey(fetches)
  expect(await replaceUpdateKey(api.database, vault, new Date())).toBeGreaterThanOrEqual(2)
  const current = await fetchKey(fetches)
  expect(current.equals(former)).toBe(false)
  expect([await signs(former, keeps), await signs(current, fetches)]).toEqual([true, true])
  expect([await signs(current, keeps), await signs(former, fetches)]).toEqual([false, false])

  expect(await owned(false)).toMatchObject({ dropped: 0, machines: expect.any(Number) })
  expect(await signs(former, keeps)).toBe(true)
  expect(await owned(true)).toMatchObject({ dropped: 1 })
  expect(await signs(former, keeps)).toBe(false)
  // It gets updates again once it has the new key.
  expect(await signs(await fetchKey(keeps), keeps)).toBe(true)
  await replaceUpdateKey(api.database, vault, new Date(0))
  expect([await signs(current, keeps), await signs(await fetchKey(fetches), fetches)]).toEqual([true, true])
  expect((await fetchKey(keeps)).equals(current)).toBe(false)
})

test('a key that is replaced before any machine has fetched it is replaced too', async () => {
  const database = await aDatabase()
  const { id } = await aMerchant(database)
  const vault = createVault('a key of this test alone')
  const machine = { ...(await aMachine(database, id)), merchantId: id }
  expect(await replaceUpdateKey(database, vault, new Date())).toBe(1)
  const finish = () => asOwner(database.adminUrl, (owner) => dropFormerUpdateKeys(database, vault, owner, false))
  expect(await finish()).toEqual({ dropped: 0, machines: 1 })
  await updatePublicKey(database, vault, machine)
  expect(await finish()).toEqual({ dropped: 1, machines: 0 })
  expect(await database.admin('select name from deployment_keys')).toEqual([{ name: 'updates 2' }])
})

test('an order that takes machines back to an older version is refused with their versions, until it is confirmed', async () => {
  const id = await made('3.1.0.0')
  await upload(id)
  const newer = await aMachine(api.database, merchantId, { deviceType: 'CUNI' })
  const older = await aMachine(api.database, merchantId, { deviceType: 'CUNI' })
  // A machine of another type is refused anyway and is not asked about.
  const other = await aMachine(api.database, merchantId, { deviceType: 'AZNE' })
  await reportsVersion(api.database, newer, '3.2.0.0')
  await reportsVersion(api.database, older, '3.0.0.0')
  await reportsVersion(api.database, other, '9.0.0.0')
  const send = async (more: object = {}, type = 11, parameters: object = { firmwareId: id }) => {
    const body = { machines: { ids: [newer.id, older.id, other.id] }, order: { type, parameters }, ...more }
    return (await api.send('sendRemoteCommand', { params: { merchantId }, body }, admin)).json()
  }
  const refused = { code: 'UpdateDowngrade', facts: { machines: 1, versions: ['3.2.0.0'], names: '3.2.0.0' } }
  expect(await send()).toMatchObject(refused)
  expect(await send({ allowDowngrade: false })).toMatchObject(refused)
  const commands = () =>
    api.database.admin('select id from remote_commands where machine_id = any($1)', [[newer.id, older.id, other.id]])
  expect(await commands()).toEqual([])
  const outcome = await send({ allowDowngrade: true })
  expect(outcome.sent).toHaveLength(2)
  // The machines hear of the permission, since they refuse older versions too.
  expect(outcome.sent).toMatchObject([
    { parameters: { allowDowngrade: true } },
    { parameters: { allowDowngrade: true } },
  ])
  expect(outcome.refused).toMatchObject([{ posId: other.id, code: 'UpdateNotForMachine' }])

  // A database by its own version: the same question.
  const cashDatabaseId = await aCashDatabase(api.database, merchantId, { release: 'EUR-2026.9' })
  await reportsVersion(api.database, newer, 'EUR-2026.10', { kind: 'cashDatabase' })
  expect(await send({}, 13, { cashDatabaseId })).toMatchObject({
    code: 'UpdateDowngrade',
    facts: { machines: 1, versions: ['EUR-2026.10'] },
  })
})

test('a merchant reads firmware but does not write it, and registers each database version once', async () => {
  expect((await api.send('listFirmwares', {}, admin)).statusCode).toBe(200)
  expect(
    (await api.send('createFirmware', { body: { release: '4.0.0.1', deviceTypes: ['CUNI'] } }, admin)).statusCode,
  ).toBe(403)
  const body = { name: 'Euro 2026', release: 'EUR-7', currency: 'EUR', deviceTypes: ['CUNI'] }
  const register = (more: object = {}) =>
    api.send('createCashDatabase', { params: { merchantId }, body: { ...body, ...more } }, admin)
  const { id } = (await register()).json<{ id: string }>()
  expect((await register({ name: 'Again', release: 'eur-7' })).json()).toMatchObject({
    code: 'DatabaseVersionAlreadyRegistered',
  })
  expect((await register({ peripheral: 'recycler' })).statusCode).toBe(201)
  const stored = await api.send(
    'uploadCashDatabaseFile',
    { params: { merchantId, cashDatabaseId: id }, query: { name: 'eur.db', bytes: content.length }, file: content },
    admin,
  )
  expect(stored.json()).toMatchObject({ file: { sha256 } })
})
