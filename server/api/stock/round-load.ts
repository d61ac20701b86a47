import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import {
  type LoadFilters,
  type loadOrds,
  RoundLoad,
  type RoundProduct,
  type roundProductOrds,
  type rounds,
} from '#contract/stock/round.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { roundList } from '#database/stock/round.ts'
import { fittingPieces, type LoadRecord, loadsOfRound } from '#database/stock/round-load.ts'
import { bySelection } from '#domain/stock/stock.ts'
import type { Handlers } from '#server/http/handler.ts'
import { isFound, pageIn, sortedBy, totalsIn } from '#server/http/short-list.ts'
import { wireOf } from '#server/http/wire.ts'
import { loadsUntil } from './candidates.ts'

const KeptLoad = RoundLoad.omit({ fits: true })
type KeptLoad = z.output<typeof KeptLoad>

const presentLoad = (load: LoadRecord): KeptLoad =>
  wireOf(KeptLoad, load, { posId: load.machine_id, product: load.product_name ?? load.product })

/** All loads of a round in driving order, then in the machine's order; a stop that is skipped needs none. */
async function loadsIn(db: TenantDb, roundId: string): Promise<KeptLoad[]> {
  const round = await roundList.find(db, roundId)
  if (!round) throw new ProductError('RoundNotFound')
  const loads = await loadsOfRound(db, round)
  return loads
    .filter(({ stop_status }) => stop_status !== 'skipped')
    .map(presentLoad)
    .sort((one, other) => one.position - other.position || bySelection(one.selection, other.selection))
}

/** The selections that are loaded, filtered and sorted. */
export async function loadsMatching(
  db: TenantDb,
  { roundId, search, withEmpty = false, ord = 'position', ...by }: LoadFilters & Sorted<(typeof loadOrds)[number]>,
): Promise<KeptLoad[]> {
  const loads = (await loadsIn(db, roundId)).filter(({ quantity }) => withEmpty || quantity > 0)
  const matching = loads.filter(
    (load) => isFound(search, load) || isFound(search, { selection: load.posName, product: load.productCode }),
  )
  return sortedBy(matching, (load) => load[ord], by)
}

/** The products that are loaded in total, by name. */
export async function productsMatching(
  db: TenantDb,
  { roundId, search, ord = 'product', ...by }: LoadFilters & Sorted<(typeof roundProductOrds)[number]>,
): Promise<RoundProduct[]> {
  const loads = (await loadsIn(db, roundId)).filter(({ quantity }) => quantity > 0)
  const byProduct = Map.groupBy(loads, ({ productId, product }) => productId ?? product ?? '')
  const products = [...byProduct.values()].map((productLoads): RoundProduct => {
    const { merchantId, productId, product, productCode } = productLoads[0] as KeptLoad
    return {
      merchantId,
      productId,
      product,
      productCode,
      stops: new Set(productLoads.map(({ stopId }) => stopId)).size,
      quantity: productLoads.reduce((sum, { quantity }) => sum + quantity, 0),
    }
  })
  const matching = products.filter(({ product, productCode }) =>
    isFound(search, { selection: productCode ?? '', product }),
  )
  return sortedBy(matching, (product) => product[ord], by)
}

export const loadHandlers: Pick<Handlers<typeof rounds>, 'listRoundLoads' | 'listRoundProducts'> = {
  listRoundLoads: async ({ db, query, now }) => {
    const matching = await loadsMatching(db, query)
    const { items, ...page } = pageIn(matching, query)
    const totals = totalsIn(matching, ['quantity'])
    const round = await roundList.find(db, query.roundId)
    if (!round) throw new ProductError('RoundNotFound')
    const stops = new Map(items.map(({ stopId, posId }) => [stopId, { id: stopId, machineId: posId }]))
    const fits = await fittingPieces(db, [...stops.values()], loadsUntil(round.day, round.time_zone, now))
    return { ...page, totals, items: items.map((load) => ({ ...load, fits: fits(load.stopId, load.selection) })) }
  },
  listRoundProducts: async ({ db, query }) => {
    const matching = await productsMatching(db, query)
    return { ...pageIn(matching, query), totals: totalsIn(matching, ['quantity']) }
  },
}
