import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type RemoteCommandType, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'

/** Whether a user has acknowledged an alarm and its time is not over: it sends no notices. */
export const isAcknowledged = ({ acknowledgedUntil }: { acknowledgedUntil: Date | null }, now: Date): boolean =>
  acknowledgedUntil !== null && acknowledgedUntil > now

/** A machine with an open blocking alarm that sold after the fault was last reported: it blocks a part of the machine only. */
export const sellsStill = (
  { criticity, repairedAt, lastAt }: { criticity: number; repairedAt: Date | null; lastAt: Date },
  lastSaleAt: Date | null,
): boolean =>
  criticity >= alarmCriticities.blocking && repairedAt === null && lastSaleAt !== null && lastSaleAt > lastAt

/** Commands that can end a fault: all except reading commands. */
export const remedyCommands: readonly RemoteCommandType[] = Object.entries(remoteCommandTypes)
  .filter(([name]) => !name.startsWith('read'))
  .map(([, type]) => type)
