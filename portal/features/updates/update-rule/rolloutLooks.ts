import type { RolloutMachineState, RolloutState } from '#contract/updates/rollout-state.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const rolloutLooks = {
  draft: { tone: 'mute', mark: 'ring', word: 'vocabulary:rolloutState.draft' },
  running: { tone: 'info', mark: 'half', word: 'vocabulary:rolloutState.running' },
  paused: { tone: 'warn', mark: 'dash', word: 'vocabulary:rolloutState.paused' },
  halted: { tone: 'crit', mark: 'triangle', word: 'vocabulary:rolloutState.halted' },
  complete: { tone: 'ok', mark: 'check', word: 'vocabulary:rolloutState.complete' },
  ended: { tone: 'mute', mark: 'cross', word: 'vocabulary:rolloutState.ended' },
} as const satisfies Record<RolloutState, Appearance>

export const machineLooks = {
  failed: { tone: 'crit', mark: 'cross', word: 'update-rule:machine.failed' },
  silent: { tone: 'crit', mark: 'triangle', word: 'update-rule:machine.silent' },
  alarmed: { tone: 'crit', mark: 'triangle', word: 'update-rule:machine.alarmed' },
  held: { tone: 'warn', mark: 'dash', word: 'update-rule:machine.held' },
  sent: { tone: 'info', mark: 'half', word: 'update-rule:machine.sent' },
  watching: { tone: 'info', mark: 'clock', word: 'update-rule:machine.watching' },
  waiting: { tone: 'mute', mark: 'ring', word: 'update-rule:machine.waiting' },
  confirmed: { tone: 'ok', mark: 'check', word: 'update-rule:machine.confirmed' },
  current: { tone: 'mute', mark: 'check', word: 'update-rule:machine.current' },
  left: { tone: 'mute', mark: 'cross', word: 'update-rule:machine.left' },
} as const satisfies Record<RolloutMachineState, Appearance>
