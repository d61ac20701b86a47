import type { RemoteCommand } from '#contract/commands/remote-command.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { type CommandStage, isReachable, stageOf } from '#domain/commands/command-stage.ts'
import { instantOf } from '#portal/app/i18n/format.ts'

const { scheduled, running } = remoteCommandStatuses

/** Nothing more will come of it. */
export const isEnded = ({ status }: Pick<RemoteCommand, 'status'>) => status !== scheduled && status !== running

/** A machine that has begun cannot be held back. */
export const canBeCancelled = (command: Pick<RemoteCommand, 'status' | 'startedAt' | 'cancelRequested'>) =>
  !isEnded(command) && command.startedAt === null && !command.cancelRequested

/** Amount of a command in minor units, when it carries any. */
export const creditOf = ({ parameters }: Pick<RemoteCommand, 'parameters'>): number | undefined =>
  typeof parameters.amount === 'number' ? parameters.amount : undefined

/** How far it has come. */
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
