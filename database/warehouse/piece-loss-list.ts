import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { PieceLossFilters, pieceLossOrds } from '#contract/warehouse/piece-loss.ts'
import { anyOf } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted, totalsOf } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { pieceLosses } from './piece-losses.ts'

type Ord = (typeof pieceLossOrds)[number]

/** The newest first by default. */
export const lossOrdering = orderOf<Ord>({
  by: {
    at: sql`loss.at`,
    product: sql`lower(loss.product)`,
    merchant: sql`lower(merchants.name)`,
    kind: sql`loss.kind`,
    place: sql`lower(loss.place)`,
    lotCode: sql`lower(loss.lot_code)`,
    pieces: sql`loss.pieces`,
    note: sql`lower(loss.note)`,
  },
  first: 'at',
  falling: ['at', 'pieces'],
  full: ['at'],
  ties: sql`loss.operation_id desc, loss.product_id desc, loss.lot_id desc, loss.kind desc`,
})

/** The sign of a loss: what was found is the opposite of one. */
export const lossSign = sql`case when loss.kind = 'found' then -1 else 1 end`

/** The costs of losses, for readers who see products. */
export const lossCosts = (seesCosts: boolean) => ({
  unitCost: seesCosts ? sql<number | null>`loss.unit_cost` : sql<number | null>`null::bigint`,
  value: seesCosts ? sql<number | null>`loss.pieces * loss.unit_cost * ${lossSign}` : sql<number | null>`null::bigint`,
})

/** Returns a function that starts a query on the matching losses. */
export async function lossesMatching(db: TenantDb, filters: PieceLossFilters, seesInvisible: boolean) {
  const { search, kinds, productIds, stockPlaceIds, driverIds, ...period } = filters
  const losses = await pieceLosses(db, period, seesInvisible)
  return () =>
    db.query
      .selectFrom(losses.as('loss'))
      .innerJoin('merchants', 'merchants.id', 'loss.merchant_id')
      .where(anyOf('loss.kind', kinds, 'text'))
      .where(anyOf('loss.product_id', productIds, 'uuid'))
      .where(anyOf('loss.place_id', stockPlaceIds, 'uuid'))
      .where(anyOf('loss.driver_id', driverIds, 'uuid'))
      .where(holds(sql`concat_ws(' ', loss.product, loss.place, loss.note)`, search))
}

/** A page of losses with their totals. */
export async function listPieceLosses(
  db: TenantDb,
  query: PieceLossFilters & Page & Sorted<Ord>,
  { seesInvisible, seesCosts }: { seesInvisible: boolean; seesCosts: boolean },
) {
  const matching = await lossesMatching(db, query, seesInvisible)
  const costs = lossCosts(seesCosts)
  const page = await pageOf(db, query, {
    matching,
    order: lossOrdering(query),
    select: (losses) =>
      losses
        .selectAll('loss')
        .select(['merchants.name as merchant_name', 'merchants.time_zone'])
        .select(sql<Currency>`merchants.currency`.as('currency'))
        // After the column of this name, which it replaces.
        .select([costs.unitCost.as('unit_cost'), costs.value.as('value')]),
  })
  const totals = await totalsOf(db, matching, {
    currency: sql`merchants.currency`,
    of: { pieces: sql`loss.pieces * ${lossSign}`, ...(seesCosts && { value: costs.value }) },
  })
  return { ...page, totals }
}
