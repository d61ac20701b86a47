import type { DeadLetter } from '#contract/platform/dead-letter.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

/** The state of a letter: set aside, waiting to be processed again, or processed. */
export type ReplayState = 'aside' | 'waiting' | 'stored' | 'repeated' | 'refused'

export const replayStateOf = ({ replay }: Pick<DeadLetter, 'replay'>): ReplayState =>
  replay === null ? 'aside' : (replay.outcome ?? 'waiting')

export const replayLooks = {
  aside: { tone: 'mute', mark: 'ring', word: 'dead-letter:state.aside' },
  waiting: { tone: 'info', mark: 'clock', word: 'dead-letter:state.waiting' },
  stored: { tone: 'ok', mark: 'check', word: 'dead-letter:state.stored' },
  repeated: { tone: 'mute', mark: 'half', word: 'dead-letter:state.repeated' },
  refused: { tone: 'crit', mark: 'cross', word: 'dead-letter:state.refused' },
} as const satisfies Record<ReplayState, Appearance>
