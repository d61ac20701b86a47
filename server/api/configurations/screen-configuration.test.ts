import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenPartBytes } from '#contract/configurations/screen-file.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { aConfiguration } from '#testkit/machines/machine-data.ts'
import { aPicturedProduct, aProduct } from '#testkit/nouns/catalogue.ts'
import { aScreenFile, aWhitelistEntry } from '#testkit/nouns/screens.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

let count = 0
const aBody = (with_: object = {}) => ({
  name: `Lobby ${++count}`,
  size: 'portrait10' as const,
  languages: ['it' as const, 'en' as const],
  ...with_,
})
const create = (with_: object = {}) => admin.createScreenConfiguration({ params: { merchantId }, body: aBody(with_) })
const send = (screen: { id: string; version: number }, machines: TestMachine[]) =>
  admin.sendScreenConfiguration({
    params: { merchantId, screenConfigurationId: screen.id },
    body: { version: screen.version, machines: { ids: machines.map(({ id }) => id) } },
  })
const machinesOf = async (screen: { id: string }) =>
  (await admin.listScreenMachines({ params: { merchantId, screenConfigurationId: screen.id } })).items
const settingsOf = async (machine: TestMachine) => {
  const [row] = await api.database.admin<{ settings: Record<string, string> }>(
    `select parameters -> 'settings' as settings from remote_commands where machine_id = $1 order by id desc limit 1`,
    [machine.id],
  )
  return row?.settings ?? {}
}
const applied = (machine: TestMachine) =>
  api.database.admin(
    `update remote_commands set status = 2, result = 0, started_at = now(), executed_at = now() where machine_id = $1`,
    [machine.id],
  )
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const upload = async (content: Buffer, kind: 'picture' | 'video' = 'picture') => {
  const file = await admin.createScreenFile({
    params: { merchantId },
    body: { name: 'Idle', kind, bytes: content.length },
  })
  let last = file
  for (let part = 0; part * screenPartBytes < content.length; part += 1)
    last = await admin.putScreenFilePart({
      params: { merchantId, screenFileId: file.id, part: String(part) },
      body: { data: content.subarray(part * screenPartBytes, (part + 1) * screenPartBytes).toString('base64') },
    })
  return last
}

describe('a configuration', () => {
  test('keeps each save as a version, and an older version can be read', async () => {
    const productId = await aProduct(api.database, merchantId)
    const pages = [{ titles: { it: 'Caffè' }, buttons: [{ selection: '12', productId }] }]
    const first = await create({ pages })
    const params = { merchantId, screenConfigurationId: first.id }
    const body = { ...aBody({ name: first.name, showPrices: false }), version: 1 }
    const second = await admin.updateScreenConfiguration({ params, body })
    expect(second).toMatchObject({ version: 2, showPrices: false, pages: [] })
    // Saved again without a change: no version.
    await admin.updateScreenConfiguration({ params, body })
    const versions = await admin.listScreenVersions({ params })
    expect(versions.map(({ version, savedBy }) => [version, savedBy])).toEqual([
      [2, 'Test merchantAdmin'],
      [1, 'Test merchantAdmin'],
    ])
    expect(await admin.getScreenVersion({ params: { ...params, version: '1' } })).toMatchObject({
      name: first.name,
      showPrices: true,
      pages: [{ titles: { it: 'Caffè' }, buttons: [{ selection: '12', productId, picture: 'product' }] }],
    })
  })

  test('of two users in one editor, the second one gets the saved content', async () => {
    const { id, name } = await create()
    const params = { merchantId, screenConfigurationId: id }
    await admin.updateScreenConfiguration({ params, body: { ...aBody({ name, size: 'portrait7' }), version: 1 } })
    await expect(
      admin.updateScreenConfiguration({ params, body: { ...aBody({ name, size: 'portrait21' }), version: 1 } }),
    ).rejects.toMatchObject({ code: 'EditConflict', facts: { current: { size: 'portrait7', version: 2 } } })
  })

  test.each([
    ['no language', { languages: [] }],
    ['a language twice', { languages: ['it', 'it'] }],
    ['a video that is none', { idle: { kind: 'video', fileIds: [] } }],
    ['an unknown size', { size: '4k' }],
    [
      'a color by name',
      { colours: { background: 'red', text: '#000000', button: '#000000', buttonText: '#000000', accent: '#000000' } },
    ],
    ['an hour that does not exist', { schedule: [{ days: [1], from: '08:00', to: '25:00' }] }],
    ['an unknown key', { script: 'alert(1)' }],
  ])('with %s is refused', async (_, with_) => {
    await expect(create(with_)).rejects.toMatchObject({ status: 400, code: 'ValidationFailed' })
  })

  test('names products and files of its merchant only', async () => {
    const other = (await aMerchant(api.database)).id
    const provider = api.as(await aUser(api.database, 'superAdmin', []))
    const { id, name } = await create()
    const put = (with_: object) =>
      provider.updateScreenConfiguration({
        params: { merchantId: '00000000-0000-0000-0000-000000000000', screenConfigurationId: id },
        body: { ...aBody({ name, ...with_ }), version: 1 },
      })
    const buttons = [{ selection: '1', productId: await aProduct(api.database, other) }]
    await expect(put({ pages: [{ titles: {}, buttons }] })).rejects.toMatchObject({ status: 404 })
    const fileIds = [await aScreenFile(api.database, other)]
    await expect(put({ idle: { kind: 'pictures', fileIds } })).rejects.toMatchObject({ status: 404 })
    const video = [await aScreenFile(api.database, merchantId, 'video')]
    await expect(create({ idle: { kind: 'pictures', fileIds: video } })).rejects.toMatchObject({
      errors: [{ path: 'idle.fileIds', rule: 'rule.choice' }],
    })
  })

  test('needs the service of the merchant', async () => {
    const without = (await aMerchant(api.database, { screenConfigurationManagement: false })).id
    const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: without, groups: 'all' }]))
    await expect(user.listScreenConfigurations({ params: { merchantId: without } })).rejects.toMatchObject({
      status: 403,
      code: 'FeatureNotEnabled',
    })
  })
})

describe('files', () => {
  test('are joined from parts, and their type is that of the content', async () => {
    const video = Buffer.alloc(screenPartBytes + 1000, 7)
    video.write('\0\0\0\x18ftypmp42', 0, 'latin1')
    expect(await upload(video, 'video')).toMatchObject({ isComplete: true, type: 'mp4', bytes: video.length })
    const file = await upload(png)
    expect(file).toMatchObject({ isComplete: true, type: 'png' })
    const content = await admin.getScreenFileContent({ params: { merchantId, screenFileId: file.id } })
    expect(Buffer.compare(content as unknown as Buffer, png)).toBe(0)
  })

  test.each([
    ['an SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'picture', 'rule.fileKind'],
    ['a page', '<!doctype html><html></html>', 'picture', 'rule.fileKind'],
    ['text named as a video', 'not a video at all', 'video', 'rule.fileKind'],
    ['a cut PNG', '\x89PNG\r\n\x1a\n', 'picture', 'rule.imageBroken'],
  ] as const)('that are %s are refused', async (_, content, kind, rule) => {
    await expect(upload(Buffer.from(content, 'latin1'), kind)).rejects.toMatchObject({ errors: [{ rule }] })
  })

  test('a video of 500 MB is refused before a byte is uploaded', async () => {
    await expect(
      admin.createScreenFile({ params: { merchantId }, body: { name: 'Long', kind: 'video', bytes: 500 * 1024 ** 2 } }),
    ).rejects.toMatchObject({ status: 400, errors: [{ path: 'bytes', rule: 'rule.fileSize' }] })
  })

  test('of a configuration are not deleted', async () => {
    const file = await upload(png)
    const params = { merchantId, screenFileId: file.id }
    const screen = await create({ idle: { kind: 'pictures', fileIds: [file.id] } })
    await expect(admin.deleteScreenFile({ params })).rejects.toMatchObject({ code: 'ScreenFileInUse' })
    await admin.deleteScreenConfiguration({ params: { merchantId, screenConfigurationId: screen.id } })
    await admin.deleteScreenFile({ params })
    expect((await admin.listScreenFiles({ params: { merchantId } })).map(({ id }) => id)).not.toContain(file.id)
  })
})

describe('a machine', () => {
  test('is in sync on its own word, and edited on the device once it shows something else', async () => {
    const machine = await aMachine(api.database, merchantId)
    await aWhitelistEntry(api.database, merchantId, machine.serial)
    const screen = await create()
    expect(await send(screen, [machine])).toEqual({ sent: 1, refused: [] })
    expect(await machinesOf(screen)).toMatchObject([{ version: 1, sync: 'pending', editedOn: 'portal' }])
    const settings = await settingsOf(machine)
    await applied(machine)
    // The result alone is not enough.
    expect(await machinesOf(screen)).toMatchObject([{ sync: 'pending', commandStatus: 2 }])
    await aConfiguration(api.database, machine, settings, new Date(Date.now() + 1000))
    expect(await machinesOf(screen)).toMatchObject([{ sync: 'sync', editedOn: null }])
    const current = await admin.getScreenConfiguration({ params: { merchantId, screenConfigurationId: screen.id } })
    expect(current).toMatchObject({ machines: 1, machinesInSync: 1 })
    await aConfiguration(api.database, machine, { 'screen.document': 'edited' }, new Date(Date.now() + 2000))
    expect(await machinesOf(screen)).toMatchObject([{ sync: 'pending', editedOn: 'device' }])
    // It keeps the configuration.
    await expect(
      admin.deleteScreenConfiguration({ params: { merchantId, screenConfigurationId: screen.id } }),
    ).rejects.toMatchObject({ code: 'ScreenConfigurationInUse', facts: { machines: 1 } })
  })

  test('off the whitelist, or with a pending command, gets nothing and is named', async () => {
    const open = await aMachine(api.database, merchantId)
    const stranger = await aMachine(api.database, merchantId)
    await aWhitelistEntry(api.database, merchantId, open.serial)
    const screen = await create()
    expect(await send(screen, [open, stranger])).toMatchObject({
      sent: 1,
      refused: [{ posId: stranger.id, code: 'ScreenNotEnrolled' }],
    })
    expect(await send(screen, [open])).toMatchObject({ sent: 0, refused: [{ code: 'RemoteCommandPending' }] })
    await expect(send({ ...screen, version: 7 }, [open])).rejects.toMatchObject({ code: 'EditConflict' })
  })

  test('fetches its document and files with its own secret, and enrols; others do not', async () => {
    const gateway = await aGateway(api.database)
    const machine = await aMachine(api.database, merchantId)
    const other = await aMachine(api.database, merchantId)
    await aWhitelistEntry(api.database, merchantId, machine.serial)
    const file = await upload(png)
    const productId = await aPicturedProduct(api.database, merchantId)
    const screen = await create({
      idle: { kind: 'pictures', fileIds: [file.id] },
      pages: [{ titles: { it: 'Caldo' }, buttons: [{ selection: '12', productId }] }],
    })
    await send(screen, [machine])
    const settings = await settingsOf(machine)
    // The gateway of the test has a blob store of its own.
    const rows = await api.database.admin<{ id: string }>('select id from screen_files where merchant_id = $1', [
      merchantId,
    ])
    for (const { id } of rows) {
      const blob = await api.blobs.get(`screens/${merchantId}/${id}`)
      if (blob) await gateway.blobs.put(`screens/${merchantId}/${id}`, blob.content)
    }
    const path = (serial: string, id: string) => `/device/v1/${serial}/screens/${id}`
    const fetch = (as: TestMachine, id: string, secret = as.secret) =>
      gateway.app.inject({
        url: path(as.serial, id),
        headers: { authorization: `Basic ${Buffer.from(`${as.serial}:${secret}`).toString('base64')}` },
      })
    const documentId = settings['screen.url']?.split('/').at(-1) ?? ''
    expect((await fetch(machine, documentId, 'wrong')).statusCode).toBe(401)
    expect((await fetch(other, documentId)).statusCode).toBe(404)
    const answer = await fetch(machine, documentId)
    expect(answer.statusCode).toBe(200)
    expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(settings['screen.document'])
    const document = answer.json()
    expect(document).toMatchObject({ version: 1, screen: { width: 800, height: 1280 }, languages: ['it', 'en'] })
    expect(document.files).toHaveLength(2)
    for (const one of document.files) {
      const { rawPayload } = await fetch(machine, one.id)
      expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(one.sha256)
    }
    const { items } = await admin.listWhitelist({ params: { merchantId }, query: { search: machine.serial } })
    expect(items).toMatchObject([{ state: 'enrolled', posName: machine.name }])
    // Off the list, it fetches nothing any longer.
    await admin.removeFromWhitelist({ params: { merchantId, whitelistEntryId: items[0]?.id ?? '' } })
    expect((await fetch(machine, documentId)).statusCode).toBe(409)
  })
})
