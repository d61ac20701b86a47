import {
  type RemoteCommandResult,
  type RemoteCommandStatus,
  remoteCommandResults as results,
  remoteCommandStatuses as statuses,
} from '#contract/vocabulary/remote-command.ts'

/*
 * The life of a command. It is sent until its machine claims it, just before executing; the answer to the claim (go or no go)
 * settles every race with its expiry and its cancellation, and what the machine then reports ends it.
 */

export interface CommandState {
  status: RemoteCommandStatus
  result: RemoteCommandResult | null
  attempts: number
  maximumAttempts: number
  notBefore: Date
  expiresAt: Date
  nextAttemptAt: Date
  /** The machine got the confirmation to execute. */
  startedAt: Date | null
  /** When it last reported a step of an update. */
  progressAt?: Date | null
  /** The confirmed claim; repeating it gets the same answer. */
  claimId: string | null
}

/** The changes of the row; missing fields stay. */
export interface CommandChange {
  status?: RemoteCommandStatus
  result?: RemoteCommandResult
  resultInfo?: string | null
  cancelRequested?: boolean
  attempts?: number
  nextAttemptAt?: Date
  /** It was sent to the machine, for the first time or again. */
  sentAt?: Date
  startedAt?: Date
  executedAt?: Date
  claimId?: string
}

export type Outcome = 'success' | 'warning' | 'error' | 'unsupported'

/** A confirmed command without a result or a further step is given up after this time. */
export const silenceAfterGoMs = 60 * 60_000

const firstPauseMs = 10_000
const longestPauseMs = 10 * 60_000

/** The wait for a claim after the n-th sending: 10 s, 20 s, 40 s … up to 10 minutes. */
export const pauseAfter = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 16))

const isPending = ({ status }: CommandState) => status === statuses.scheduled || status === statuses.running
const isBefore = (one: Date, other: Date) => one.getTime() < other.getTime()
const notExecuted = (result: RemoteCommandResult): CommandChange => ({ status: statuses.notExecuted, result })

/** Ends a command that has expired or whose last attempt got no answer. Null: it continues, or has ended already. */
export function expire(command: CommandState, now: Date): CommandChange | null {
  if (!isPending(command)) return null
  if (command.startedAt) {
    const heardAt = Math.max(command.startedAt.getTime(), command.progressAt?.getTime() ?? 0)
    const isGivenUp = now.getTime() - heardAt >= silenceAfterGoMs
    return isGivenUp && !isBefore(now, command.expiresAt) ? notExecuted(results.expired) : null
  }
  if (!isBefore(now, command.expiresAt)) return notExecuted(results.expired)
  const isSpent = command.attempts >= command.maximumAttempts && !isBefore(now, command.nextAttemptAt)
  return isSpent ? notExecuted(results.retriesExceeded) : null
}

/**
 * Sends a command to its machine, which is connected; `isAsked` when the machine itself asks what waits for it, which is
 * no attempt of ours and waits for no pause. Null: not now.
 */
export function send(command: CommandState, now: Date, { isAsked = false } = {}): CommandChange | null {
  if (!isPending(command) || command.startedAt) return null
  if (isBefore(now, command.notBefore) || !isBefore(now, command.expiresAt)) return null
  const afterPause = (attempts: number) => new Date(now.getTime() + pauseAfter(attempts))
  if (isAsked) {
    const next = afterPause(1)
    return {
      status: statuses.running,
      sentAt: now,
      nextAttemptAt: isBefore(command.nextAttemptAt, next) ? next : command.nextAttemptAt,
    }
  }
  if (isBefore(now, command.nextAttemptAt) || command.attempts >= command.maximumAttempts) return null
  const attempts = command.attempts + 1
  return { status: statuses.running, attempts, sentAt: now, nextAttemptAt: afterPause(attempts) }
}

/** The machine requests the confirmation to execute. One claim at most is confirmed. */
export function claim(
  command: CommandState,
  claimId: string,
  now: Date,
): { go: boolean; change: CommandChange | null } {
  if (command.startedAt) return { go: isPending(command) && command.claimId === claimId, change: null }
  if (!isPending(command) || isBefore(now, command.notBefore)) return { go: false, change: null }
  if (!isBefore(now, command.expiresAt)) return { go: false, change: notExecuted(results.expired) }
  return { go: true, change: { status: statuses.running, startedAt: now, claimId } }
}

const ends = {
  success: { status: statuses.received, result: results.success },
  warning: { status: statuses.receivedWithWarnings, result: results.unknownWarning },
  error: { status: statuses.receivedWithErrors, result: results.unknownError },
  unsupported: { status: statuses.notExecuted, result: results.unsupported },
} as const satisfies Record<Outcome, CommandChange>

/**
 * The machine reports the result. `repeated`: the result is known already and nothing changes. `refused`: the machine had no confirmation.
 * A report after the machine was given up still counts, for it is the truth.
 */
export function report(
  command: CommandState,
  outcome: Outcome,
  info: string | null,
  executedAt: Date,
): CommandChange | 'repeated' | 'refused' {
  if (!command.startedAt) return 'refused'
  const isGivenUp = command.status === statuses.notExecuted && command.result === results.expired
  if (!isPending(command) && !isGivenUp) return 'repeated'
  return { ...ends[outcome], resultInfo: info, executedAt }
}

/** A user cancels it. Null: its machine has started, or it has ended. */
export function cancel(command: CommandState): CommandChange | null {
  if (!isPending(command) || command.startedAt) return null
  return { ...notExecuted(results.cancelledByUser), cancelRequested: true }
}

/** It cannot be sent: its message would exceed the machine's maximum size. */
export const refuseToSend = (info: string): CommandChange => ({
  ...notExecuted(results.unknownError),
  resultInfo: info,
})
