import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { selectionOf } from '../frame/selection.ts'
import { Day, LineText, MinorUnits, Text } from '../frame/shapes.ts'
import { MachineFilters } from '../machines/machine.ts'
import { mostPrice, PriceRounding, PriceWarning } from '../vocabulary/catalogue/price.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Price, PriceTableNumber } from './price.ts'

/** How many prices one change may cover, over all machines. */
export const mostChangedPrices = 20_000

/** What happens to each price: set, raised or lowered by an amount or a percentage, or taken from a planogram or another machine. */
export const PriceRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set'), price: Price }),
  z.strictObject({ kind: z.literal('add'), amount: z.int().min(-mostPrice).max(mostPrice) }),
  /** Percent with up to two decimals; rounded half up, then to the rounding's step, never below zero. */
  z.strictObject({
    kind: z.literal('percent'),
    percent: z.number().min(-90).max(1000).multipleOf(0.01),
    rounding: PriceRounding,
  }),
  /** Null: each machine's own planogram. */
  z.strictObject({ kind: z.literal('planogram'), planogramId: ids.planogramId.nullable() }),
  z.strictObject({ kind: z.literal('machine'), posId: ids.posId }),
])
export type PriceRule = z.infer<typeof PriceRule>

/** All prices of the machines, or those of products or of selections. The caller chooses; nothing is assumed. */
export const priceScopes = ['all', 'products', 'selections'] as const

/** Which prices of which machines change, and how. */
const orderFields = {
  machines: selectionOf(ids.posId, MachineFilters),
  scope: z.enum(priceScopes),
  productIds: z.array(ids.productId).max(100).default([]),
  selections: z.array(SelectionName).max(100).default([]),
  /** A part of the product's name, such as "coffee". */
  productText: LineText.trim().min(1).max(80).nullable().default(null),
  priceTables: z.array(PriceTableNumber).min(1).max(8),
  rule: PriceRule,
  /**
   * The new prices start at midnight of this day on each machine's clock, from the prices that will be in force then, and are sent then. Null: now.
   */
  startsOn: Day.nullable().default(null),
}
type Scoped = z.output<z.ZodObject<Pick<typeof orderFields, 'scope' | 'productIds' | 'selections' | 'productText'>>>

/** The scope has its products or selections, and no others. */
const hasScope = ({ scope, productIds, productText, selections }: Scoped) => {
  const ofProducts = productIds.length > 0 || productText !== null
  const ofSelections = selections.length > 0
  return ofProducts === (scope === 'products') && ofSelections === (scope === 'selections')
}
const isScoped = { ...saying('choice'), path: ['scope'] }
const PriceOrder = z.strictObject(orderFields).refine(hasScope, isScoped)
export type PriceOrder = z.output<typeof PriceOrder>

/**
 * One price before and after. `before` is the wanted price; without one it is what the machine reports, otherwise its last audit. For a later day it is
 * the price that a plan starts until then, if there is one.
 */
export const PricePreview = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  currency: Currency,
  selection: z.string(),
  product: z.string().nullable(),
  priceTable: z.int(),
  before: MinorUnits.nullable(),
  after: MinorUnits,
  /** Null: a usual change. */
  warning: PriceWarning.nullable(),
})
export type PricePreview = z.infer<typeof PricePreview>

const Counts = z.strictObject({
  machines: z.int(),
  changed: z.int(),
  /** Prices that already have the new value. */
  unchanged: z.int(),
  /** Prices without a value to start from, or beyond the limits of a price. */
  skipped: z.int(),
  /** Changed prices that need a confirmation of their own. */
  unusual: z.int(),
})

const many = '/merchants/{merchantId}/pos/prices' as const
const fails = [
  'MachineNotFound',
  'PlanogramNotFound',
  'ProductNotFound',
  'SelectionChanged',
  'PriceCurrenciesDiffer',
  'TooManyPrices',
  'PeriodReversed',
  'FeatureFilterOfAll',
] as const

export const priceChanges = {
  previewPriceChange: endpoint({
    method: 'POST',
    path: `${many}/preview`,
    summary: 'List every old and new price of a change of several points of sale',
    needs: 'price.write',
    feature: 'vending',
    body: PriceOrder,
    ok: Counts.extend({
      prices: z.array(PricePreview).max(mostChangedPrices),
      digest: z.string(),
      /** Of the unusual prices; null: there are none. */
      unusualDigest: z.string().nullable(),
      /** The merchant's limit of a usual change, in percent: the lowest of several merchants. */
      bandPercent: z.int().nullable(),
    }),
    status: 200,
    fails,
    timeOut: 'large',
  }),
  changePrices: endpoint({
    method: 'POST',
    path: `${many}/change`,
    summary: 'Update prices of several points of sale as previewed, now or from a day on, and send them',
    needs: 'price.write',
    feature: 'vending',
    body: z
      .strictObject({
        ...orderFields,
        /** Of the preview: if a price has changed since, nothing happens and the answer is `PricesChanged`. */
        digest: Text.max(100),
        /** `unusualDigest` of the preview: confirms exactly its unusual prices. */
        confirmed: Text.max(100).nullable().default(null),
        /** The name of the plan of a later day. */
        planName: LineText.trim().min(1).max(80).nullable().default(null),
        /** Also sends them; a machine with prices on their way keeps them until the next send. */
        send: z.boolean().default(false),
      })
      .refine(hasScope, isScoped),
    ok: Counts.extend({
      /** The plans of a later day, one per merchant. */
      planIds: z.array(z.uuid()),
      /** Machines that got a command. */
      sent: z.int(),
      /** Machines that did not get a command, with the reason. */
      unsent: z.array(z.strictObject({ posId: z.uuid(), posName: z.string(), code: z.string() })),
    }),
    status: 200,
    fails: [...fails, 'PricesChanged', 'PricesUnusual', 'PeriodReversed'],
    timeOut: 'large',
  }),
  cancelPlannedPrices: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/pos/{posId}/prices/planned/cancel',
    summary: 'Cancel planned prices of a point of sale that have not started',
    needs: 'price.write',
    feature: 'vending',
    ok: z.strictObject({ cancelled: z.int() }),
    status: 200,
    fails: ['MachineNotFound', 'NothingToSend'],
  }),
}
