import type { RemoteCommand } from '#contract/commands/remote-command.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { type CommandStage, isReachable, stageOf } from '#domain/commands/command-stage.ts'
import { instantOf } from '#portal/app/i18n/format.ts'

const { scheduled, running } = remoteCommandStatuses

/** The command has ended. */
export const isEnded = ({ status }: Pick<RemoteCommand, 'status'>) => status !== scheduled && status !== running

/** A command that its machine has started cannot be cancelled. */
export const canBeCancelled = (command: Pick<RemoteCommand, 'status' | 'startedAt' | 'cancelRequested'>) =>
  !isEnded(command) && command.startedAt === null && !command.cancelRequested

/** The amount of a command in minor units, if it has one. */
export const creditOf = ({ parameters }: Pick<RemoteCommand, 'parameters'>): number | undefined =>
  typeof parameters.amount === 'number' ? parameters.amount : undefined

/** The progress of a command. */
export const stageOfCommand = (
  {
    status,
    notBefore,
    startedAt,
    posConnection,
  }: Pick<RemoteCommand, 'status' | 'notBefore' | 'startedAt' | 'posConnection'>,
  now: Date,
): CommandStage =>
  stageOf(
    {
      status,
      notBefore: instantOf(notBefore) ?? now,
      startedAt: instantOf(startedAt) ?? null,
      isReachable: isReachable(posConnection),
    },
    now,
  )
