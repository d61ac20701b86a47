import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'

let api: TestApi
let person: TestUser
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
  const merchantId = (await aMerchant(api.database)).id
  machine = await aMachine(api.database, merchantId)
  person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

const params = () => ({ merchantId: machine.merchantId, posId: machine.id })
const write = (body: { id?: string; note: string }, by: TestUser = person) =>
  api.as(by).createNote({ params: params(), body })

test('a note whose answer was lost is stored once, however often it is sent', async () => {
  const body = { id: randomUUIDv7(), note: 'The key hangs at the lodge' }
  const first = await write(body)
  expect(first).toMatchObject({ id: body.id, note: body.note })
  expect(await Promise.all([write(body), write(body)])).toEqual([first, first])
  const stored = await api.database.admin('select 1 from notes where id = $1', [body.id])
  const log = await api.database.admin('select 1 from change_log where subject_id = $1', [body.id])
  expect([stored.length, log.length]).toEqual([1, 1])
})

test('the id of an existing note is refused with another text, machine or author', async () => {
  const id = randomUUIDv7()
  await write({ id, note: 'One' })
  const refused = { status: 409, code: 'NoteIdTaken' }
  await expect(write({ id, note: 'Other' })).rejects.toMatchObject(refused)
  const { merchantId } = machine
  const other = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await expect(write({ id, note: 'One' }, other)).rejects.toMatchObject(refused)
  const elsewhere = { merchantId, posId: (await aMachine(api.database, merchantId)).id }
  const moved = api.as(person).createNote({ params: elsewhere, body: { id, note: 'One' } })
  await expect(moved).rejects.toMatchObject(refused)
})

test('ids sort by time', async () => {
  const random = crypto.randomUUID()
  for (const id of [random, 'one', ''])
    await expect(write({ id, note: 'One' })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('notes can be found by their text, with any characters, and by their author', async () => {
  const { merchantId } = machine
  const other = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const place = { merchantId, posId: (await aMachine(api.database, merchantId)).id }
  const texts = { ownText: 'Door_A opens 100% outwards', otherText: 'DOOR-A squeaks' }
  const ownNote = await api.as(person).createNote({ params: place, body: { note: texts.ownText } })
  const otherNote = await api.as(other).createNote({ params: place, body: { note: texts.otherText } })
  const notesOf = async (query: { search?: string; createdBy?: string }) => {
    const { items, total } = await api.as(person).listNotes({ params: place, query })
    expect(total).toBe(items.length)
    return items.map(({ note }) => note)
  }
  const createdBy = person.subject
  expect(await notesOf({ search: 'door' })).toEqual([otherNote.note, ownNote.note])
  expect(await notesOf({ search: 'door_a' })).toEqual([texts.ownText])
  expect(await notesOf({ search: '100%' })).toEqual([texts.ownText])
  expect(await notesOf({ createdBy })).toEqual([texts.ownText])
  expect(await notesOf({ createdBy, search: 'squeaks' })).toEqual([])
  for (const refused of [{ search: 'd' }, { createdBy: 'me' }, { search: 'x'.repeat(101) }])
    await expect(notesOf(refused)).rejects.toMatchObject({ code: 'ValidationFailed' })
})
