import type { MachineFilters, MapArea, MapCluster, MapPoint } from '#contract/machines/machine.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { clustersOnMap, isSingle, machinesOnMap } from '#database/machines/machine-map.ts'
import { presentMapCluster, presentMapMachine } from './present-machine.ts'

/** What a map shows of an area: clusters beside single machines where it has a zoom or a size, else single machines. */
export async function spotsOnMap(db: TenantDb, query: MachineFilters & MapArea): Promise<(MapPoint | MapCluster)[]> {
  if (query.zoom !== undefined || query.width !== undefined)
    return (await clustersOnMap(db, query)).map((one) =>
      isSingle(one) ? presentMapMachine(one) : presentMapCluster(one),
    )
  const rows = await machinesOnMap(db, query)
  return rows.map(({ merchant_id, ...point }) => ({ ...point, merchantId: merchant_id }))
}
