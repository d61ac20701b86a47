import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { repairAlarms } from '#database/alarms/alarm-repair.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { type Message, openMail } from '../mail/mail.ts'
import { mailAlarms } from './watch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Noon in Rome. */
const noon = new Date('2026-11-20T11:00:00Z')
const after = (minutes: number, from = noon) => new Date(from.getTime() + minutes * 60_000)
const config = { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.example.com' }
const live = { announce: () => {} }

/** The mails sent from here on, and the checks of a worker at given instants. */
function aPost(refuse: () => boolean = () => false) {
  const sent: Message[] = []
  const mail = {
    send: async (message: Message) => {
      if (refuse()) throw new Error('The mail server is away')
      // Long enough for another worker to interleave.
      await new Promise((resolve) => setTimeout(resolve, 20))
      sent.push(message)
    },
  }
  const look = (at: Date) => mailAlarms({ doors: database, mail, live, config }, at)
  return {
    sent,
    look,
    /** Two checks: the second sends mails that waited to be combined. */
    checkTwice: async (at: Date) => {
      await look(at)
      await look(after(2, at))
    },
    to: (address: string) => sent.filter((message) => message.to === address),
  }
}

const anAsker = async (role: Role, merchantId: string, groups: 'all' | string[] = 'all', language = 'en') => {
  const user = await aUser(database, role, [{ merchantId, groups }])
  await database.admin('update users set receive_notifications = true, language = $2 where id = $1', [
    user.id,
    language,
  ])
  return user
}

/** A blocking alarm at noon. */
const atNoon = (machine: TestMachine, columns: Record<string, unknown> = {}) =>
  anAlarm(database, machine, {
    code: 'ENC',
    category: 'jam',
    created_at: noon,
    last_at: noon,
    notice_at: noon,
    ...columns,
  })

const aSetting = (merchantId: string, columns: Record<string, unknown>) => {
  const row = { merchant_id: merchantId, code: '*', mail_from: 4, ...columns }
  const names = Object.keys(row)
  return database.admin(
    `insert into alarm_settings (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  )
}

async function aFleet(columns: Record<string, unknown> = {}) {
  const merchant = await aMerchant(database, columns)
  return { merchant, machine: await aMachine(database, merchant.id, { name: `Lobby ${merchant.name}` }) }
}

const notificationsOf = (alarmId: string) =>
  database.admin<{ kind: string; number: number; recipient: string; sent_at: Date | null; given_up_at: Date | null }>(
    'select * from alarm_notifications where alarm_id = $1 order by planned_at, kind, recipient',
    [alarmId],
  )

describe('with the default settings', () => {
  test('subscribers get one mail five minutes after a machine is blocked, with a link to its alarms', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    const other = await aUser(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
    const alarm = await atNoon(machine, { detail: 'slot 2', count: 3 })
    const post = aPost()
    await post.checkTwice(after(4))
    expect(post.sent).toEqual([])
    await post.look(after(7))
    expect(post.sent).toEqual([])
    for (const minutes of [9, 10, 60]) await post.look(after(minutes))
    expect(post.to(other.email)).toEqual([])
    const [message, ...rest] = post.to(asker.email)
    expect(rest).toEqual([])
    expect(message?.subject).toBe(`Banknote jam: ${machine.name}`)
    const link = `https://portal.example.com/devices/${machine.id}/pos-alarms?merchant=${merchant.id}`
    expect(message?.text).toContain(link)
    expect(message?.html).toContain(link)
    expect(message?.text).toContain('Blocking, since 20 Nov 2026, 12:00')
    expect(message?.text).toContain('3 occurrences')
    expect(message?.text).toContain('slot 2')
    expect(await notificationsOf(alarm)).toMatchObject([
      { kind: 'raised', recipient: asker.email, sent_at: after(9), given_up_at: null },
    ])
  })

  test('a warning sends no mail', async () => {
    const { merchant, machine } = await aFleet()
    await anAsker('merchantAdmin', merchant.id)
    await atNoon(machine, { criticity: 2 })
    const post = aPost()
    await post.checkTwice(after(30))
    expect(post.sent).toEqual([])
  })

  test('an alarm that is repaired before its mail is sent causes no mail', async () => {
    const { merchant, machine } = await aFleet()
    await anAsker('merchantAdmin', merchant.id)
    const alarm = await atNoon(machine)
    const post = aPost()
    await post.look(after(5))
    const by = { id: machine.id, name: 'Test', at: noon, note: undefined }
    await database.withTenant(wholeMerchant(merchant.id), (db) => repairAlarms(db, [alarm], by))
    await post.look(after(8))
    expect(post.sent).toEqual([])
    expect(await notificationsOf(alarm)).toMatchObject([{ sent_at: null, given_up_at: after(8) }])
  })

  test('a new subscriber gets a mail about alarms that are still open', async () => {
    const { merchant, machine } = await aFleet()
    await atNoon(machine)
    const post = aPost()
    await post.checkTwice(after(5))
    const late = await anAsker('merchantUser', merchant.id)
    await post.checkTwice(after(66))
    expect(post.to(late.email)).toHaveLength(1)
  })
})

describe('several alarms of a merchant', () => {
  test('are one mail per recipient, most severe first', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    await aSetting(merchant.id, { mail_from: 2 })
    await atNoon(machine, { code: 'EJC_12', criticity: 2 })
    await atNoon(machine, { code: 'ENC' })
    const post = aPost()
    await post.look(after(5))
    await atNoon(machine, { code: 'EAD', created_at: after(1) })
    await post.look(after(6))
    await post.look(after(7))
    await post.look(after(8))
    const [message, ...rest] = post.to(asker.email)
    expect(rest).toEqual([])
    expect(message?.subject).toBe(`3 alarms at ${merchant.name}`)
    const at = (text: string) => message?.text.indexOf(text) ?? -1
    expect(at('Banknote jam')).toBeGreaterThan(0)
    expect(at('Coin jam')).toBeGreaterThan(0)
    expect(at('Spiral blocked (12)')).toBeGreaterThan(Math.max(at('Banknote jam'), at('Coin jam')))
    expect(message?.text).toContain(`https://portal.example.com/alarms?merchant=${merchant.id}`)
  })

  test('beyond twenty are counted', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    for (let line = 1; line <= 23; line++) await atNoon(machine, { code: `EJC_${line}` })
    const post = aPost()
    await post.checkTwice(after(5))
    expect(post.to(asker.email)[0]?.text).toContain('3 more alarms are open in the portal.')
  })

  test('of two merchants are two mails, even with one recipient', async () => {
    const one = await aFleet()
    const other = await aFleet()
    const asker = await aUser(database, 'merchantAdmin', [
      { merchantId: one.merchant.id, groups: 'all' },
      { merchantId: other.merchant.id, groups: 'all' },
    ])
    await database.admin('update users set receive_notifications = true where id = $1', [asker.id])
    await atNoon(one.machine)
    await atNoon(other.machine)
    const post = aPost()
    await post.checkTwice(after(5))
    expect(post.to(asker.email)).toHaveLength(2)
  })
})

describe('recipients', () => {
  test('a group admin gets mail only about machines of their groups; machines without a group are excluded', async () => {
    const { merchant, machine } = await aFleet()
    const ownGroup = await aGroup(database, merchant.id)
    const foreign = await aGroup(database, merchant.id)
    const asker = await anAsker('groupAdmin', merchant.id, [ownGroup])
    const ownMachine = await aMachine(database, merchant.id, { groupId: ownGroup, name: 'Mine' })
    const foreignMachine = await aMachine(database, merchant.id, { groupId: foreign })
    for (const each of [machine, ownMachine, foreignMachine]) await atNoon(each)
    const post = aPost()
    await post.checkTwice(after(5))
    expect(post.to(asker.email).map(({ subject }) => subject)).toEqual(['Banknote jam: Mine'])
  })

  test('suspended users get no mail, even when suspended after the mail was planned', async () => {
    const { merchant, machine } = await aFleet()
    const before = await anAsker('merchantAdmin', merchant.id)
    const meanwhile = await anAsker('merchantUser', merchant.id)
    const suspend = (id: string) => database.admin(`update users set status = 'suspended' where id = $1`, [id])
    await suspend(before.id)
    await atNoon(machine)
    const post = aPost()
    await post.look(after(5))
    await suspend(meanwhile.id)
    await post.look(after(8))
    expect(post.sent).toEqual([])
  })

  test('no users of another merchant, and no super admin without an assignment', async () => {
    const { machine } = await aFleet()
    const other = await aMerchant(database)
    const stranger = await anAsker('merchantAdmin', other.id)
    const superAdmin = await aUser(database, 'superAdmin', [])
    await database.admin('update users set receive_notifications = true where id = $1', [superAdmin.id])
    await atNoon(machine)
    const post = aPost()
    await post.checkTwice(after(5))
    expect([...post.to(stranger.email), ...post.to(superAdmin.email)]).toEqual([])
  })

  test('a plain address gets the merchant’s language, a user their own, each one mail', async () => {
    const { merchant, machine } = await aFleet({ language: 'it' })
    const german = await anAsker('merchantAdmin', merchant.id, 'all', 'de')
    await aSetting(merchant.id, { addresses: ['Service@Example.com', german.email] })
    await atNoon(machine)
    const post = aPost()
    await post.checkTwice(after(5))
    expect(post.to('service@example.com').map(({ text }) => text)).toEqual([expect.stringContaining('un allarme di')])
    expect(post.to(german.email).map(({ text }) => text)).toEqual([
      expect.stringContaining('Guten Tag Test merchantAdmin,'),
    ])
  })

  test('only addresses, when users are excluded', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    await aSetting(merchant.id, { to_people: false, addresses: ['desk@example.com'] })
    await atNoon(machine)
    const post = aPost()
    await post.checkTwice(after(5))
    expect([post.to(asker.email).length, post.to('desk@example.com').length]).toEqual([0, 1])
  })
})

describe('an alarm that stays open', () => {
  test('sends reminders at the configured interval until it is repaired', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    await aSetting(merchant.id, { reminder_hours: 2, delay_minutes: 0 })
    const alarm = await atNoon(machine)
    const post = aPost()
    for (let minutes = 0; minutes <= 370; minutes += 10) await post.look(after(minutes))
    expect(post.to(asker.email).map(({ subject }) => subject.split(':')[0])).toEqual([
      'Banknote jam',
      ...Array(3).fill('Still open'),
    ])
    const by = { id: machine.id, name: 'Test', at: noon, note: undefined }
    await database.withTenant(wholeMerchant(merchant.id), (db) => repairAlarms(db, [alarm], by))
    for (let minutes = 380; minutes <= 800; minutes += 10) await post.look(after(minutes))
    expect(post.to(asker.email)).toHaveLength(4)
  })

  test('is escalated once, to users only if they see the machine', async () => {
    const { merchant, machine } = await aFleet()
    const head = await aUser(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
    const stranger = await aUser(database, 'merchantAdmin', [])
    await aSetting(merchant.id, {
      to_people: false,
      escalation_hours: 1,
      escalation_people: [head.id, stranger.id],
      escalation_addresses: ['boss@example.com'],
      reminder_hours: null,
    })
    await atNoon(machine)
    const post = aPost()
    for (let minutes = 0; minutes <= 240; minutes += 10) await post.look(after(minutes))
    expect(post.sent.map(({ to, subject }) => [to, subject.split(':')[0]]).sort()).toEqual(
      [
        ['boss@example.com', 'Non risolto'],
        [head.email, 'Non risolto'],
      ].sort(),
    )
  })
})

test('quiet hours over midnight delay a warning until the merchant’s morning, but not a blocking alarm', async () => {
  const { merchant, machine } = await aFleet()
  const asker = await anAsker('merchantAdmin', merchant.id)
  await aSetting(merchant.id, { mail_from: 2, quiet_from: 22 * 60, quiet_to: 7 * 60, delay_minutes: 0 })
  const night = new Date('2026-11-20T22:00:00Z')
  const times = { created_at: night, last_at: night, notice_at: night }
  await atNoon(machine, { code: 'EJC', criticity: 2, ...times })
  await atNoon(machine, { code: 'ENC', criticity: 4, ...times })
  const post = aPost()
  await post.checkTwice(night)
  expect(post.to(asker.email).map(({ subject }) => subject)).toEqual([`Banknote jam: ${machine.name}`])
  const morning = new Date('2026-11-21T06:00:00Z')
  await post.checkTwice(after(-3, morning))
  expect(post.to(asker.email)).toHaveLength(1)
  await post.checkTwice(morning)
  expect(post.to(asker.email)[1]?.subject).toBe(`Spiral blocked: ${machine.name}`)
})

test('a mail that is waiting when quiet hours start is sent in the morning', async () => {
  const { merchant, machine } = await aFleet()
  const asker = await anAsker('merchantAdmin', merchant.id)
  await aSetting(merchant.id, { mail_from: 2, quiet_from: 22 * 60, quiet_to: 7 * 60, delay_minutes: 0 })
  // 21:50 and 21:59 in Rome; the mail server is away until 22:05.
  const earlier = new Date('2026-11-20T20:50:00Z')
  const evening = new Date('2026-11-20T20:59:00Z')
  const early = { created_at: earlier, notice_at: earlier }
  const late = { created_at: evening, notice_at: evening }
  await atNoon(machine, { code: 'EJC', criticity: 2, ...early })
  let isAway = true
  const post = aPost(() => isAway)
  await post.look(earlier)
  await post.look(after(8, earlier))
  await atNoon(machine, { code: 'EJD', criticity: 2, ...late })
  await post.look(evening)
  isAway = false
  for (const minutes of [2, 6, 60, 500]) await post.look(after(minutes, evening))
  expect(post.to(asker.email)).toEqual([])
  const morning = new Date('2026-11-21T06:00:00Z')
  await post.checkTwice(morning)
  expect(post.to(asker.email)).toHaveLength(1)
  expect(post.to(asker.email)[0]?.subject).toContain('2')
})

describe('exactly once', () => {
  test('with four simultaneous workers', async () => {
    const { merchant, machine } = await aFleet()
    const askers = await Promise.all([1, 2, 3].map(() => anAsker('merchantAdmin', merchant.id)))
    for (let line = 1; line <= 10; line++) await atNoon(machine, { code: `EJC_${line}` })
    const post = aPost()
    for (const minutes of [5, 6, 7, 8, 9]) await Promise.all([1, 2, 3, 4].map(() => post.look(after(minutes))))
    for (const asker of askers) expect(post.to(asker.email)).toHaveLength(1)
  })

  test('if the mail server was away: later, as the same mail', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    const alarm = await atNoon(machine)
    let isAway = true
    const post = aPost(() => isAway)
    await post.checkTwice(after(5))
    const [waiting] = await database.admin<{ mail_id: string; failure: string }>(
      'select mail_id, failure from alarm_notifications where alarm_id = $1',
      [alarm],
    )
    expect(waiting?.failure).toBe('The mail server is away')
    isAway = false
    await post.look(after(8))
    await post.look(after(30))
    expect(post.to(asker.email).map(({ id }) => id)).toEqual([waiting?.mail_id])
  })

  test('mails are given up if the mail server stays away', async () => {
    const { merchant, machine } = await aFleet()
    await anAsker('merchantAdmin', merchant.id)
    await aSetting(merchant.id, { reminder_hours: null })
    const alarm = await atNoon(machine)
    const post = aPost(() => true)
    for (let minutes = 5; minutes < 2000; minutes += 15) await post.look(after(minutes))
    const [row] = await database.admin(
      'select attempts, given_up_at is not null as ended from alarm_notifications where alarm_id = $1',
      [alarm],
    )
    expect(row).toEqual({ attempts: 8, ended: true })
  })

  test('a mail whose sending was not recorded appears once in the mailbox', async () => {
    const { merchant, machine } = await aFleet()
    const asker = await anAsker('merchantAdmin', merchant.id)
    const alarm = await atNoon(machine)
    const mail = openMail({ smtpUrl: undefined, from: 'x', isMailboxShown: true, doors: database })
    const look = (at: Date) => mailAlarms({ doors: database, mail, live, config }, at)
    await look(after(5))
    await look(after(7))
    await database.admin('update alarm_notifications set sent_at = null where alarm_id = $1', [alarm])
    await look(after(8))
    expect(await database.admin('select id from mailbox where recipient = $1', [asker.email])).toHaveLength(1)
  })
})
