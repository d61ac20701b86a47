import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { mostEdited } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { writeConditions } from '#database/machines/machine-condition.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const params = () => ({ merchantId })
const of = (posId: string) => ({ merchantId, posId })
const versionOf = async (id: string) =>
  (await api.database.admin<{ version: number }>('select version from machines where id = $1', [id]))[0]?.version

test('an edit raises the version and is logged with old and new values', async () => {
  const machine = await aMachine(api.database, merchantId, { name: 'Atrium' })
  const groupId = await aGroup(api.database, merchantId, 'North')
  const body = { version: 1, name: ' Lobby ', address: 'Via Roma 1', groupId }
  const after = await admin.updateMachine({ params: of(machine.id), body })
  expect(after).toMatchObject({ version: 2, name: 'Lobby', address: 'Via Roma 1', groupId, groupName: 'North' })
  const [entry] = await api.database.admin(
    `select action, before, after, user_name from change_log where subject_id = $1`,
    [machine.id],
  )
  expect(entry).toEqual({
    action: 'machine.update',
    before: { name: 'Atrium', address: null, groupId: null, clientId: null, sector: null, warrantyUntil: null },
    after: { name: 'Lobby', address: 'Via Roma 1', groupId, clientId: null, sector: null, warrantyUntil: null },
    user_name: 'Test merchantAdmin',
  })
})

test('missing fields stay, null clears a field, and an edit without changes is not logged', async () => {
  const machine = await aMachine(api.database, merchantId, { columns: { address: 'Via Roma 1' } })
  await admin.updateMachine({ params: of(machine.id), body: { version: 1, address: 'Via Roma 1' } })
  expect(await versionOf(machine.id)).toBe(1)
  const after = await admin.updateMachine({ params: of(machine.id), body: { version: 1, address: null } })
  expect(after).toMatchObject({ version: 2, name: machine.name, address: null })
})

test('the later of two saves gets the current machine and the user who changed it', async () => {
  const machine = await aMachine(api.database, merchantId)
  await admin.updateMachine({ params: of(machine.id), body: { version: 1, name: 'Theirs' } })
  const late = admin.updateMachine({ params: of(machine.id), body: { version: 1, name: 'Mine' } })
  await expect(late).rejects.toMatchObject({
    status: 409,
    code: 'EditConflict',
    facts: {
      current: { id: machine.id, version: 2, name: 'Theirs' },
      changedAt: expect.stringMatching(/^\d{4}-/),
      changedBy: 'Test merchantAdmin',
    },
  })
})

test('a repeated save after a lost answer succeeds without a conflict', async () => {
  const machine = await aMachine(api.database, merchantId)
  const call = { params: of(machine.id), body: { version: 1, name: `Once ${machine.serial}` } }
  await admin.updateMachine(call)
  expect(await admin.updateMachine(call)).toMatchObject({ version: 2, name: `Once ${machine.serial}` })
  const log = await api.database.admin('select 1 from change_log where subject_id = $1', [machine.id])
  expect(log).toHaveLength(1)
})

test('two saves at the same moment have one winner', async () => {
  const machine = await aMachine(api.database, merchantId)
  const save = (name: string) => admin.updateMachine({ params: of(machine.id), body: { version: 1, name } })
  const outcomes = await Promise.allSettled(['A', 'B', 'C', 'D'].map((one) => save(`${machine.serial} ${one}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await versionOf(machine.id)).toBe(2)
})

test('a machine’s own reports do not change the version', async () => {
  const machine = await aMachine(api.database, merchantId)
  const report = { merchantId, machineId: machine.id, lastSeenAt: new Date(), connection: 1 as const }
  await api.database.withTenant(wholeMerchant(merchantId), (db) => writeConditions(db, [report]))
  expect(await versionOf(machine.id)).toBe(1)
  expect(await admin.getMachine({ params: of(machine.id) })).toMatchObject({ connection: 1 })
})

test('a name is unique within a merchant', async () => {
  const one = await aMachine(api.database, merchantId)
  const other = await aMachine(api.database, merchantId)
  const rename = (name: string) => admin.updateMachine({ params: of(one.id), body: { version: 1, name } })
  await expect(rename(other.name)).rejects.toMatchObject({ status: 409, code: 'PosNameTaken' })
  const elsewhere = await aMachine(api.database, (await aMerchant(api.database)).id)
  expect(await rename(elsewhere.name)).toMatchObject({ name: elsewhere.name })
})

test('a name used in a group that the caller cannot see is still taken', async () => {
  const ownGroup = await aGroup(api.database, merchantId)
  const foreignGroup = await aGroup(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId, { groupId: ownGroup })
  const hidden = await aMachine(api.database, merchantId, { groupId: foreignGroup })
  const groupAdmin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [ownGroup] }]))
  const call = { params: of(machine.id), body: { version: 1, name: hidden.name } }
  await expect(groupAdmin.updateMachine(call)).rejects.toMatchObject({ code: 'PosNameTaken' })
})

test('a group admin moves a machine between groups of their own', async () => {
  const from = await aGroup(api.database, merchantId)
  const to = await aGroup(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId, { groupId: from })
  const groupAdmin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [from, to] }]))
  expect(await groupAdmin.updateMachine({ params: of(machine.id), body: { version: 1, groupId: to } })).toMatchObject({
    groupId: to,
    version: 2,
  })
})

test('a machine may leave the selected groups, and is still returned', async () => {
  const north = await aGroup(api.database, merchantId)
  const south = await aGroup(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId, { groupId: north })
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const answer = await api.app.inject({
    method: 'PUT',
    url: `/api/v1/merchants/${merchantId}/pos`,
    headers: { authorization: `Bearer ${api.tokenOf(person)}`, [groupsHeader]: north },
    payload: { rows: [{ id: machine.id, version: 1, groupId: south }] },
  })
  expect(answer.json()).toMatchObject({ rows: [{ code: 'Saved', row: { groupId: south, version: 2 } }] })
})

test('names without letters, too long or with U+0000, and invalid versions are refused', async () => {
  const machine = await aMachine(api.database, merchantId)
  const edits = [
    { version: 1, name: '' },
    { version: 1, name: '   ' },
    { version: 1, name: 'x'.repeat(201) },
    { version: 1, name: 'a\0b' },
    { version: 1, name: null },
    { version: 1, address: 'x'.repeat(301) },
    { version: 1, groupId: 'north' },
    { version: 0, name: 'A' },
    { version: 1.5, name: 'A' },
    { version: '1', name: 'A' },
    { name: 'A' },
    { version: 1, serial: 'X' },
  ]
  for (const body of edits) {
    const call = admin.updateMachine({ params: of(machine.id), body: body as never })
    await expect(call, JSON.stringify(body)).rejects.toMatchObject({ code: 'ValidationFailed' })
  }
})

test('each row of a bulk edit is saved or refused separately', async () => {
  const saved = await aMachine(api.database, merchantId)
  const takenMachine = await aMachine(api.database, merchantId)
  const late = await aMachine(api.database, merchantId)
  await admin.updateMachine({ params: of(late.id), body: { version: 1, address: 'Theirs' } })
  const { rows } = await admin.updateMachines({
    params: params(),
    body: {
      rows: [
        { id: saved.id, version: 1, address: 'Mine' },
        { id: takenMachine.id, version: 1, name: saved.name },
        { id: late.id, version: 1, address: 'Mine' },
      ],
    },
  })
  expect(rows).toMatchObject([
    { id: saved.id, code: 'Saved', row: { version: 2, address: 'Mine' } },
    { id: takenMachine.id, code: 'PosNameTaken' },
    { id: late.id, code: 'EditConflict', facts: { current: { version: 2, address: 'Theirs' } } },
  ])
})

test('machines can swap their names in one save', async () => {
  const one = await aMachine(api.database, merchantId)
  const other = await aMachine(api.database, merchantId)
  const { rows } = await admin.updateMachines({
    params: params(),
    body: {
      rows: [
        { id: one.id, version: 1, name: other.name },
        { id: other.id, version: 1, name: one.name },
      ],
    },
  })
  expect(rows).toMatchObject([
    { code: 'Saved', row: { name: other.name } },
    { code: 'Saved', row: { name: one.name } },
  ])
})

test('a machine appears once in a save, and a save has a maximum number of rows', async () => {
  const machine = await aMachine(api.database, merchantId)
  const row = { id: machine.id, version: 1, address: 'A' }
  const rowsOf = [[row, row], [], Array.from({ length: mostEdited + 1 }, (_, n) => ({ ...row, id: idOf(n) }))]
  for (const rows of rowsOf)
    await expect(admin.updateMachines({ params: params(), body: { rows } })).rejects.toMatchObject({
      code: 'ValidationFailed',
    })
})
const idOf = (n: number) => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`

test('under all merchants a machine can join only groups of its own merchant', async () => {
  const other = (await aMerchant(api.database)).id
  const both = [merchantId, other].map((id) => ({ merchantId: id, groups: 'all' as const }))
  const admins = api.as(await aUser(api.database, 'merchantAdmin', both))
  const machine = await aMachine(api.database, merchantId)
  const ownGroup = await aGroup(api.database, merchantId)
  const others = await aGroup(api.database, other)
  const all = { merchantId: allMerchants }
  const move = (groupId: string) =>
    admins.updateMachines({ params: all, body: { rows: [{ id: machine.id, version: 1, groupId }] } })
  await expect(move(others)).rejects.toMatchObject({ code: 'GroupNotFound' })
  expect((await move(ownGroup)).rows).toMatchObject([{ code: 'Saved', row: { groupId: ownGroup } }])
})

test('profile: the later save gets a conflict, and a repeated save succeeds', async () => {
  const person = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const { version } = await person.getMe({})
  const save = (name: string) => person.updateMe({ body: { version, name, language: 'it' } })
  expect(await save('Anna')).toMatchObject({ version: version + 1, name: 'Anna' })
  expect(await save('Anna')).toMatchObject({ version: version + 1, name: 'Anna' })
  await expect(save('Bea')).rejects.toMatchObject({
    status: 409,
    code: 'EditConflict',
    facts: { current: { name: 'Anna', version: version + 1 }, changedAt: null },
  })
})
