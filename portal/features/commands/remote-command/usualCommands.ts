import type { RemoteCommandType } from '#contract/vocabulary/remote-command.ts'

/** The commands sent most, without parameters: audit, restart, alarms, stock, prices, boot information, counters. */
const byUse = [1, 4, 2, 18, 17, 8, 3] as const satisfies readonly RemoteCommandType[]

/** The five usual commands that the merchant may send. */
export const usualCommands = (isOffered: (type: RemoteCommandType) => boolean) => byUse.filter(isOffered).slice(0, 5)
export type UsualCommand = (typeof byUse)[number]
