import type { QueryClient } from '@tanstack/react-query'
import type { Round } from '#contract/stock/round.ts'
import { picking } from '#contract/warehouse/picking.ts'
import { stockPlaces } from '#contract/warehouse/stock-place.ts'
import { queryOf } from '#portal/app/api.ts'
import { remembered } from '#portal/app/theme/preferences.ts'

export const warehousesOf = (merchantId: string) =>
  queryOf(stockPlaces.listStockPlaces, {
    params: { merchantId },
    query: { kinds: ['warehouse'], size: 100, ord: 'name' },
  })

export const pickingOf = ({ merchantId, id: roundId }: Pick<Round, 'merchantId' | 'id'>, stockPlaceId: string) =>
  queryOf(picking.getRoundPicking, { params: { merchantId, roundId }, query: { stockPlaceId } })

/** The warehouse that a list begins with: the last one, or the first by name. */
export const firstWarehouse = <P extends { id: string }>(places: readonly P[]): P | undefined =>
  places.find(({ id }) => id === remembered('warehouse')) ?? places[0]

/** Reads the pick list of a round ahead, at the warehouse that it begins with. */
export async function readPicking(client: QueryClient, round: Round): Promise<void> {
  const place = firstWarehouse((await client.fetchQuery(warehousesOf(round.merchantId))).items)
  if (place) await client.fetchQuery(pickingOf(round, place.id))
}
