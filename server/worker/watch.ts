import { gatherMails, planNotices } from '#database/alarms/alarm-mail.ts'
import { sendDueMails } from '#database/alarms/alarm-mail-outbox.ts'
import { scheduleAudits } from '#database/audits/audit-schedule.ts'
import { endOverdueReservations } from '#database/cashless/expiry.ts'
import { sendNoVendProfiles } from '#database/catalogue/no-vend-schedule.ts'
import { startPlannedPrices } from '#database/catalogue/price-start.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { sendClaimMails } from '#database/key-portal/claim-mail.ts'
import { markSilent } from '#database/machines/machine-condition.ts'
import { raiseOverdue } from '#database/machines/silence.ts'
import { refreshDueSupplies } from '#database/stock/supply.ts'
import { refreshUsualSales } from '#database/stock/usual-sales.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Mail } from '../mail/mail.ts'
import { writeAlarmLetter } from './alarm-letter.ts'
import { writeClaimLetter } from './claim-letter.ts'

/** After this silence the connection state of a machine is unknown. */
const unknownMs = 10 * 60_000

export interface WatchDeps {
  doors: Doors
  mail: Pick<Mail, 'send'>
  live: Pick<LiveHub, 'announce'>
  config: { NO_DATA_MINUTES: number; publicUrl: string }
}

/** States that follow from time alone: unknown connection, silence, overdue audits. */
export async function watchMachines({ doors, live, config }: WatchDeps, at: Date): Promise<void> {
  for (const { merchantId, machineId } of await markSilent(doors, new Date(at.getTime() - unknownMs)))
    live.announce(merchantId, 'machine', machineId)
  for (const { merchantId, machineId } of await raiseOverdue(doors, { at, noDataMinutes: config.NO_DATA_MINUTES })) {
    live.announce(merchantId, 'alarm', machineId)
    live.announce(merchantId, 'machine', machineId)
  }
}

/** Requests scheduled audits from machines. */
export async function requestAudits({ doors, live }: Pick<WatchDeps, 'doors' | 'live'>, at: Date): Promise<void> {
  for (const { merchantId, machineId } of await scheduleAudits(doors, at))
    live.announce(merchantId, 'command', machineId)
}

/** Sends no-vend profiles that wait, and those whose planogram or products have changed. */
export async function sendNoVend({ doors, live }: Pick<WatchDeps, 'doors' | 'live'>, at: Date): Promise<void> {
  for (const { merchantId, machineId, isSent } of await sendNoVendProfiles(doors, at)) {
    live.announce(merchantId, 'configuration', machineId)
    if (isSent) live.announce(merchantId, 'command', machineId)
  }
}

/** Starts planned prices on their day, and sends them. */
export async function startPrices({ doors, live }: Pick<WatchDeps, 'doors' | 'live'>, at: Date): Promise<void> {
  const { started, sent } = await startPlannedPrices(doors, at)
  for (const { merchantId, machineId } of started) live.announce(merchantId, 'price', machineId)
  for (const { merchantId, machineId } of sent) live.announce(merchantId, 'command', machineId)
}

/** Ends overdue reservations of cloud credit. */
export async function endReservations({ doors, live }: Pick<WatchDeps, 'doors' | 'live'>, at: Date): Promise<void> {
  for (const { merchantId, posId, refundId } of await endOverdueReservations(doors, at)) {
    live.announce(merchantId, 'media', posId)
    if (refundId !== null) live.announce(merchantId, 'refund', posId)
  }
}

/** Computes the stock numbers of managed machines that changed, and what machines usually sell once a day. */
export async function refreshSupplies({ doors, live }: Pick<WatchDeps, 'doors' | 'live'>, at: Date): Promise<void> {
  for (const { merchantId, machineId } of await refreshDueSupplies(doors, at))
    live.announce(merchantId, 'stock', machineId)
  await refreshUsualSales(doors, at)
}

/** Mails users about open alarms: finds due alarms, combines them into mails, sends them. */
export async function mailAlarms({ doors, mail, config }: WatchDeps, at: Date): Promise<void> {
  await planNotices(doors, at)
  await gatherMails(doors, at)
  await sendDueMails(doors, at, (letter) => mail.send(writeAlarmLetter(letter, config.publicUrl)))
}

/** Mails customers the answers to their claims. */
export const mailClaims = ({ doors, mail, config }: Pick<WatchDeps, 'doors' | 'mail' | 'config'>, at: Date) =>
  sendClaimMails(doors, at, (claim) => mail.send(writeClaimLetter(claim, config.publicUrl)))
