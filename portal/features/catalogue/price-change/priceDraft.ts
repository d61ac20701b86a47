import type { z } from 'zod'
import { PriceRule, type priceChanges, type priceScopes } from '#contract/catalogue/price-change.ts'
import type { BrokenRule } from '#contract/frame/broken.ts'
import type { ClientInput } from '#contract/frame/endpoint.ts'
import { ruleOf as brokenRuleOf } from '#contract/rules/rule-of.ts'
import type { PriceRounding } from '#contract/vocabulary/catalogue/price.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { dayIn } from '#domain/time/period.ts'
import { readDay } from '#domain/time/zoned-time.ts'
import type { Option } from '../../../ui/value/option.ts'

export const ruleKinds = [
  'set',
  'add',
  'percent',
  'planogram',
  'machine',
] as const satisfies readonly PriceRule['kind'][]
export const allTables = Object.values(priceTables)

/** A number as typed: unreadable text stays text. */
type TypedNumber = number | string | null

/** The user's choices so far; fields that a rule does not need are ignored. */
export interface PriceDraft {
  /** Undefined: not chosen yet. */
  scope: (typeof priceScopes)[number] | undefined
  productText: string
  products: readonly Option[]
  selections: readonly string[]
  tables: readonly number[]
  kind: PriceRule['kind'] | undefined
  price: TypedNumber
  direction: 'raise' | 'lower'
  amount: TypedNumber
  percent: TypedNumber
  rounding: PriceRounding
  /** Empty: each machine's own planogram. */
  planogram: Option | null
  isOwnPlanogram: boolean
  machine: Option | null
  when: 'now' | 'later'
  day: string | null
  planName: string
  send: boolean
}

export const emptyDraft: PriceDraft = {
  scope: undefined,
  productText: '',
  products: [],
  selections: [],
  tables: [],
  kind: undefined,
  price: null,
  direction: 'raise',
  amount: null,
  percent: null,
  rounding: 'nearest5',
  planogram: null,
  isOwnPlanogram: true,
  machine: null,
  when: 'now',
  day: null,
  planName: '',
  send: true,
}

type Order = NonNullable<ClientInput<typeof priceChanges.previewPriceChange>['body']>

type ScopedDraft = PriceDraft & { scope: NonNullable<PriceDraft['scope']> }
/** The user has chosen prices and price lists. */
export const isScoped = (draft: PriceDraft): draft is ScopedDraft => hasPrices(draft) && draft.tables.length > 0
const hasPrices = ({ scope, productText, products, selections }: PriceDraft) =>
  scope === 'all' ||
  (scope === 'products' && (productText.trim() !== '' || products.length > 0)) ||
  (scope === 'selections' && selections.length > 0)

const signed = (value: TypedNumber, { direction }: PriceDraft) =>
  typeof value === 'number' && direction === 'lower' ? -value : value

function asRule(draft: PriceDraft): object {
  switch (draft.kind) {
    case 'set':
      return { kind: 'set', price: draft.price }
    case 'add':
      return { kind: 'add', amount: signed(draft.amount, draft) }
    case 'percent':
      return { kind: 'percent', percent: signed(draft.percent, draft), rounding: draft.rounding }
    case 'planogram':
      return { kind: 'planogram', planogramId: draft.isOwnPlanogram ? null : draft.planogram?.value }
    case 'machine':
      return { kind: 'machine', posId: draft.machine?.value }
    default:
      return {}
  }
}

/** The rule in the format of the call. Only a complete draft has one. */
export function ruleOf(draft: PriceDraft): z.input<typeof PriceRule> | undefined {
  const rule = PriceRule.safeParse(asRule(draft)).data
  // Zero changes nothing, so it counts as an empty field.
  if ((rule?.kind === 'add' && rule.amount === 0) || (rule?.kind === 'percent' && rule.percent === 0)) return undefined
  return rule
}

/** The error of the rule's number; an empty field has none yet. */
export function faultOf(draft: PriceDraft): 'number' | BrokenRule | undefined {
  const value = { set: draft.price, add: draft.amount, percent: draft.percent, planogram: null, machine: null }[
    draft.kind ?? 'machine'
  ]
  if (value === null || value === '') return undefined
  if (typeof value === 'string' || (draft.kind !== 'set' && value < 0)) return 'number'
  const [issue] = PriceRule.safeParse(asRule(draft)).error?.issues ?? []
  return issue && brokenRuleOf(issue, value)
}

/** The order in the format of preview and change. */
export function orderOf(draft: PriceDraft, machines: Order['machines']): Order | undefined {
  const rule = ruleOf(draft)
  if (!rule || !isScoped(draft)) return undefined
  const { scope, productText, products, selections, tables, when, day } = draft
  return {
    machines,
    scope,
    rule,
    startsOn: when === 'later' ? day : null,
    priceTables: [...tables],
    productIds: scope === 'products' ? products.map(({ value }) => value) : [],
    productText: scope === 'products' ? productText.trim() || null : null,
    selections: scope === 'selections' ? [...selections] : [],
  }
}

/** Typed or pasted selections, separated by commas, tabs or lines. */
export const readSelections = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[,;\t\n]+/).map((one) => one.trim())).filter(Boolean)),
]

/** Scheduled prices start on a day that is in the future at every machine. */
export const isDayAhead = ({ when, day: startDay }: PriceDraft, zones: readonly string[]): boolean =>
  when === 'now' ||
  (startDay !== null && readDay(startDay) === startDay && zones.every((zone) => startDay > dayIn(new Date(), zone)))
