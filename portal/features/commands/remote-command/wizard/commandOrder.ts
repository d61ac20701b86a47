import {
  CommandOrder,
  commandLifetime,
  LocalWindow,
  maximumCommandMachines,
  moneyCommands,
} from '#contract/commands/remote-command.ts'
import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import type { RemoteCommandType } from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { largestAmount } from '#contract/vocabulary/world/money-limits.ts'
import { windowIn } from '#domain/commands/command-window.ts'
import { hasTooManyDecimals, readAmount } from '#domain/money/amount-text.ts'
import { readTime } from '#domain/time/zoned-time.ts'
import { instantOf } from '#portal/app/i18n/format.ts'

export const mostMachines = maximumCommandMachines
/** Commands with an amount: credit, and cash paid out. */
export const amountCommands: readonly RemoteCommandType[] = [5, 7]
const sendConfig = 6
const sendPrices = 10

const minute = 60_000
const hour = 60 * minute
/** Waiting times offered, in hours; the second is the default. */
export const expiryHours = [1, commandLifetime.defaultSeconds / 3600, 72, 168, 720] as const
export const usualExpiry = commandLifetime.defaultSeconds / 3600
export const mostDaysAhead = commandLifetime.maximumSeconds / 86_400

export interface SettingRow {
  name: string
  value: string
}
export interface PriceRow {
  selection: string
  /** Empty: all tables. */
  priceTable: string
  /** As typed, in the currency's units. */
  price: string
}
export const emptySetting: SettingRow = { name: '', value: '' }
export const emptyPrice: PriceRow = { selection: '', priceTable: '', price: '' }

/** The current draft; parameters that a command does not need are ignored. */
export interface Draft {
  type: RemoteCommandType | undefined
  /** Minor units, or the typed text if it cannot be read. */
  amount: number | string | null
  /** What the order names: firmware, a cash database, or a configuration of the visual programmer. */
  objectId: string
  settings: readonly SettingRow[]
  prices: readonly PriceRow[]
  when: 'now' | 'later' | 'window'
  /** The wire's instant, or the typed text if it is not a moment. */
  at: string
  expiry: number
  /** A window by the clock at each machine. */
  day: string | null
  from: string
  until: string
}
export const emptyDraft: Draft = {
  type: undefined,
  amount: null,
  objectId: '',
  settings: [emptySetting],
  prices: [emptyPrice],
  when: 'now',
  at: '',
  expiry: usualExpiry,
  day: null,
  from: '02:00',
  until: '05:00',
}

/** An amount typed in a currency's units, in its minor units; a negative amount is invalid. */
export function minorOf(amount: string, currency: Currency): number | undefined {
  const minor = readAmount(amount, currency)
  return minor === undefined || minor < 0 ? undefined : minor
}

export type AmountFault = 'required' | 'unclear' | 'most'
export function amountFault(amount: Draft['amount'], currency: Currency): AmountFault | undefined {
  if (amount === null) return 'required'
  if (typeof amount === 'string') return amount.trim() === '' ? 'required' : 'unclear'
  if (amount <= 0) return 'required'
  return amount > largestAmount(currency) ? 'most' : undefined
}

/** A typed whole number; other text stays as typed, so that the contract reports it. */
const wholeOf = (text: string) => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text.trim() || undefined)

/** The parameters of the command; the contract refuses missing or invalid parts. */
function parametersOf(draft: Draft, currency: Currency | undefined): object {
  const money = (text: string) => (currency && minorOf(text, currency)) ?? (text.trim() || undefined)
  const objectId = draft.objectId || undefined
  switch (draft.type) {
    case 5:
    case 7:
      return { amount: draft.amount ?? undefined }
    case 6:
      return { settings: Object.fromEntries(draft.settings.map(({ name, value }) => [name.trim(), value])) }
    case 10:
      return {
        prices: draft.prices.map(({ selection, priceTable, price }) => ({
          selection: selection.trim(),
          ...(priceTable && { priceTable: wholeOf(priceTable) }),
          price: money(price),
        })),
      }
    case 11:
    case 14:
      return { firmwareId: objectId }
    case 13:
    case 15:
      return { cashDatabaseId: objectId }
    case 19:
      return { vpConfigurationId: objectId }
    default:
      return {}
  }
}

/** The contract's errors by dotted path in the parameters; an error of the whole is under the empty path. */
export function parameterFaults(draft: Draft, currency: Currency | undefined): Record<string, BrokenRule> {
  const order = { type: draft.type, parameters: parametersOf(draft, currency) }
  const faults: Record<string, BrokenRule> = {}
  for (const issue of CommandOrder.safeParse(order).error?.issues ?? [])
    faults[issue.path.slice(1).join('.')] ??= ruleOf(issue, valueAt(order, issue.path))
  if (draft.type === sendPrices && currency)
    for (const [index, { price }] of draft.prices.entries())
      if (hasTooManyDecimals(price, currency))
        faults[`prices.${index}.price`] = broken('decimals', { amount: price.trim(), currency })
  // A setting named twice would be ambiguous.
  if (draft.type === sendConfig && !isUnique(draft.settings.map(({ name }) => name.trim())))
    faults.settings ??= broken('choice')
  return faults
}

const isUnique = (names: readonly string[]) => new Set(names).size === names.length

export type WhenFault = 'past' | 'tooLate' | 'unclear'
/** The start of a command: one instant everywhere, or by each machine's own clock. "Now" has no start. */
export type Timing =
  | { kind: 'instant'; start: Date | undefined; expires: Date }
  | { kind: 'window'; window: LocalWindow }

/** The command's start and expiry at machines of these zones, or its error. */
export function timingOf(draft: Draft, zones: readonly string[], now: Date): Timing | WhenFault {
  const { when, at, expiry } = draft
  const latest = now.getTime() + commandLifetime.maximumSeconds * 1000
  if (when === 'window') {
    const window = { day: draft.day, from: readTime(draft.from), until: readTime(draft.until) }
    const read = LocalWindow.safeParse(window)
    if (!read.success) return 'unclear'
    const ends = zones.map((zone) => windowIn(zone, read.data).expiresAt.getTime())
    if (ends.every((end) => end <= now.getTime())) return 'past'
    return ends.some((end) => end > latest) ? 'tooLate' : { kind: 'window', window: read.data }
  }
  const isLater = when === 'later'
  const start = isLater && /^\d{4}-\d\d-\d\dT/.test(at) ? instantOf(at) : undefined
  if (isLater && (!start || start.getTime() < now.getTime())) return 'past'
  const end = (start ?? now).getTime() + expiry * hour
  // A minute of tolerance for the transmission of an immediate order with the longest waiting time.
  const expires = start ? end : Math.min(end, latest - minute)
  return expires > latest ? 'tooLate' : { kind: 'instant', start, expires: new Date(expires) }
}

/** The order in the format of the endpoint. Only a complete draft has one. */
export function orderOf(draft: Draft, currency: Currency | undefined, timing: Timing): CommandOrder | undefined {
  const { type } = draft
  if (type === undefined || (moneyCommands.includes(type) && !currency)) return undefined
  if (Object.keys(parameterFaults(draft, currency)).length > 0) return undefined
  if (currency && amountCommands.includes(type) && amountFault(draft.amount, currency)) return undefined
  const limits =
    timing.kind === 'window'
      ? { localWindow: timing.window }
      : { notBefore: timing.start?.toISOString(), expiresAt: timing.expires.toISOString() }
  return CommandOrder.safeParse({ type, parameters: parametersOf(draft, currency), ...limits }).data
}
