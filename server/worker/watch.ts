import { gatherMails, planNotices } from '#database/alarms/alarm-mail.ts'
import { sendDueMails } from '#database/alarms/alarm-mail-outbox.ts'
import { scheduleAudits } from '#database/audits/audit-schedule.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { markSilent } from '#database/machines/machine-condition.ts'
import { raiseOverdue } from '#database/machines/silence.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Mail } from '../mail/mail.ts'
import { writeAlarmLetter } from './alarm-letter.ts'

/** A machine that said nothing for so long may be there or not. */
const unknownMs = 10 * 60_000

export interface WatchDeps {
  doors: Doors
  mail: Pick<Mail, 'send'>
  live: Pick<LiveHub, 'announce'>
  config: { NO_DATA_MINUTES: number; publicUrl: string }
}

/** Conditions that follow from time alone: unknown state, silence, overdue audits. */
export async function watchMachines({ doors, live, config }: WatchDeps, at: Date): Promise<void> {
  for (const { merchantId, machineId } of await markSilent(doors, new Date(at.getTime() - unknownMs)))
    live.announce(merchantId, 'machine', machineId)
  for (const { merchantId, machineId } of await raiseOverdue(doors, { at, noDataMinutes: config.NO_DATA_MINUTES })) {
    live.announce(merchantId, 'alarm', machineId)
    live.announce(merchantId, 'machine', machineId)
  }
}

/** Asks machines for their audits when their merchants want them. */
export async function askForAudits({ doors, live }: Pick<WatchDeps, 'doors' | 'live'>, at: Date): Promise<void> {
  for (const { merchantId, machineId } of await scheduleAudits(doors, at))
    live.announce(merchantId, 'command', machineId)
}

/** Tells people of open alarms: works out what is due, gathers it into mails, sends them. */
export async function mailAlarms({ doors, mail, config }: WatchDeps, at: Date): Promise<void> {
  await planNotices(doors, at)
  await gatherMails(doors, at)
  await sendDueMails(doors, at, (letter) => mail.send(writeAlarmLetter(letter, config.publicUrl)))
}
