import { type CommandOrder, commandLifetime, maximumCommandMachines } from '#contract/remote-command.ts'
import { type Currency, currencies } from '#contract/vocabulary/currencies.ts'
import type { SendableCommandType } from '#contract/vocabulary/remote-command.ts'
import { instantOf } from '../../app/i18n/format.ts'

export const mostMachines = maximumCommandMachines
export const sendCredit = 5
/** The contract's own bound, in minor units. */
export const mostCredit = 1_000_000

const minute = 60_000
const hour = 60 * minute
/** Waiting times offered, in hours; the second is what a command has when nobody says. */
export const expiryHours = [1, commandLifetime.defaultSeconds / 3600, 72, 168, 720] as const
export const usualExpiry = commandLifetime.defaultSeconds / 3600
export const mostDaysAhead = commandLifetime.maximumSeconds / 86_400

/** What somebody has put together so far. */
export interface Draft {
  type: SendableCommandType | undefined
  /** As typed, in the currency's units; empty, none. */
  amount: string
  isLater: boolean
  /** The wire's instant, or what was typed and is none. */
  at: string
  expiry: number
}
export const emptyDraft: Draft = { type: undefined, amount: '', isLater: false, at: '', expiry: usualExpiry }

/**
 * What is typed in a currency's units, in its minor units. Dot and comma both part the decimals, and thousands are not parted at
 * all: 2.5 and 2,5 are the same, and 1.000 is nothing, since nobody can tell which of two amounts was meant.
 */
export function minorOf(amount: string, currency: Currency): number | undefined {
  const { storageDigits, shownDigits } = currencies[currency]
  const [, whole, decimals = ''] = /^\s*(\d{1,9})(?:[.,](\d*))?\s*$/.exec(amount) ?? []
  if (whole === undefined || decimals.length > shownDigits) return undefined
  return Number(whole + decimals.padEnd(storageDigits, '0'))
}

export type WhenFault = 'past' | 'tooLate'

/** When the command begins and gives up, or what is wrong with it. "Now" has no start of its own. */
export function windowOf(
  { isLater, at, expiry }: Pick<Draft, 'isLater' | 'at' | 'expiry'>,
  now: Date,
): { start: Date | undefined; expires: Date } | WhenFault {
  const latest = now.getTime() + commandLifetime.maximumSeconds * 1000
  const start = isLater && /^\d{4}-\d\d-\d\dT/.test(at) ? instantOf(at) : undefined
  if (isLater && (!start || start.getTime() < now.getTime())) return 'past'
  const end = (start ?? now).getTime() + expiry * hour
  // An order of now that may wait as long as any leaves a minute for its own way to the server.
  const expires = start ? end : Math.min(end, latest - minute)
  return expires > latest ? 'tooLate' : { start, expires: new Date(expires) }
}

export type AmountFault = 'required' | 'unclear' | 'most'
export function amountFault(amount: string, currency: Currency): AmountFault | undefined {
  const minor = minorOf(amount, currency)
  if (amount.trim() === '' || minor === 0) return 'required'
  if (minor === undefined) return 'unclear'
  return minor > mostCredit ? 'most' : undefined
}

/** The order as the endpoint takes it. Only a whole draft has one. */
export function orderOf(
  { type, amount }: Draft,
  currency: Currency | undefined,
  window: { start?: string | undefined; expires: string },
): CommandOrder | undefined {
  const limits = { notBefore: window.start, expiresAt: window.expires }
  if (type === undefined) return undefined
  if (type !== sendCredit) return { type, parameters: {}, ...limits }
  if (!currency || amountFault(amount, currency)) return undefined
  return { type, parameters: { amount: minorOf(amount, currency) as number }, ...limits }
}
