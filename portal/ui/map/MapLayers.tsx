import { useState } from 'react'
import { canSplit } from '#domain/machines/map-clusters.ts'
import { lazyPart, Part, PartFailure } from '../part/lazyPart.tsx'
import classes from './MachineMap.module.css'
import { MapControls } from './MapControls.tsx'
import MapStill from './MapStill.tsx'
import type { MapAct, MapProps, MapSpot, ShownArea } from './mapProps.ts'

const MapCanvas = lazyPart(() => import('./MapCanvas.tsx'))

/**
 * The map: a drawing until the user points at it or uses its buttons; then the live map, which replaces the drawing once it
 * shows the same. Without WebGL the drawing stays.
 */
export default function MapLayers(props: MapProps) {
  const [isWanted, setWanted] = useState(false)
  const [wish, setWish] = useState<MapAct>()
  const [shows, setShows] = useState<'still' | 'moving' | 'still for good'>('still')
  const [start, setStart] = useState<{ area: ShownArea; spots: readonly MapSpot[] }>()
  const ask = (wish: MapAct) => {
    setWish(wish)
    setWanted(true)
  }
  return (
    // What a pointer does here the buttons do for a keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.layers} onPointerEnter={() => setWanted(true)}>
      {isWanted && start && shows !== 'still for good' && (
        <Part failed={(again) => <PartFailure again={again} close={() => setWanted(false)} />}>
          <div className={classes.moving} inert={shows === 'still'}>
            <MapCanvas
              {...props}
              wish={wish}
              start={start}
              onReady={() => setShows('moving')}
              onUnsupported={() => setShows('still for good')}
            />
          </div>
        </Part>
      )}
      {shows !== 'moving' && (
        <>
          <MapStill
            {...props}
            onShown={setStart}
            onCluster={(cluster) => {
              const { west, south, east, north } = cluster
              if (canSplit(cluster) && shows === 'still') ask({ box: [west, south, east, north] })
              else props.openMany(cluster)
            }}
          />
          {shows === 'still' && <MapControls press={ask} />}
        </>
      )}
    </div>
  )
}
