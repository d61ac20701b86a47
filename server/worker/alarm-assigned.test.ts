import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import type { Message } from '../mail/mail.ts'
import { mailAlarms } from './watch.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** A user who reads mail in English. */
async function aReader(role: 'merchantAdmin' | 'merchantUser', merchantId: string) {
  const user = await aUser(api.database, role, [{ merchantId, groups: 'all' }])
  await api.database.admin(`update users set language = 'en' where id = $1`, [user.id])
  return user
}

/** A blocked machine, its merchant's admin, and the mails that a worker sends. */
async function aScene() {
  const { id: merchantId, ...merchant } = await aMerchant(api.database)
  const machine = await aMachine(api.database, merchantId, { name: 'Lobby' })
  const admin = await aReader('merchantAdmin', merchantId)
  const alarmId = await anAlarm(api.database, machine, { code: 'ENC', category: 'jam', created_at: new Date() })
  const sent: Message[] = []
  const look = (at: Date) =>
    mailAlarms(
      {
        doors: api.database,
        mail: { send: async (message) => void sent.push(message) },
        live: { announce: () => {} },
        config: { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.example.com' },
      },
      at,
    )
  const to = (address: string) => sent.filter((message) => message.to === address)
  return { merchant, merchantId, machine, admin, alarmId, params: { merchantId, posId: machine.id, alarmId }, look, to }
}

test('a technician gets the alarm by mail at once, with the words and a link that opens it', async () => {
  const { merchantId, machine, admin, alarmId, params, look, to } = await aScene()
  const technician = await aReader('merchantUser', merchantId)
  // Neither switched-off alarm mail nor quiet hours hold back what a user sends.
  await api.database.admin(
    `insert into alarm_settings (merchant_id, code, mail_from, quiet_from, quiet_to, blocking_breaks_quiet)
     values ($1, '*', null, 0, 1439, false)`,
    [merchantId],
  )
  const body = { userId: technician.id, mail: true, note: 'Take a new belt along' }
  await api.as(admin).assignAlarm({ params, body })
  await look(hoursFromNow(0.01))
  const [mail, ...rest] = to(technician.email)
  expect(rest).toEqual([])
  expect(mail?.subject).toBe('For you: Banknote jam, Lobby')
  expect(mail?.text).toContain('Test merchantAdmin assigned this alarm to you')
  expect(mail?.text).toContain('Take a new belt along')
  expect(mail?.text).toContain(
    `https://portal.example.com/devices/${machine.id}/pos-alarms?merchant=${merchantId}&panel=alarm:${machine.id}.${alarmId}`,
  )
  // Sent again, it is another mail; assigned without one, none.
  await api.as(admin).assignAlarm({ params, body })
  await api.as(admin).assignAlarm({ params, body: { userId: technician.id } })
  await look(hoursFromNow(0.02))
  expect(to(technician.email)).toHaveLength(2)
})

test('an acknowledged alarm is not mailed until the acknowledgement ends', async () => {
  const { admin, params, look, to } = await aScene()
  await api.database.admin('update users set receive_notifications = true where id = $1', [admin.id])
  await api.as(admin).acknowledgeAlarm({ params, body: { minutes: 240 } })
  for (const hours of [0.2, 0.3, 3, 3.1]) await look(hoursFromNow(hours))
  expect(to(admin.email)).toEqual([])
  for (const hours of [4.1, 4.2]) await look(hoursFromNow(hours))
  expect(to(admin.email)).toHaveLength(1)
})

test('an alarm that was sent to a technician is still mailed to the subscribers', async () => {
  const { admin, params, look, to } = await aScene()
  await api.database.admin('update users set receive_notifications = true where id = $1', [admin.id])
  await api.as(admin).assignAlarm({ params, body: { userId: admin.id, mail: true } })
  for (const hours of [0.01, 0.2, 0.3]) await look(hoursFromNow(hours))
  expect(to(admin.email).map(({ subject }) => subject)).toEqual(['For you: Banknote jam, Lobby', 'Banknote jam: Lobby'])
})
