import { useComputedColorScheme } from '@mantine/core'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { Map as MapLibre, Marker, type StyleSpecification, setWorkerUrl } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import Supercluster from 'supercluster'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import worldUrl from 'world-atlas/countries-50m.json?url'
import type { MapPoint } from '#contract/machine.ts'
import { type Countries, partsOf } from './flatMap.ts'
import { machineStateLooks } from './looks.ts'
import classes from './MachineMap.module.css'
import { type MapProps, worstFirst } from './mapProps.ts'
import { useGo } from './PlaceLink.tsx'

setWorkerUrl(workerUrl)

const maxZoom = 15
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
const colors = () => ({ sea: token('sunken'), land: token('surface'), border: token('line-strong') })

let world: Promise<Countries> | undefined
/** The countries, shipped with the portal: no tile server is asked. */
const countries = () => {
  world ??= fetch(worldUrl)
    .then((response) => response.json() as Promise<Topology<{ countries: GeometryCollection }>>)
    .then((topology) => partsOf(feature(topology, topology.objects.countries)))
  world.catch(() => {
    world = undefined
  })
  return world
}

function styleOf(data: Countries): StyleSpecification {
  const { sea, land, border } = colors()
  return {
    version: 8,
    sources: { countries: { type: 'geojson', data, tolerance: 0.2 } },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': land } },
      { id: 'border', type: 'line', source: 'countries', paint: { 'line-color': border, 'line-width': 0.8 } },
    ],
  }
}

type Leaf = { point: MapPoint; rank: number }
type Cluster = { rank: number }

function indexOf(points: readonly MapPoint[]) {
  const index = new Supercluster<Leaf, Cluster>({
    radius: 46,
    maxZoom,
    map: ({ rank }) => ({ rank }),
    reduce: (all, { rank }) => {
      all.rank = Math.min(all.rank, rank)
    },
  })
  return index.load(
    points.map((point) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [point.longitude, point.latitude] },
      properties: { point, rank: worstFirst.indexOf(point.state) },
    })),
  )
}

/** The smallest box around the points: west, south, east, north. */
export function boundsOf(
  points: readonly Pick<MapPoint, 'latitude' | 'longitude'>[],
): [number, number, number, number] {
  const [longitudes, latitudes] = [points.map(({ longitude }) => longitude), points.map(({ latitude }) => latitude)]
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

/** The map itself; its clusters are buttons of the page, reached by the keyboard like any other. */
export default function MapCanvas({
  points,
  placeOf,
  placeOfMany,
  closest = 9,
  label,
  onUnsupported,
}: MapProps & { onUnsupported: () => void }) {
  const { t } = useTranslation(['ui', 'vocabulary'])
  const go = useGo()
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre>()
  const scheme = useComputedColorScheme()
  const first = useRef(points)
  const latest = useRef({ t, go, placeOf, placeOfMany, closest, label, onUnsupported })
  latest.current = { t, go, placeOf, placeOfMany, closest, label, onUnsupported }

  useEffect(() => {
    let made: MapLibre | undefined
    let isGone = false
    countries()
      .then((data) => {
        if (isGone || !box.current) return
        made = new MapLibre({
          container: box.current,
          style: styleOf(data),
          bounds: boundsOf(first.current),
          fitBoundsOptions: { padding: 48, maxZoom: latest.current.closest },
          maxZoom: maxZoom + 2,
          attributionControl: false,
          cooperativeGestures: true,
          dragRotate: false,
          pitchWithRotate: false,
          fadeDuration: 0,
          locale: {
            'CooperativeGesturesHandler.WindowsHelpText': latest.current.t('ui:map.scroll'),
            'CooperativeGesturesHandler.MacHelpText': latest.current.t('ui:map.scrollMac'),
            'CooperativeGesturesHandler.MobileHelpText': latest.current.t('ui:map.touch'),
            'Map.Title': latest.current.label ?? latest.current.t('ui:map.name'),
          },
        })
        made.touchZoomRotate.disableRotation()
        setMap(made)
      })
      .catch(() => latest.current.onUnsupported())
    return () => {
      isGone = true
      setMap(undefined)
      made?.remove()
    }
  }, [])

  // The tokens behind the colours follow the scheme.
  useEffect(() => {
    const paint = () => {
      const { sea, land, border } = colors()
      map?.setPaintProperty('sea', 'background-color', sea)
      map?.setPaintProperty('land', 'fill-color', land)
      map?.setPaintProperty('border', 'line-color', border)
    }
    const frame = requestAnimationFrame(() => map?.isStyleLoaded() && paint())
    return () => cancelAnimationFrame(frame)
  }, [map, scheme])

  useEffect(() => {
    if (!map) return
    const index = indexOf(points)
    const markers = new Map<string, Marker>()
    const draw = () => {
      const bounds = map.getBounds()
      const found = index.getClusters(
        [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
        Math.floor(map.getZoom()),
      )
      const seen = new Set<string>()
      for (const one of found) {
        const at = one.geometry.coordinates as [number, number]
        const isCluster = 'cluster' in one.properties
        const count = isCluster ? (one.properties as { point_count: number }).point_count : 1
        const rank = one.properties.rank
        const key = `${isCluster ? `c${one.id}` : (one.properties as Leaf).point.id} ${count} ${rank}`
        seen.add(key)
        if (markers.has(key)) continue
        const element = buttonOf(count, rank, isCluster ? undefined : (one.properties as Leaf).point, (key, values) =>
          latest.current.t(key, values),
        )
        element.addEventListener('click', () => {
          if (!isCluster) return void latest.current.go(latest.current.placeOf((one.properties as Leaf).point))
          const id = one.id as number
          const zoom = index.getClusterExpansionZoom(id)
          if (zoom <= maxZoom) map.easeTo({ center: at, zoom: zoom + 0.2, duration: 250 })
          else
            void latest.current.go(
              latest.current.placeOfMany(index.getLeaves(id, 200).map(({ properties }) => properties.point)),
            )
        })
        markers.set(key, new Marker({ element }).setLngLat(at).addTo(map))
      }
      for (const [key, marker] of markers) {
        if (seen.has(key)) continue
        marker.remove()
        markers.delete(key)
      }
    }
    draw()
    map.on('moveend', draw)
    return () => {
      map.off('moveend', draw)
      for (const marker of markers.values()) marker.remove()
    }
  }, [map, points])

  return (
    <>
      <div ref={box} className={classes.map} />
      <div className={`${classes.controls} no-print`}>
        <button type="button" aria-label={t('map.zoomIn')} onClick={() => map?.zoomIn({ duration: 200 })}>
          <IconPlus size={16} aria-hidden />
        </button>
        <button type="button" aria-label={t('map.zoomOut')} onClick={() => map?.zoomOut({ duration: 200 })}>
          <IconMinus size={16} aria-hidden />
        </button>
        <button
          type="button"
          aria-label={t('map.all')}
          onClick={() => map?.fitBounds(boundsOf(points), { padding: 48, maxZoom: closest, duration: 250 })}
        >
          <IconMaximize size={16} aria-hidden />
        </button>
      </div>
    </>
  )
}

/** A cluster, or one machine; sized by how many, coloured by the worst. */
function buttonOf(
  count: number,
  rank: number,
  point: MapPoint | undefined,
  t: (key: string, values: Record<string, unknown>) => string,
) {
  const { tone, word } = machineStateLooks[worstFirst[rank] ?? 'selling']
  const element = document.createElement('button')
  const size = point ? 18 : Math.round(26 + Math.min(30, Math.log2(count) * 5))
  element.type = 'button'
  element.className = classes.marker ?? ''
  element.style.cssText = `width:${size}px;height:${size}px;--tone:var(--${tone === 'mute' ? 'ink-3' : tone})`
  element.textContent = point ? '' : String(count)
  const name = point ? `${point.name}: ${t(word, {})}` : t('ui:map.cluster', { count, state: t(word, {}) })
  element.setAttribute('aria-label', name)
  element.title = name
  return element
}
