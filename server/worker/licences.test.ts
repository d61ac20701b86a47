import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { hashOfKey } from '#server/licences/licence-secrets.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aLicence } from '#testkit/nouns/licences.ts'
import type { Message } from '../mail/mail.ts'
import { endLicences, remindOfEnds } from './licences.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

const config = { NO_DATA_MINUTES: 10, publicUrl: 'https://portal.example.com' }
const live = { announce: () => undefined }
const statusOf = async (id: string) =>
  (await database.admin<{ status: number }>('select status from licences where id = $1', [id]))[0]?.status

async function aLicenceIn(timeZone: string, with_: Record<string, unknown>) {
  const { id } = await aMerchant(database, { time_zone: timeZone })
  const machine = await aMachine(database, id)
  return aLicence(database, machine, { created_at: new Date('2026-01-01T00:00:00Z'), ...with_ })
}

/** A mailbox; the first mails may be refused. */
function aMailbox(failures = 0) {
  const sent: Message[] = []
  let left = failures
  const send = async (message: Message) => {
    if (left-- > 0) throw new Error('Mailbox full')
    sent.push(message)
  }
  return { sent, mail: { send } }
}

test('a licence ends after its last day in its merchant’s zone, once, whatever its status', async () => {
  const day = { expires_on: '2026-05-31' }
  const rome = await aLicenceIn('Europe/Rome', { status: 3, ...day })
  const mexico = await aLicenceIn('America/Mexico_City', { status: 3, ...day })
  const others = await Promise.all([0, 1, 2, 4, 5].map((status) => aLicenceIn('Europe/Rome', { status, ...day })))
  const at = (instant: string) => endLicences({ doors: database, live }, new Date(instant))
  await at('2026-05-31T21:59:00Z')
  expect(await statusOf(rome.id)).toBe(3)
  await Promise.all([at('2026-05-31T22:01:00Z'), at('2026-05-31T22:01:00Z')])
  expect([await statusOf(rome.id), await statusOf(mexico.id)]).toEqual([6, 3])
  expect(await Promise.all(others.map(({ id }) => statusOf(id)))).toEqual([6, 6, 6, 6, 5])
  const events = await database.admin('select act, by_kind from licence_events where licence_id = $1', [rome.id])
  expect(events).toEqual([{ act: 'expire', by_kind: 'clock' }])
  await at('2026-06-01T06:01:00Z')
  expect(await statusOf(mexico.id)).toBe(6)
  // The key stays, so that a prolonged licence needs no other one.
  const [row] = await database.admin<{ key_hash: string }>('select key_hash from licences where id = $1', [rome.id])
  expect(row?.key_hash).toBe(hashOfKey(rome.key))
})

test('the client is reminded 30 and 7 days before the end, once each, by any number of workers', async () => {
  const more = { status: 3, expires_on: '2026-07-31', client_email: 'end@client.test', language: 'de' }
  const licence = await aLicenceIn('Europe/Rome', more)
  // Confirmed too late for the first mail, never confirmed, deactivated, and without an end.
  const short = { created_at: new Date('2026-07-10T00:00:00Z'), client_email: 'short@client.test' }
  await aLicenceIn('Europe/Rome', { ...more, ...short })
  for (const status of [0, 1, 4, 5])
    await aLicenceIn('Europe/Rome', { ...more, status, client_email: 'no@client.test' })
  await aLicenceIn('Europe/Rome', { ...more, expires_on: null, client_email: 'no@client.test' })
  const { sent, mail } = aMailbox()
  const at = (instant: string) => remindOfEnds({ doors: database, live, mail, config }, new Date(instant))
  await at('2026-06-30T10:00:00Z')
  expect(sent).toEqual([])
  await Promise.all(Array.from({ length: 4 }, () => at('2026-07-01T10:00:00Z')))
  await at('2026-07-02T10:00:00Z')
  expect(sent.map(({ to }) => to)).toEqual(['end@client.test'])
  expect(sent[0]?.subject).toContain('31. Juli 2026')
  expect(sent[0]?.html).toContain('31. Juli 2026')
  await Promise.all(Array.from({ length: 4 }, () => at('2026-07-24T10:00:00Z')))
  await at('2026-07-31T10:00:00Z')
  expect(sent.map(({ to }) => to).sort()).toEqual(['end@client.test', 'end@client.test', 'short@client.test'])
  const events = await database.admin(
    `select detail from licence_events where licence_id = $1 and act = 'remind' order by at`,
    [licence.id],
  )
  expect(events).toEqual([{ detail: '30' }, { detail: '7' }])
  // A later end has reminders of its own.
  await database.admin(`update licences set expires_on = '2026-12-31' where id = $1`, [licence.id])
  await at('2026-12-01T11:00:00Z')
  expect(sent).toHaveLength(4)
})

test('users who manage licences are reminded in their language, once each, and the provider’s user who created the licence', async () => {
  const { id: merchantId } = await aMerchant(database)
  const north = await aGroup(database, merchantId)
  const south = await aGroup(database, merchantId)
  const machine = await aMachine(database, merchantId, { groupId: north })
  const licence = await aLicence(database, machine, {
    created_at: new Date('2027-01-01T00:00:00Z'),
    status: 3,
    expires_on: '2027-08-31',
    client_email: 'c@client.test',
  })
  const of = async (role: Role, groups: 'all' | string[], columns: Record<string, unknown>) => {
    const user = await aUser(database, role, [{ merchantId, groups }])
    for (const [name, value] of Object.entries(columns))
      await database.admin(`update users set ${name} = $2 where id = $1`, [user.id, value])
    return user
  }
  const manager = await of('merchantAdmin', 'all', { allow_licensing: true, language: 'de' })
  const near = await of('merchantUser', [north], { allow_licensing: true, language: 'it' })
  // Without the permission, of another group, and suspended.
  await of('merchantAdmin', 'all', {})
  await of('merchantUser', [south], { allow_licensing: true })
  await of('merchantAdmin', 'all', { allow_licensing: true, status: 'suspended' })
  const foreign = await aMerchant(database)
  const stranger = await aUser(database, 'merchantAdmin', [{ merchantId: foreign.id, groups: 'all' }])
  await database.admin('update users set allow_licensing = true where id = $1', [stranger.id])
  const creator = await aUser(database, 'superAdmin', [])
  await database.admin(
    `insert into licence_events (merchant_id, id, licence_id, at, act, status, by_kind, by_id, pos_id)
     values ($1, gen_random_uuid(), $2, now(), 'create', 0, 'user', $3, $4)`,
    [merchantId, licence.id, creator.id, machine.id],
  )
  const { sent, mail } = aMailbox()
  const at = (instant: string) => remindOfEnds({ doors: database, live, mail, config }, new Date(instant))
  const mails = () => sent.filter(({ subject }) => subject.includes(licence.name))
  await Promise.all(Array.from({ length: 3 }, () => at('2027-08-02T10:00:00Z')))
  await at('2027-08-03T10:00:00Z')
  const expected = ['c@client.test', manager.email, near.email, creator.email].sort()
  expect(
    mails()
      .map(({ to }) => to)
      .sort(),
  ).toEqual(expected)
  const [toManager, toNear] = [manager, near].map(({ email }) => mails().find(({ to }) => to === email))
  expect(toManager?.subject).toContain('31. August 2027')
  expect(toManager?.html).toContain(`https://portal.example.com/service-manager/${licence.id}?merchant=${merchantId}`)
  expect(toNear?.subject).toContain('31 agosto 2027')
  await at('2027-08-25T10:00:00Z')
  expect(mails()).toHaveLength(2 * expected.length)
  // The history has one line per reminder of the client.
  const events = await database.admin(`select 1 from licence_events where licence_id = $1 and act = 'remind'`, [
    licence.id,
  ])
  expect(events).toHaveLength(2)
})

test('a refused mail is sent later under the same id, and a worker that stopped before sending leaves it to the next', async () => {
  const more = { status: 3, expires_on: '2027-03-31', client_email: 'later@client.test' }
  const licence = await aLicenceIn('Europe/Rome', more)
  const { sent, mail } = aMailbox(1)
  const deps = { doors: database, live, mail, config }
  await remindOfEnds(deps, new Date('2027-03-01T10:00:00Z'))
  const [row] = await database.admin<{ mail_id: string; failure: string }>(
    'select mail_id, failure from licence_reminders where licence_id = $1',
    [licence.id],
  )
  expect([sent.length, row?.failure]).toEqual([0, 'Mailbox full'])
  await remindOfEnds(deps, new Date('2027-03-01T10:02:00Z'))
  expect(sent).toMatchObject([{ id: row?.mail_id, to: 'later@client.test' }])
  // A licence that was unassigned meanwhile is not reminded of.
  await database.admin(`update licence_reminders set sent_at = null where licence_id = $1`, [licence.id])
  await database.admin(`update licences set status = 5, unassign_case = 'licenceEnd' where id = $1`, [licence.id])
  await remindOfEnds(deps, new Date('2027-03-01T10:04:00Z'))
  expect(sent).toHaveLength(1)
})
