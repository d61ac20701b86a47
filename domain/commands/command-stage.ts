import { connections } from '#contract/vocabulary/device.ts'
import { type RemoteCommandStatus, remoteCommandStatuses as statuses } from '#contract/vocabulary/remote-command.ts'

/*
 * How far a command has come, told no better than it is known: what was sent has not been received until the machine says so.
 */

export const commandStages = ['planned', 'waits', 'queued', 'sent', 'unanswered', 'claimed', 'ended'] as const
export type CommandStage = (typeof commandStages)[number]

export interface StagedCommand {
  status: RemoteCommandStatus
  notBefore: Date
  startedAt: Date | null
  /** Whether the machine is online, as far as anybody knows. */
  isReachable: boolean
}

/**
 * `planned`: its time has not come. `waits`: the machine is not reached. `queued`: about to be sent. `sent`: told to the machine,
 * which has not taken it up. `unanswered`: told, and the machine is not reached any more. `claimed`: the machine has been told to
 * go and has not said how it went. `ended`: its status and result say the rest.
 */
export function stageOf({ status, notBefore, startedAt, isReachable }: StagedCommand, now: Date): CommandStage {
  if (status !== statuses.scheduled && status !== statuses.running) return 'ended'
  if (startedAt) return 'claimed'
  if (status === statuses.running) return isReachable ? 'sent' : 'unanswered'
  if (now.getTime() < notBefore.getTime()) return 'planned'
  return isReachable ? 'queued' : 'waits'
}

/** Whether a connection's number says that the machine hears what it is told. */
export const isReachable = (connection: number): boolean => connection === connections.online
