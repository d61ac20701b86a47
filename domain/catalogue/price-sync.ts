import type { PricesSync } from '#contract/merchants/merchant-settings.ts'
import type { PriceSync } from '#contract/vocabulary/catalogue/price.ts'
import { type RemoteCommandStatus, remoteCommandStatuses as statuses } from '#contract/vocabulary/remote-command.ts'
import { toleratedDriftMs } from '../time/clock.ts'

/** A price with the instant it was seen. */
export interface DatedPrice {
  price: number
  at: Date
}

/** What decides whether a machine has the wanted price of a selection in a price table. */
export interface PriceFacts {
  wanted: number | null
  wantedAt: Date | null
  /** What the last command carried, and its progress. */
  sent: {
    price: number
    status: RemoteCommandStatus
    /** The machine's claim and its result. */
    startedAt: Date | null
    executedAt: Date | null
  } | null
  reported: DatedPrice | null
  audited: DatedPrice | null
  /** What the last sale cost. */
  charged: DatedPrice | null
}

const isAfter = (one: DatedPrice | null, instant: Date | null) => one !== null && instant !== null && one.at > instant
const isSince = (one: DatedPrice, instant: Date | null) => instant === null || one.at >= instant

/** The machine's newest own word about the price; at the same instant a report counts. */
const newestOf = ({ reported, audited }: PriceFacts): DatedPrice | null =>
  reported && audited ? (audited.at > reported.at ? audited : reported) : (reported ?? audited)

const isApplied = ({ sent }: PriceFacts) =>
  sent !== null && (sent.status === statuses.received || sent.status === statuses.receivedWithWarnings)

/**
 * From when on the machine's word counts: since it claimed the last command. Its clock may be slow, which does not matter if that command
 * carried the wanted price.
 */
function countsSince({ wanted, sent }: PriceFacts): Date | null {
  if (!sent?.startedAt) return null
  return sent.price === wanted ? new Date(sent.startedAt.getTime() - toleratedDriftMs) : sent.startedAt
}

/** Whether the machine's own later word confirms the wanted price. Its answer to the command is not enough. */
function isConfirmed(facts: PriceFacts, by: PricesSync): boolean {
  const { wanted, wantedAt, sent, audited } = facts
  const newest = newestOf(facts)
  if (newest?.price !== wanted) return false
  if (by === 'immediate') return isSince(newest, countsSince(facts))
  // With an audit of the same price before it, a newer report changes nothing.
  const from = sent ? (sent.executedAt ?? sent.startedAt ?? wantedAt) : wantedAt
  return audited?.price === wanted && isSince(audited, from)
}

/** The machine applied this very price, and shows another one afterwards. */
function isEditedOnDevice(facts: PriceFacts): boolean {
  const newest = newestOf(facts)
  const { wanted, sent } = facts
  if (!isApplied(facts) || sent?.price !== wanted || newest?.price === wanted) return false
  return isAfter(newest, sent?.executedAt ?? null)
}

/**
 * The last sale cost another price since the machine should have the wanted one: since it applied the command, otherwise since the price is
 * wanted. A report at the wanted price proves nothing against a sale.
 */
function isChargedOtherwise(facts: PriceFacts): boolean {
  const { wanted, wantedAt, sent, charged } = facts
  if (!charged || charged.price === wanted) return false
  if (isApplied(facts) && sent?.price === wanted) return isAfter(charged, sent.executedAt ?? sent.startedAt ?? wantedAt)
  return isSince(charged, wantedAt)
}

/** Whether a machine has the wanted price, and charges it. `by`: what confirms prices at its merchant. */
export function priceSyncOf(facts: PriceFacts, by: PricesSync): PriceSync {
  if (facts.wanted === null) return 'none'
  if (isEditedOnDevice(facts)) return 'editedOnDevice'
  const hasPrice = isConfirmed(facts, by)
  const isClaimed = hasPrice || (isApplied(facts) && facts.sent?.price === facts.wanted)
  if (isClaimed && isChargedOtherwise(facts)) return 'chargedOtherwise'
  return hasPrice ? 'sync' : 'pending'
}

const isUnderWay = ({ sent }: PriceFacts) =>
  sent !== null && (sent.status === statuses.scheduled || sent.status === statuses.running)

/** Whether the next command must carry the wanted price: the machine neither has it nor is about to get or confirm it. */
export function isToSend(facts: PriceFacts, by: PricesSync): boolean {
  const { wanted, sent } = facts
  const sync = priceSyncOf(facts, by)
  if (sync === 'none' || sync === 'sync') return false
  if (sent?.price === wanted && isUnderWay(facts)) return false
  if (sync !== 'pending') return true
  if (sent?.price === wanted && isApplied(facts)) return false
  const newest = newestOf(facts)
  // It has the price already, and only its confirmation by an audit is missing.
  return newest?.price !== wanted || !isSince(newest, countsSince(facts))
}

const ranks: Record<PriceSync, number> = { none: 0, sync: 1, pending: 2, editedOnDevice: 3, chargedOtherwise: 4 }

/** The state that needs attention most. */
export const worstSync = (syncs: readonly PriceSync[]): PriceSync =>
  syncs.reduce((worst, sync) => (ranks[sync] > ranks[worst] ? sync : worst), 'none' as PriceSync)
