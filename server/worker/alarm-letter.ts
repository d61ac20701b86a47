import type { AlarmMail, MailedAlarm } from '#database/alarms/alarm-mail-outbox.ts'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { type Message, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'

/** Maximum alarms listed in a mail; the others are counted. */
const named = 20

const criticityWords = { 0: 'notification', 2: 'warning', 4: 'blocking' } as const

/** A mail about one merchant's alarms in its reader's language, with a link to each. */
export function writeAlarmLetter(mail: AlarmMail, origin: string): Message {
  const { language, merchant, alarms } = mail
  const words = wordsIn(language, 'alarm-mail')
  const vocabulary = wordsIn(language, 'vocabulary')
  const events = wordsIn(language, 'machine-event')
  const number = (value: number) => new Intl.NumberFormat(localeOf(language)).format(value)
  const instant = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: merchant.zone,
  })
  const merchantQuery = `merchant=${merchant.id}`

  const nameOf = ({ code }: MailedAlarm) => {
    const { name, detail } = describeAlarm(code)
    if (!name) return code
    return detail ? `${events(name)} (${detail})` : events(name)
  }
  // The alarm itself, beside the alarms of its machine; on a phone it fills the screen.
  const addressOf = ({ machineId, alarmId }: MailedAlarm) =>
    `${origin}/devices/${machineId}/pos-alarms?${merchantQuery}&panel=alarm:${machineId}.${alarmId}`
  const textOf = (alarm: MailedAlarm) => {
    const criticity = vocabulary(`alarmCriticity.${criticityWords[alarm.criticity as 0 | 2 | 4]}`)
    const sentence = words(`line.${alarm.kind}`, { criticity, since: instant.format(alarm.createdAt) })
    const times = alarm.count > 1 ? words('times', { count: alarm.count, number: number(alarm.count) }) : null
    return [sentence, times, alarm.message, alarm.detail].filter(Boolean).join(' · ')
  }

  const [first] = alarms
  const count = alarms.length
  const facts = { count, number: number(count), merchant: merchant.name }
  const subject =
    count === 1 && first
      ? words(`subject.${first.kind}`, { alarm: nameOf(first), machine: first.machineName })
      : words('subject.several', facts)
  const left = count - named
  const assigned = first?.kind === 'assigned' ? { note: first.note, by: first.sentBy ?? 'Gettone' } : undefined
  const letter = writeLetter({
    language,
    subject,
    paragraphs: [
      mail.name === null ? words('greetingAll') : words('greeting', { name: mail.name }),
      ...(assigned ? [words('assignedBy', { name: assigned.by })] : [words('lead', facts)]),
      ...(assigned?.note ? [assigned.note] : []),
    ],
    list: [
      ...alarms.slice(0, named).map((alarm) => ({
        title: `${nameOf(alarm)} – ${alarm.machineName}`,
        text: textOf(alarm),
        href: addressOf(alarm),
      })),
    ],
    button: {
      label: words('button', { count }),
      href: count === 1 && first ? addressOf(first) : `${origin}/alarms?${merchantQuery}`,
    },
    after: [
      left > 0 ? words('more', { count: left, number: number(left) }) : null,
      assigned
        ? words('after.assigned', { name: assigned.by })
        : words(mail.name === null ? 'after.address' : 'after.person', { merchant: merchant.name }),
      words('zone', { zone: merchant.zone }),
    ]
      .filter(Boolean)
      .join(' '),
  })
  return { id: mail.id, to: mail.to, ...letter }
}
