import type { Feature, LineString } from 'geojson'
import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect } from 'react'
import { marksOfRoute } from '#domain/machines/route-marks.ts'
import { token } from '../chart/token.ts'
import classes from './MachineMap.module.css'
import type { MapRoute } from './mapProps.ts'

const none: readonly MapRoute[] = []

/** Draws routes on the live map: their lines as a layer, their numbers as marks of the page. */
export function useRoutes(map: MapLibre | undefined, routes: readonly MapRoute[] = none): void {
  useEffect(() => {
    if (!map) return
    const draw = () => showLines(map, routes)
    if (map.isStyleLoaded()) draw()
    else map.once('idle', draw)
    let marks: Marker[] = []
    const erase = () => {
      for (const mark of marks) mark.remove()
    }
    // Stops that are near each other at this zoom share a mark.
    const mark = () => {
      erase()
      marks = routes.flatMap(({ tone, stops }) => marksAt(map, tone, stops))
    }
    mark()
    map.on('zoomend', mark)
    return () => {
      map.off('idle', draw)
      map.off('zoomend', mark)
      erase()
    }
  }, [map, routes])
}

function showLines(map: MapLibre, routes: readonly MapRoute[]) {
  const features = routes.map(
    ({ tone, stops }): Feature<LineString> => ({
      type: 'Feature',
      properties: { color: token(tone) },
      geometry: { type: 'LineString', coordinates: stops.map(({ longitude, latitude }) => [longitude, latitude]) },
    }),
  )
  const data = { type: 'FeatureCollection' as const, features }
  const shown = map.getSource<GeoJSONSource>('routes')
  if (shown) return void shown.setData(data)
  map.addSource('routes', { type: 'geojson', data })
  map.addLayer({
    id: 'routes',
    type: 'line',
    source: 'routes',
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': ['get', 'color'], 'line-width': 3 },
  })
}

const marksAt = (map: MapLibre, tone: string, stops: MapRoute['stops']) =>
  marksOfRoute(
    stops.map(({ number, name, longitude, latitude }) => ({ number, name, ...map.project([longitude, latitude]) })),
  ).map(({ x, y, text, name }) =>
    new Marker({ element: markOf(tone, text, name) }).setLngLat(map.unproject([x, y])).addTo(map),
  )

/** The numbers of stops; MapLibre places them. */
function markOf(tone: string, text: string, name: string) {
  const place = document.createElement('span')
  const mark = document.createElement('span')
  mark.className = classes.stop ?? ''
  mark.style.cssText = `--tone:var(--${tone})`
  mark.textContent = text
  mark.title = name
  place.append(mark)
  place.style.cssText = 'width:0;height:0;z-index:3'
  return place
}
