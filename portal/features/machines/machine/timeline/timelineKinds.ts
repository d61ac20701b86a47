import type { TimelineEntry } from '#contract/machines/machine.ts'

type Kind = TimelineEntry['kind']

/** The chips of a timeline, each with the kinds that it shows. */
const kindsOfChips = {
  alarms: ['alarm', 'repair', 'reopen'],
  commands: ['command'],
  audits: ['audit'],
  notes: ['note'],
  starts: ['boot', 'association'],
} as const satisfies Record<string, readonly Kind[]>

export type TimelineChip = keyof typeof kindsOfChips
export const timelineChips = Object.keys(kindsOfChips) as TimelineChip[]

/** The kinds of the chosen chips; without any, all kinds. */
export const kindsOf = (chips: readonly TimelineChip[]): Kind[] => chips.flatMap((chip) => [...kindsOfChips[chip]])

/** The chips that an address names. */
export const chipsIn = (names: readonly string[]): TimelineChip[] =>
  timelineChips.filter((chip) => names.includes(chip))
