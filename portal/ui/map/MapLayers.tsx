import { useState } from 'react'
import { useGo } from '#portal/app/go.ts'
import { lazyPart, Part, PartFailure } from '../part/lazyPart.tsx'
import classes from './MachineMap.module.css'
import { MapControls } from './MapControls.tsx'
import MapStill from './MapStill.tsx'
import { insideOf } from './mapClusters.ts'
import type { MapAct, MapProps } from './mapProps.ts'

const MapCanvas = lazyPart(() => import('./MapCanvas.tsx'))

/**
 * The map: a drawing until the user points at it or uses its buttons; then the live map, which replaces the drawing once it
 * shows the same. Without WebGL the drawing stays.
 */
export default function MapLayers(props: MapProps) {
  const go = useGo()
  const [isWanted, setWanted] = useState(false)
  const [wish, setWish] = useState<MapAct>()
  const [shows, setShows] = useState<'still' | 'moving' | 'still for good'>('still')
  const ask = (wish: MapAct) => {
    setWish(wish)
    setWanted(true)
  }
  return (
    // What a pointer does here the buttons do for a keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.layers} onPointerEnter={() => setWanted(true)}>
      {isWanted && shows !== 'still for good' && (
        <Part failed={(again) => <PartFailure again={again} close={() => setWanted(false)} />}>
          <div className={classes.moving} inert={shows === 'still'}>
            <MapCanvas
              {...props}
              wish={wish}
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
            onCluster={({ is, longitude, latitude }, clusters) => {
              if ('point' in is) return
              const { zoom, points } = insideOf(clusters, is.cluster)
              if (zoom && shows === 'still') ask({ longitude, latitude, zoom })
              else void go(props.placeOfMany(points))
            }}
          />
          {shows === 'still' && <MapControls press={ask} />}
        </>
      )}
    </div>
  )
}
