import { sql } from 'kysely'
import type { PieceOperationKind } from '#contract/vocabulary/stock.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type {
  PieceOperationFilters,
  PlaceLotFilters,
  pieceOperationOrds,
  placeLotOrds,
} from '#contract/warehouse/piece-operation.ts'
import { noLot } from '#domain/warehouse/pieces.ts'
import { anyOf, inPeriod, when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted, totalsOf } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

type LotOrd = (typeof placeLotOrds)[number]
type OperationOrd = (typeof pieceOperationOrds)[number]

/** The cost of a piece: that of its lot, else the product's of today. */
const unitCost = sql<number | null>`coalesce(lot.unit_cost, product.cost)`
const today = sql`(now() at time zone merchants.time_zone)::date`
const productName = sql<string>`coalesce(product.name, '–')`
/** A product that was sold keeps its name when it is deleted; any other has none then. */
const formerName = sql<string>`coalesce(product.name, gone.name, '–')`

const lotOrdering = orderOf<LotOrd>({
  by: {
    product: sql`lower(${productName})`,
    productCode: sql`lower(product.code)`,
    lotCode: sql`lower(lot.code)`,
    expiresOn: sql`lot.expires_on`,
    pieces: sql`place_lots.pieces`,
    unitCost,
    value: sql`place_lots.pieces * ${unitCost}`,
    receivedAt: sql`lot.received_at`,
  },
  first: 'expiresOn',
  ties: sql`lower(${productName}), place_lots.product_id, place_lots.lot_id`,
})

const lotsMatching =
  (db: TenantDb, placeId: string, { search, productIds, isExpired }: PlaceLotFilters) =>
  () =>
    db
      .from('place_lots')
      .innerJoin('merchants', 'merchants.id', 'place_lots.merchant_id')
      .leftJoin('product_lots as lot', (join) =>
        join.onRef('lot.merchant_id', '=', 'place_lots.merchant_id').onRef('lot.id', '=', 'place_lots.lot_id'),
      )
      .leftJoin('products as product', (join) =>
        join
          .onRef('product.merchant_id', '=', 'place_lots.merchant_id')
          .onRef('product.id', '=', 'place_lots.product_id'),
      )
      .where('place_lots.place_id', '=', placeId)
      .where('place_lots.pieces', '<>', 0)
      .where(anyOf('place_lots.product_id', productIds, 'uuid'))
      .where(holds(sql`concat_ws(' ', ${productName}, product.code, lot.code)`, search))
      .where(when(isExpired, (expected) => sql<boolean>`coalesce(lot.expires_on < ${today}, false) = ${expected}`))

/** A page of the lots of a place, and the sums of all that match. */
export async function listPlaceLots(db: TenantDb, placeId: string, query: PlaceLotFilters & Page & Sorted<LotOrd>) {
  const matching = lotsMatching(db, placeId, query)
  const page = await pageOf(db, query, {
    matching,
    order: lotOrdering(query),
    select: (lots) =>
      lots.select([
        'place_lots.product_id',
        productName.as('product'),
        'product.code as product_code',
        sql<string | null>`nullif(place_lots.lot_id, ${noLot}::uuid)`.as('lot_id'),
        'lot.code as lot_code',
        sql<string | null>`to_char(lot.expires_on, 'YYYY-MM-DD')`.as('expires_on'),
        sql<number | null>`lot.expires_on - ${today}`.as('days_left'),
        'lot.received_at',
        'place_lots.pieces',
        unitCost.as('unit_cost'),
        sql<number | null>`place_lots.pieces * ${unitCost}`.as('value'),
        sql<Currency>`merchants.currency`.as('currency'),
      ]),
  })
  const totals = await totalsOf(db, matching, {
    currency: sql`merchants.currency`,
    of: { pieces: sql`place_lots.pieces`, value: sql`place_lots.pieces * ${unitCost}` },
  })
  return { ...page, totals }
}

const operationOrdering = orderOf<OperationOrd>({
  by: { at: sql`moved.at` },
  first: 'at',
  falling: 'all',
  ties: (direction) => sql`moved.operation_id ${direction}, moved.product_id ${direction}`,
})

/** A page of what entered and left a place, by operation and product. */
export async function listPieceOperations(
  db: TenantDb,
  placeId: string,
  { search, kinds, productIds, startDate, endDate, ...query }: PieceOperationFilters & Page & Sorted<OperationOrd>,
) {
  const inside = await inPeriod(db, 'moved', 'at', { startDate, endDate })
  // Lots of a product move together: a row has the pieces of all of them.
  const moved = sql<{
    merchant_id: string
    operation_id: string
    product_id: string
    at: Date
    pieces: number
  }>`(select entry.merchant_id, entry.operation_id, entry.product_id, entry.at, sum(entry.pieces)::int as pieces
    from piece_entries entry where ${db.own('entry')} and entry.account = 'place' and entry.owner_id = ${placeId}
    group by 1, 2, 3, 4)`.as('moved')
  const matching = () =>
    db.query
      .selectFrom(moved)
      .innerJoin('merchants', 'merchants.id', 'moved.merchant_id')
      .innerJoin('piece_operations as operation', (join) =>
        join
          .onRef('operation.merchant_id', '=', 'moved.merchant_id')
          .onRef('operation.id', '=', 'moved.operation_id')
          .on(db.own('operation')),
      )
      .leftJoin('products as product', (join) =>
        join.onRef('product.merchant_id', '=', 'moved.merchant_id').onRef('product.id', '=', 'moved.product_id'),
      )
      .leftJoin('deleted_products as gone', (join) =>
        join.onRef('gone.merchant_id', '=', 'moved.merchant_id').onRef('gone.id', '=', 'moved.product_id'),
      )
      .where(inside)
      .where(anyOf('operation.kind', kinds, 'text'))
      .where(anyOf('moved.product_id', productIds, 'uuid'))
      .where(
        holds(
          sql`concat_ws(' ', ${formerName}, product.code, operation.document, operation.supplier, operation.note)`,
          search,
        ),
      )
  const page = await pageOf(db, query, {
    matching,
    order: operationOrdering(query),
    select: (rows) =>
      rows
        .leftJoin('stock_places as other', (join) =>
          join
            .onRef('other.merchant_id', '=', 'operation.merchant_id')
            .on(
              sql<boolean>`other.id = case when operation.to_place_id = ${placeId}::uuid then operation.place_id else operation.to_place_id end`,
            ),
        )
        .leftJoin('machines as machine', (join) =>
          join
            .onRef('machine.merchant_id', '=', 'operation.merchant_id')
            .onRef('machine.id', '=', 'operation.machine_id')
            .on(db.narrow('machines', 'machine')),
        )
        .select([
          'operation.id',
          'moved.at',
          sql<PieceOperationKind>`operation.kind`.as('kind'),
          'moved.product_id',
          formerName.as('product'),
          'moved.pieces',
          'other.id as other_place_id',
          'other.name as other_place_name',
          'machine.id as pos_id',
          'machine.name as pos_name',
          'operation.supplier',
          'operation.document',
          'operation.note',
          'operation.user_id',
          'operation.user_name',
        ]),
  })
  const totals = await totalsOf(db, matching, { currency: null, of: { pieces: sql`moved.pieces` } })
  return { ...page, totals }
}
