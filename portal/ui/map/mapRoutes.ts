import type { Feature, LineString } from 'geojson'
import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect } from 'react'
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
    const marks = routes.flatMap(({ tone, stops }) =>
      stops.map((stop) =>
        new Marker({ element: markOf(tone, stop) }).setLngLat([stop.longitude, stop.latitude]).addTo(map),
      ),
    )
    return () => {
      map.off('idle', draw)
      for (const mark of marks) mark.remove()
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

/** The number of a stop; MapLibre places it. */
function markOf(tone: string, { number, name }: MapRoute['stops'][number]) {
  const place = document.createElement('span')
  const mark = document.createElement('span')
  mark.className = classes.stop ?? ''
  mark.style.cssText = `display:block;--tone:var(--${tone})`
  mark.textContent = String(number)
  mark.title = `${number}. ${name}`
  place.append(mark)
  place.style.cssText = 'width:0;height:0'
  return place
}
