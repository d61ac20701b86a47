import type { RemoteCommand } from '#contract/remote-command.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'

const { scheduled, running } = remoteCommandStatuses

/** Nothing more will come of it. */
export const isEnded = ({ status }: Pick<RemoteCommand, 'status'>) => status !== scheduled && status !== running

/** A machine that has begun cannot be held back. */
export const canBeCancelled = (command: Pick<RemoteCommand, 'status' | 'startedAt' | 'cancelRequested'>) =>
  !isEnded(command) && command.startedAt === null && !command.cancelRequested

/** Credit of a command in minor units, when it carries any. */
export const creditOf = ({ parameters }: Pick<RemoteCommand, 'parameters'>): number | undefined =>
  typeof parameters.amount === 'number' ? parameters.amount : undefined
