import { createHash } from 'node:crypto'
import {
  mostChangedPrices,
  type PriceOrder,
  type PricePreview,
  type priceChanges,
} from '#contract/catalogue/price-change.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { PriceWarning } from '#contract/vocabulary/catalogue/price.ts'
import {
  type PresentPrice,
  type PriceTarget,
  planogramPrices,
  presentPrices,
  pricesBefore,
  priceTargets,
} from '#database/catalogue/price-change.ts'
import { type PriceStep, writeWanted } from '#database/catalogue/price-edit.ts'
import { endPlanned, markCancelled, type NewPlan, planPrices } from '#database/catalogue/price-plan.ts'
import { sendWantedPrices } from '#database/catalogue/price-sending.ts'
import { selectionsOfMachines } from '#database/catalogue/reported-selections.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { machinesChosen } from '#database/machines/machine-acts.ts'
import { recordChange, recordChanges } from '#database/platform/change-log.ts'
import { changedPrice, type PriceArithmetic, priceWarning } from '#domain/catalogue/price-rule.ts'
import { nameAmong } from '#domain/frame/selection-name.ts'
import { bySelection } from '#domain/stock/stock.ts'
import { instantsOf } from '#domain/time/local-hour.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { machineOf, refuseReversedRanges } from '#server/http/refuse.ts'
import { announceSent } from './price.ts'

/** A price of a machine that the change covers. */
interface Covered extends PriceStep {
  machineName: string
  product: string | null
  /** The wanted price. `before` falls back to the machine's own price. */
  wanted: number | null
  warning: PriceWarning | null
}

/** A change as computed from the present prices. */
interface Computed {
  targets: PriceTarget[]
  covered: Covered[]
  skipped: number
}

const sourceOf = ({ rule }: PriceOrder) => (rule.kind === 'planogram' || rule.kind === 'machine' ? rule.kind : 'bulk')
const keyOf = (machineId: string, { selection, priceTable }: { selection: string; priceTable: number }) =>
  `${machineId} ${priceTable} ${selection}`

async function targetsOf(db: TenantDb, { machines, rule }: PriceOrder): Promise<PriceTarget[]> {
  if ('matching' in machines) refuseReversedRanges(machines.matching)
  const { ids, isWhole } = await machinesChosen(db, machines)
  if (!isWhole) throw new ProductError('MachineNotFound')
  const targets = await priceTargets(db, ids)
  const source = rule.kind === 'machine' ? await priceTargets(db, [rule.posId]) : []
  if (new Set([...targets, ...source].map(({ currency }) => currency)).size > 1)
    throw new ProductError('PriceCurrenciesDiffer')
  return targets
}

const refuseTooMany = (count: number) => {
  if (count > mostChangedPrices) throw new ProductError('TooManyPrices')
}

/** Every price that an order covers, before and after. */
async function computed(db: TenantDb, order: PriceOrder): Promise<Computed> {
  const targets = await targetsOf(db, order)
  const { rule } = order
  if (rule.kind === 'planogram') return { targets, ...(await fromPlanograms(db, order, targets, rule.planogramId)) }
  if (rule.kind === 'machine') return { targets, ...(await fromMachine(db, order, targets, rule.posId)) }
  const prices = await presentPrices(db, targets.map(machineIdOf), order, mostChangedPrices + 1)
  refuseTooMany(prices.length)
  const byId = new Map(targets.map((target) => [target.machineId, target]))
  return { targets, ...stepsOf(prices, byId, () => rule) }
}
const machineIdOf = ({ machineId }: PriceTarget) => machineId

/** The steps of prices with their new price; prices without one are skipped. */
function stepsOf(
  prices: readonly PresentPrice[],
  targets: ReadonlyMap<string, PriceTarget>,
  ruleOf: (price: PresentPrice) => PriceArithmetic,
): Pick<Computed, 'covered' | 'skipped'> {
  const covered: Covered[] = []
  for (const price of prices) {
    const target = targets.get(price.machineId)
    const rule = ruleOf(price)
    const after = target ? changedPrice(price.before, rule, target.currency) : null
    if (!target || after === null) continue
    const { merchantId, machineId, machineName, bandPercent } = target
    const { selection, priceTable, product, wanted, before } = price
    const warning = priceWarning(before, after, bandPercent, rule)
    covered.push({ merchantId, machineId, machineName, selection, priceTable, product, wanted, before, after, warning })
  }
  return { covered, skipped: prices.length - covered.length }
}

/** Prices that come from elsewhere, for the selections of each target; those of other selections are skipped. */
async function fromElsewhere(
  db: TenantDb,
  order: PriceOrder,
  targets: readonly PriceTarget[],
  wishesOf: (target: PriceTarget) => readonly Wish[],
): Promise<Pick<Computed, 'covered' | 'skipped'>> {
  const presentPrices = await pricesBefore(db, targets.map(machineIdOf), order)
  const present = new Map(presentPrices.map((price) => [keyOf(price.machineId, price), price]))
  const selections = await selectionsOfMachines(db, targets.map(machineIdOf))
  let missing = 0
  const wished = new Map<string, number>()
  const prices = targets.flatMap((target) => {
    const { machineId } = target
    const has = selections.get(machineId)
    // A machine that has reported no selection takes any.
    const wishes = wishesOf(target)
    const ownWishes = has
      ? wishes.flatMap((wish): Wish[] => {
          const selection = nameAmong(wish.selection, has)
          return selection === undefined ? [] : [{ ...wish, selection }]
        })
      : wishes
    missing += wishes.length - ownWishes.length
    return ownWishes.map(({ price, product, ...line }): PresentPrice => {
      const now = present.get(keyOf(machineId, line))
      wished.set(keyOf(machineId, line), price)
      return { machineId, ...line, product, wanted: now?.wanted ?? null, before: now?.before ?? null }
    })
  })
  refuseTooMany(prices.length)
  const byId = new Map(targets.map((target) => [target.machineId, target]))
  const { covered, skipped } = stepsOf(prices, byId, (price) => ({
    kind: 'set',
    price: wished.get(keyOf(price.machineId, price)) ?? 0,
  }))
  return { covered, skipped: skipped + missing }
}
interface Wish {
  selection: string
  priceTable: number
  product: string | null
  price: number
}

async function fromPlanograms(
  db: TenantDb,
  order: PriceOrder,
  targets: readonly PriceTarget[],
  planogramId: string | null,
) {
  const idOf = (target: PriceTarget) => planogramId ?? target.planogramId
  const ids = [...new Set(targets.map(idOf).filter((id) => id !== null))]
  const lines = await planogramPrices(db, ids, order)
  // A planogram is of one merchant, and so are the machines that take its prices.
  const owner = planogramId === null ? undefined : lines[0]?.merchantId
  if (owner && targets.some(({ merchantId }) => merchantId !== owner)) throw new ProductError('PlanogramNotFound')
  const byPlanogram = Map.groupBy(lines, (line) => line.planogramId)
  return fromElsewhere(db, order, targets, (target) =>
    (byPlanogram.get(idOf(target) ?? '') ?? []).map(({ selection, priceTable, product, price }) => ({
      selection,
      priceTable,
      product,
      price,
    })),
  )
}

async function fromMachine(db: TenantDb, order: PriceOrder, targets: readonly PriceTarget[], posId: string) {
  const prices = await presentPrices(db, [posId], order, mostChangedPrices)
  return fromElsewhere(db, order, targets, ({ machineId }) =>
    prices
      .filter(() => machineId !== posId)
      .map(({ selection, priceTable, product, before }) => ({
        selection,
        priceTable,
        product,
        price: before as number,
      })),
  )
}

/** Identifies prices that a preview showed: each before and after. `part`: all of them, or those to be confirmed. */
const digestOf = (covered: readonly Covered[], part: 'all' | 'unusual' = 'all') =>
  createHash('sha256')
    .update(part === 'all' ? '' : `${part}\n`)
    .update(
      covered
        .map((one) => `${keyOf(one.machineId, one)} ${one.wanted} ${one.before} ${one.after}`)
        .sort()
        .join('\n'),
    )
    .digest('base64url')

const isUnusual = ({ warning }: Covered) => warning !== null
/** Identifies the prices that need a confirmation of their own; null if there are none. */
function unusualDigestOf(covered: readonly Covered[]): string | null {
  const unusual = covered.filter(isUnusual)
  return unusual.length === 0 ? null : digestOf(unusual, 'unusual')
}

const isChange = ({ before, after }: Covered) => before !== after
const countsOf = ({ covered, skipped }: Computed) => {
  const changed = covered.filter(isChange)
  return {
    machines: new Set(changed.map(({ machineId }) => machineId)).size,
    changed: changed.length,
    unchanged: covered.length - changed.length,
    skipped,
    unusual: changed.filter(isUnusual).length,
  }
}

/** Refuses the change if a price has changed since it was computed, now that the machines are locked. */
async function refuseOvertaken(db: TenantDb, { targets, covered }: Computed, order: PriceOrder) {
  const now = await pricesBefore(db, targets.map(machineIdOf), order)
  const present = new Map(now.map((price) => [keyOf(price.machineId, price), price]))
  const isSame = (one: Covered) => {
    const price = present.get(keyOf(one.machineId, one))
    return (price?.wanted ?? null) === one.wanted && (price?.before ?? null) === one.before
  }
  if (!covered.every(isSame)) throw new ProductError('PricesChanged')
}

/** When a day starts at a machine; refuses a day that is over there. */
function startOf(day: string, timeZone: string, now: Date): Date {
  if (day < wallAt(now, timeZone).day) throw new ProductError('PeriodReversed')
  return new Date(instantsOf(Date.parse(`${day}T00:00:00Z`), timeZone)[0])
}

/** One entry in the change log for each machine. */
async function logByMachine(
  { db, user, now, live }: TenantCall,
  action: 'price.update' | 'price.plan',
  steps: readonly Covered[],
  more: { startsOn?: string },
) {
  const byMachine = [...Map.groupBy(steps, ({ machineId }) => machineId).values()]
  const lines = (prices: readonly Covered[], price: 'wanted' | 'after') =>
    prices.map((one) => ({ selection: one.selection, priceTable: one.priceTable, price: one[price] }))
  await recordChanges(
    db,
    byMachine.map((machinePrices) => ({
      merchantId: (machinePrices[0] as Covered).merchantId,
      at: now,
      user,
      action,
      subjectType: 'price',
      subjectId: (machinePrices[0] as Covered).machineId,
      before: { prices: lines(machinePrices, 'wanted') },
      after: { prices: lines(machinePrices, 'after'), ...more },
    })),
  )
  db.afterCommit(() => {
    for (const [first] of byMachine) if (first) live.announce(first.merchantId, 'price', first.machineId)
  })
}

export const priceChangeHandlers: Handlers<typeof priceChanges> = {
  previewPriceChange: async ({ db, body }) => {
    const change = await computed(db, body)
    const currencies = new Map(change.targets.map(({ machineId, currency }) => [machineId, currency]))
    const prices = change.covered
      .filter(isChange)
      .toSorted(
        (one, other) =>
          one.machineName.localeCompare(other.machineName) ||
          bySelection(one.selection, other.selection) ||
          one.priceTable - other.priceTable,
      )
      .map(
        ({ machineId, machineName, selection, product, priceTable, before, after, warning }): PricePreview => ({
          posId: machineId,
          posName: machineName,
          currency: currencies.get(machineId) as PricePreview['currency'],
          selection,
          product,
          priceTable,
          before,
          after: after as number,
          warning,
        }),
      )
    const bands = change.targets.map(({ bandPercent }) => bandPercent)
    return {
      ...countsOf(change),
      prices,
      digest: digestOf(change.covered),
      unusualDigest: unusualDigestOf(change.covered),
      bandPercent: bands.length > 0 ? Math.min(...bands) : null,
    }
  },

  changePrices: async (call) => {
    const { db, body, user, now } = call
    const { digest, confirmed, planName, send, ...order } = body
    const { startsOn } = order
    const change = await computed(db, order)
    if (digestOf(change.covered) !== digest) throw new ProductError('PricesChanged')
    const { targets, covered } = change
    const counts = countsOf(change)
    if (counts.unusual > 0 && confirmed !== unusualDigestOf(covered))
      throw new ProductError('PricesUnusual', { unusual: counts.unusual })
    const locked = await lockJournals(
      db,
      targets.map(({ merchantId, machineId }) => ({ merchantId, id: machineId })),
    )
    if (targets.some(({ machineId }) => !locked.has(machineId))) throw new ProductError('MachineNotFound')
    await refuseOvertaken(db, change, order)
    if (startsOn !== null) {
      const steps = covered.filter(isChange)
      const zones = new Map(targets.map(({ machineId, timeZone }) => [machineId, timeZone]))
      const planned = steps.map((step) => ({
        ...step,
        startsAt: startOf(startsOn, zones.get(step.machineId) as string, now),
      }))
      const plan: NewPlan = { name: planName, startsOn, source: sourceOf(order), send, at: now, user }
      const plans = await planPrices(db, planned, plan)
      await logByMachine(call, 'price.plan', steps, { startsOn })
      return { ...counts, planIds: plans.map(({ id }) => id), sent: 0, unsent: [] }
    }
    // A price that the machine has already becomes the wanted one too.
    const steps = covered.filter(({ wanted, after }) => wanted !== after)
    await writeWanted(
      db,
      steps.map(({ wanted, ...step }) => ({ ...step, before: wanted })),
      { at: now, source: sourceOf(order), user },
    )
    await logByMachine(call, 'price.update', steps, {})
    if (!send) return { ...counts, planIds: [], sent: 0, unsent: [] }
    const outcomes = await sendWantedPrices(db, targets.map(machineIdOf), { ...user, at: now })
    const commandIds = outcomes.map(({ commandId }) => commandId).filter((id) => id !== null)
    await announceSent(call, commandIds)
    return {
      ...counts,
      planIds: [],
      sent: commandIds.length,
      unsent: outcomes
        .filter(({ commandId }) => commandId === null)
        .map(({ machineId, machineName }) => ({
          posId: machineId,
          posName: machineName,
          code: 'RemoteCommandPending',
        })),
    }
  },

  cancelPlannedPrices: async ({ db, params, user, now, live }) => {
    const { merchant_id: merchantId, id } = await machineOf(db, params.posId)
    await lockJournals(db, [{ merchantId, id }])
    const cancelled = await endPlanned(db, { machineId: id }, 'cancelled')
    if (cancelled.length === 0) throw new ProductError('NothingToSend')
    const planIds = [...new Set(cancelled.map(({ plan_id }) => plan_id))]
    await markCancelled(db, merchantId, planIds, { at: now, user })
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'price.cancelPlan',
      subjectType: 'price',
      subjectId: id,
      before: {
        prices: cancelled.map(({ selection, price_table, price, starts_at }) => ({
          selection,
          priceTable: price_table,
          price,
          startsAt: toWire(starts_at),
        })),
      },
    })
    db.afterCommit(() => live.announce(merchantId, 'price', id))
    return { cancelled: cancelled.length }
  },
}
