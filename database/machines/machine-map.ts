import { sql } from 'kysely'
import type { MachineFilters, MapArea } from '#contract/machines/machine.ts'
import { posStatuses } from '#contract/vocabulary/device.ts'
import { type Cluster, cellsAt, joined, partsOfBox } from '#domain/machines/map-clusters.ts'
import { type Bounds, mapFit, seenBy, viewOf } from '#domain/machines/map-view.ts'
import { posStatusOf, stateOf } from '../facts/machine-state.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { filteredMachines } from './machine.ts'

const latitude = sql.ref<number>('machines.latitude')
const longitude = sql.ref<number>('machines.longitude')

type Matching = Awaited<ReturnType<typeof filteredMachines>>

/** Machines with a place, in a box if one is given. */
function placed(matching: Matching, box: Bounds | undefined) {
  const all = matching().where('machines.latitude', 'is not', null).where('machines.longitude', 'is not', null)
  if (!box) return all
  const parts = partsOfBox(box).map(
    ([west, south, east, north]) =>
      sql<boolean>`(${longitude} between ${west}::float8 and ${east}::float8 and ${latitude} between ${south}::float8 and ${north}::float8)`,
  )
  return all.where(sql<boolean>`(${sql.join(parts, sql` or `)})`)
}

const boxOf = ({ west, south, east, north }: Partial<MapArea>): Bounds | undefined =>
  west === undefined || south === undefined || east === undefined || north === undefined
    ? undefined
    : [west, south, east, north]

/** Single machines with coordinates that match, in an area if it has a box; the worst first when `size` cuts them off. */
export async function machinesOnMap(db: TenantDb, { size, ...query }: MachineFilters & MapArea) {
  return placed(await filteredMachines(db, query), boxOf(query))
    .select(['machines.id', 'machines.merchant_id', 'machines.name', stateOf.as('state'), posStatusOf.as('posStatus')])
    .select([latitude.as('latitude'), longitude.as('longitude')])
    .$if(size < mostPoints, (some) => some.orderBy(sql`${posStatusOf} desc, machines.name_order, machines.id`))
    .limit(size)
    .execute()
}
const mostPoints = 20_000

/** The cell of a machine in a grid over the world, in Web Mercator. */
const cellOf = (cells: number) => {
  const count = sql.lit(Math.floor(cells))
  return {
    x: sql<number>`floor((${longitude} + 180) / 360 * ${count})`,
    y: sql<number>`floor((0.5 - ln(tan(pi() / 4 + radians(greatest(-85, least(85, ${latitude}))) / 2)) / (2 * pi())) * ${count})`,
  }
}

/** Clusters and single machines of an area: with a box and a zoom, or of the view in which a map of this size shows all machines. */
export async function clustersOnMap(db: TenantDb, query: MachineFilters & MapArea) {
  const matching = await filteredMachines(db, query)
  const area = await areaOf(matching, query)
  if (!area) return []
  const cells = cellsAt(area.box, area.zoom)
  const cell = cellOf(cells)
  const rows = await placed(matching, area.box)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where ${posStatusOf} = ${sql.lit(posStatuses.critical)}))::int`.as('critical'),
      sql<number>`(count(*) filter (where ${posStatusOf} = ${sql.lit(posStatuses.warning)}))::int`.as('warning'),
      sql<number>`avg(${latitude})`.as('latitude'),
      sql<number>`avg(${longitude})`.as('longitude'),
      sql<number>`min(${longitude})`.as('west'),
      sql<number>`min(${latitude})`.as('south'),
      sql<number>`max(${longitude})`.as('east'),
      sql<number>`max(${latitude})`.as('north'),
      // Of a single machine.
      sql<string>`min(machines.id::text)`.as('id'),
      sql<string>`min(machines.merchant_id::text)`.as('merchant_id'),
      sql<string>`min(machines.name)`.as('name'),
      sql<string>`min(${stateOf})`.as('state'),
    ])
    .groupBy([cell.x, cell.y])
    .execute()
  return joined(rows, cells)
}

async function areaOf(matching: Matching, query: MapArea): Promise<{ box: Bounds; zoom: number } | undefined> {
  const box = boxOf(query)
  const { zoom, width, height } = query
  if (box && zoom !== undefined) return { box, zoom }
  if (width === undefined || height === undefined) return undefined
  const all = await placed(matching, box)
    .select([
      sql<number | null>`min(${longitude})`.as('west'),
      sql<number>`min(${latitude})`.as('south'),
      sql<number>`max(${longitude})`.as('east'),
      sql<number>`max(${latitude})`.as('north'),
    ])
    .executeTakeFirst()
  if (!all || all.west === null) return undefined
  const fit = { padding: mapFit.padding, maxZoom: mapFit.closest }
  const view = viewOf([all.west, all.south, all.east, all.north], { width, height }, fit)
  return { box: seenBy(view), zoom: view.zoom }
}

/** A cell with one machine. */
export const isSingle = <C extends Cluster>(cluster: C | Cluster): cluster is C & { id: string } =>
  cluster.count === 1 && 'id' in cluster
