import { SendOutcome } from '#contract/commands/remote-command.ts'
import type { ApiError } from '#portal/app/apiError.ts'

/** Restart, money, configurations and updates: commands that cannot simply be repeated. */
export const graveCommands: readonly number[] = [4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 19]

const Refusals = SendOutcome.shape.refused

/** The error of each machine when the whole batch is refused. */
export const readRefused = ({ facts }: ApiError): SendOutcome['refused'] => Refusals.safeParse(facts.refused).data ?? []
