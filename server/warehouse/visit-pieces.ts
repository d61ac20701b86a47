import { ProductError } from '#contract/errors.ts'
import { fillsOf } from '#database/stock/fill.ts'
import { lastCountsAt, lockPlaces, lotsAtOf, lotsOf, operationOf, writeOperation } from '#database/warehouse/pieces.ts'
import { vanOfDriver } from '#database/warehouse/stock-place.ts'
import { type VisitedProduct, visitEntries } from '#domain/warehouse/operations.ts'
import type { HeldLot } from '#domain/warehouse/pieces.ts'
import type { TenantCall } from '#server/http/handler.ts'

/** A visit as it is stored, with the van of its round. */
interface VisitWithVan {
  merchant_id: string
  id: string
  machine_id: string
  round_id: string | null
  van_id: string | null
  /** The merchant's day of the visit. */
  day: string
  at: Date
  received_at: Date
  user_id: string | null
  user_name: string | null
  digest: string
  lines: readonly { selection: string; loaded: number; waste: number }[]
}

/**
 * Takes what a visit loaded out of the van: that of its round, or else of its driver. Selections without a product of the catalogue are in no
 * book. A visit comes once, with the lock of its machine's journal; it is booked under its own id. Returns the van's id, or undefined without one.
 */
export async function bookVisitPieces(
  { db, live }: Pick<TenantCall, 'db' | 'live'>,
  visit: VisitWithVan,
): Promise<string | undefined> {
  const { merchant_id: merchantId, machine_id: machineId, at, day } = visit
  const handled = visit.lines.filter(({ loaded, waste }) => loaded + waste > 0)
  const placeId = visit.van_id ?? (await vanOfDriver(db, merchantId, visit.user_id))
  if (!placeId || handled.length === 0) return undefined
  const products = await productsOf({ db }, machineId, handled)
  if (products.length === 0) return undefined
  const locked = await lockPlaces(db, merchantId, [placeId])
  // Deleted since the round was planned.
  if (!locked.has(placeId)) return undefined
  // Callers make the ids of operations too.
  if (await operationOf(db, merchantId, visit.id)) throw new ProductError('VisitIdTaken')
  const productIds = products.map(({ productId }) => productId)
  const held = await lotsOf(db, merchantId, [placeId], productIds)
  const counted = await lastCountsAt(db, merchantId, placeId, productIds)
  const entries = visitEntries({ merchantId, placeId, machineId, day }, products, lotsAtOf(held), (productId) => {
    const countedAt = counted.get(productId)
    return countedAt !== undefined && at < countedAt
  })
  await writeOperation(
    db,
    {
      merchant_id: merchantId,
      id: visit.id,
      kind: 'visit',
      at,
      booked_at: visit.received_at,
      place_id: placeId,
      to_place_id: null,
      supplier: null,
      document: null,
      note: null,
      round_id: visit.round_id,
      machine_id: machineId,
      user_id: visit.user_id,
      user_name: visit.user_name,
      driver_id: visit.user_id,
      driver_name: visit.user_name,
      digest: visit.digest,
    },
    entries,
    { held },
  )
  db.afterCommit(() => live.announce(merchantId, 'stockPlace'))
  return placeId
}

/** The lots of the van that a visit loads from, by product; undefined without a van. `vanId`: of its round. */
export async function vanOfVisit(
  db: TenantCall['db'],
  merchantId: string,
  vanId: string | null,
  userId: string,
  fills: readonly { productId: string | null }[],
): Promise<((productId: string) => readonly HeldLot[]) | undefined> {
  const placeId = vanId ?? (await vanOfDriver(db, merchantId, userId))
  if (!placeId) return undefined
  const productIds = [...new Set(fills.flatMap(({ productId }) => productId ?? []))]
  const lotsAt = lotsAtOf(await lotsOf(db, merchantId, [placeId], productIds))
  return (productId) => lotsAt(placeId, productId)
}

/** What was loaded and thrown away, by product. */
async function productsOf(
  { db }: Pick<TenantCall, 'db'>,
  machineId: string,
  lines: readonly { selection: string; loaded: number; waste: number }[],
): Promise<VisitedProduct[]> {
  const fills = await fillsOf(db, [machineId])
  const productBySelection = new Map(fills.map(({ selection, productId }) => [selection, productId]))
  const named = lines.flatMap((line) => {
    const productId = productBySelection.get(line.selection)
    return productId ? [{ ...line, productId }] : []
  })
  return [...Map.groupBy(named, ({ productId }) => productId)].map(([productId, same]) => ({
    productId,
    loaded: same.reduce((sum, { loaded }) => sum + loaded, 0),
    waste: same.reduce((sum, { waste }) => sum + waste, 0),
  }))
}
