import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import worldUrl from 'world-atlas/countries-50m.json?url'
import { type Countries, partsOf } from './flatMap.ts'

let world: Promise<Countries> | undefined

/** The countries, shipped with the portal: no tile server is used. */
export function countries(): Promise<Countries> {
  world ??= fetch(worldUrl)
    .then((response) => response.json() as Promise<Topology<{ countries: GeometryCollection }>>)
    .then((topology) => partsOf(feature(topology, topology.objects.countries)))
  world.catch(() => {
    world = undefined
  })
  return world
}
