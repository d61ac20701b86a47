import { expect, test } from 'vitest'
import { nextNotice, type SentMails, sentAfter } from './alarm-notice.ts'
import { type AlarmSetting, alarmBySetting, settingOf } from './alarm-setting.ts'

const zone = 'Europe/Rome'
const createdAt = new Date('2026-11-20T12:00:00Z')
const blocking = { criticity: 4, createdAt }
const warning = { criticity: 2, createdAt }
const nothingSent: SentMails = { lastAt: null, reminders: 0, isEscalated: false }
const productDefault = settingOf(new Map(), 'ENC')
const all: AlarmSetting = { ...productDefault, mailFrom: 0 }
const after = (minutes: number) => new Date(createdAt.getTime() + minutes * 60_000)

const next = (
  alarm: { criticity: number; createdAt: Date },
  setting: Partial<AlarmSetting> = {},
  sentMails: Partial<SentMails> = {},
  now = createdAt,
) => nextNotice(alarm, { ...productDefault, ...setting }, { ...nothingSent, ...sentMails }, { zone, now })

test('by default, blocking alarms are mailed after five minutes and others not at all', () => {
  expect(next(blocking)).toEqual({ kind: 'raised', number: 0, at: after(5) })
  expect(next(warning)).toBeNull()
})

test('a silent machine is notified at once, though it is not blocked', () => {
  const setting = settingOf(new Map(), 'P:NODATA')
  expect(nextNotice(warning, setting, nothingSent, { zone, now: createdAt })).toEqual({
    kind: 'raised',
    number: 0,
    at: createdAt,
  })
})

test('an alarm below the minimum severity is not notified; without mail, no mail is sent', () => {
  expect(next(warning, { mailFrom: 2 })?.kind).toBe('raised')
  expect(next({ criticity: 0, createdAt }, { mailFrom: 2 })).toBeNull()
  expect(next(blocking, { mailFrom: null })).toBeNull()
})

test('a reminder follows the last notice after the configured hours, never several at once', () => {
  const sentMails = { lastAt: after(5) }
  expect(next(blocking, { reminderHours: 2 }, sentMails)).toEqual({ kind: 'reminder', number: 1, at: after(125) })
  const late = sentAfter({ ...nothingSent, ...sentMails }, { kind: 'reminder', number: 1 }, after(5000))
  expect(next(blocking, { reminderHours: 2 }, late)).toEqual({ kind: 'reminder', number: 2, at: after(5120) })
  expect(next(blocking, { reminderHours: null }, sentMails)).toBeNull()
})

test('escalation recipients are notified once when an alarm stays open too long', () => {
  const setting = { escalationHours: 4, escalationAddresses: ['head@example.com'], reminderHours: 3 }
  const sentMails = { lastAt: after(185), reminders: 1 }
  expect(next(blocking, setting, sentMails)).toEqual({ kind: 'escalation', number: 0, at: after(240) })
  expect(next(blocking, setting, { ...sentMails, isEscalated: true })).toMatchObject({ kind: 'reminder', number: 2 })
  expect(next(blocking, { ...setting, reminderHours: null }, { ...sentMails, isEscalated: true })).toBeNull()
})

test('without recipients there is no escalation', () => {
  expect(next(blocking, { escalationHours: 1, reminderHours: null }, { lastAt: after(5) })).toBeNull()
})

const night = { from: 22 * 60, to: 7 * 60, days: [1, 2, 3, 4, 5, 6, 7] }
const atNight = { criticity: 2, createdAt: new Date('2026-11-20T22:30:00Z') }
const morning = new Date('2026-11-21T06:00:00Z')

test('a first notice, reminder or escalation in quiet hours waits for their end', () => {
  const quiet = { ...all, quietHours: night }
  expect(next(atNight, quiet)).toEqual({ kind: 'raised', number: 0, at: morning })
  const evening = { lastAt: new Date('2026-11-20T19:30:00Z') }
  expect(next(atNight, { ...quiet, reminderHours: 1 }, evening)?.at).toEqual(new Date('2026-11-20T20:30:00Z'))
  expect(next(atNight, { ...quiet, reminderHours: 2 }, evening)?.at).toEqual(morning)
  const escalating = { ...quiet, reminderHours: null, escalationHours: 1, escalationAddresses: ['head@example.com'] }
  expect(next(atNight, escalating, evening)).toEqual({ kind: 'escalation', number: 0, at: morning })
})

test('a late notice is sent as soon as possible, but not in quiet hours that have begun', () => {
  const late = new Date('2026-11-20T20:00:00Z')
  expect(next(warning, { ...all, quietHours: night }, {}, late)?.at).toEqual(late)
  const tooLate = new Date('2026-11-20T23:00:00Z')
  expect(next(warning, { ...all, quietHours: night }, {}, tooLate)?.at).toEqual(morning)
})

test('an alarm that blocks a machine interrupts quiet hours if the merchant allows it', () => {
  const blockingAtNight = { ...atNight, criticity: 4 }
  const fiveLater = new Date('2026-11-20T22:35:00Z')
  expect(next(blockingAtNight, { quietHours: night, blockingBreaksQuiet: true })?.at).toEqual(fiveLater)
  expect(next(blockingAtNight, { quietHours: night, blockingBreaksQuiet: false })?.at).toEqual(morning)
  expect(next(atNight, { ...all, quietHours: night, blockingBreaksQuiet: true })?.at).toEqual(morning)
})

test('a setting applies to its code, then to codes with its meaning, then to all; else the default', () => {
  const named = (delayMinutes: number): AlarmSetting => ({ ...productDefault, delayMinutes })
  const settings = new Map([
    ['EJC_12', named(1)],
    ['EJC', named(2)],
    ['*', named(3)],
  ])
  const delays = ['EJC_12', 'EJC_13', 'ENC', 'P:NODATA'].map((code) => settingOf(settings, code).delayMinutes)
  expect(delays).toEqual([1, 2, 3, 3])
  expect(settingOf(new Map(), 'EJC_12').delayMinutes).toBe(5)
})

test('an alarm that is switched off is not raised; another severity changes its status', () => {
  const alarm = { criticity: 4, status: 'active' } as const
  expect(alarmBySetting(alarm, { ...productDefault, enabled: false })).toBeNull()
  expect(alarmBySetting(alarm, productDefault)).toBe(alarm)
  expect(alarmBySetting(alarm, { ...productDefault, criticity: 0 })).toEqual({ criticity: 0, status: 'notification' })
  expect(alarmBySetting({ criticity: 0, status: 'notification' }, { ...productDefault, criticity: 2 })).toEqual({
    criticity: 2,
    status: 'active',
  })
  expect(alarmBySetting({ criticity: 4, status: 'repaired' }, { ...productDefault, criticity: 0 })?.status).toBe(
    'repaired',
  )
})
