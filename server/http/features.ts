import { ProductError } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { featureOfColumn, featuresWithin, type Gates, gatesOf } from '#contract/frame/of-feature.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'

/** The merchants of a scope that have each feature. */
export type Enabled = ReadonlyMap<Feature, ReadonlySet<string>>

export const enabledIn = async (db: TenantDb, features: Iterable<Feature>): Promise<Enabled> =>
  merchantsWith(db, [...features])

interface Gated {
  readonly answer: Gates
  readonly query: Gates
  readonly body: Gates
  /** The feature of a sort order. */
  readonly ords: (ord: unknown) => Feature | undefined
  readonly features: ReadonlySet<Feature>
}

/** The parts of an endpoint that belong to features; undefined without any. */
export function gatedOf(row: AnyEndpoint): Gated | undefined {
  const answer = gatesOf(row.ok)
  const query = gatesOf(row.query)
  const body = gatesOf(row.body)
  const features = new Set([answer, query, body].flatMap((gates) => [...featuresWithin(gates)]))
  if (features.size === 0) return undefined
  const ords = (ord: unknown) => (typeof ord === 'string' ? featureOfColumn(row, ord) : undefined)
  return { answer, query, body, ords, features }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Features of the fields that an input names. */
export function featuresNamed(value: unknown, gates: Gates): Feature[] {
  if (Array.isArray(value)) return value.flatMap((each) => featuresNamed(each, gates))
  if (!isRecord(value)) return []
  return [...gates].flatMap(([name, { feature, within }]) => {
    if (value[name] === undefined) return []
    return [...(feature ? [feature] : []), ...(within ? featuresNamed(value[name], within) : [])]
  })
}

/**
 * Refuses filters, sort orders and fields of features that the merchant lacks. Under all merchants, a feature may be
 * missing at some of them, so it cannot be used for filters or sorting.
 */
export function refuseNamed({ scope }: Pick<TenantDb, 'scope'>, named: Iterable<Feature>, enabled: Enabled): void {
  for (const feature of new Set(named)) {
    if (!scope.some(({ merchantId }) => enabled.get(feature)?.has(merchantId)))
      throw new ProductError('FeatureNotEnabled')
    if (scope.length > 1) throw new ProductError('FeatureFilterOfAll')
  }
}

/** Refuses fields in a call that belong to features that the merchant lacks. */
export function refuseGated(
  db: TenantDb,
  { query, body, ords }: Gated,
  input: { query: unknown; body: unknown },
  enabled: Enabled,
): void {
  const sorted = isRecord(input.query) ? ords(input.query.ord) : undefined
  const named = [...featuresNamed(input.query, query), ...featuresNamed(input.body, body), ...(sorted ? [sorted] : [])]
  refuseNamed(db, named, enabled)
}

/**
 * An answer without fields of features that their merchant lacks. An item names its merchant; otherwise it belongs to its
 * parent's merchant, or to the only merchant of the scope. A value without a merchant, such as a sum over merchants, stays
 * if one of them has the feature.
 */
export function strippedOf(value: unknown, gates: Gates, scope: readonly { merchantId: string }[], enabled: Enabled) {
  const only = scope.length === 1 ? scope[0]?.merchantId : undefined
  const isOn = (feature: Feature, merchantId: string | undefined) => {
    const able = enabled.get(feature)
    return merchantId === undefined ? (able?.size ?? 0) > 0 : (able?.has(merchantId) ?? false)
  }
  const strip = (part: unknown, within: Gates, owner: string | undefined): unknown => {
    if (Array.isArray(part)) return part.map((each) => strip(each, within, owner))
    if (!isRecord(part)) return part
    const merchantId = typeof part.merchantId === 'string' ? part.merchantId : owner
    const result = { ...part }
    for (const [name, field] of within) {
      if (result[name] === undefined) continue
      if (field.feature && !isOn(field.feature, merchantId)) delete result[name]
      else if (field.within) result[name] = strip(result[name], field.within, merchantId)
    }
    return result
  }
  const isWhole = [...featuresWithin(gates)].every((feature) =>
    scope.every(({ merchantId }) => isOn(feature, merchantId)),
  )
  return isWhole ? value : strip(value, gates, only)
}

/** The answer of a call on merchants, for an answer that contains it. */
export async function withoutGated<T>(db: TenantDb, row: AnyEndpoint, value: T): Promise<T> {
  const gates = gatedOf(row)
  if (!gates) return value
  return strippedOf(value, gates.answer, db.scope, await enabledIn(db, gates.features)) as T
}

/** Merges a save into the stored record. A merchant without a feature cannot send its fields, so they stay. */
export const keepingOmitted = <T extends object>(stored: T, edits: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...stored,
  ...Object.fromEntries(Object.entries(edits).filter(([, value]) => value !== undefined)),
})
