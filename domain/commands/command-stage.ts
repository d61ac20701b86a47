import { connections } from '#contract/vocabulary/device.ts'
import { type RemoteCommandStatus, remoteCommandStatuses as statuses } from '#contract/vocabulary/remote-command.ts'

/*
 * The progress of a command, as far as known: a sent command is not received until the machine reports it.
 */

export const commandStages = ['planned', 'waits', 'queued', 'sent', 'unanswered', 'claimed', 'ended'] as const
export type CommandStage = (typeof commandStages)[number]

export interface StagedCommand {
  status: RemoteCommandStatus
  notBefore: Date
  startedAt: Date | null
  /** Whether the machine is online, as far as known. */
  isReachable: boolean
}

/**
 * `planned`: its time is in the future. `waits`: the machine is offline. `queued`: about to be sent. `sent`: sent to the machine,
 * which has not claimed it. `unanswered`: sent, and the machine went offline. `claimed`: the machine may
 * execute and has not reported the result. `ended`: its status and result say the rest.
 */
export function stageOf({ status, notBefore, startedAt, isReachable }: StagedCommand, now: Date): CommandStage {
  if (status !== statuses.scheduled && status !== statuses.running) return 'ended'
  if (startedAt) return 'claimed'
  if (status === statuses.running) return isReachable ? 'sent' : 'unanswered'
  if (now.getTime() < notBefore.getTime()) return 'planned'
  return isReachable ? 'queued' : 'waits'
}

/** Whether a machine with this connection number receives messages. */
export const isReachable = (connection: number): boolean => connection === connections.online
