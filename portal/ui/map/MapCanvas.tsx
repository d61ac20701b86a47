import { useComputedColorScheme } from '@mantine/core'
import { type GeoJSONSource, Map as MapLibre, Marker, type StyleSpecification, setWorkerUrl } from 'maplibre-gl'
import { useGo } from '#portal/app/go.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import type { TFunction } from 'i18next'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { token } from '../chart/token.ts'
import type { Countries } from './flatMap.ts'
import { landFor } from './land.ts'
import classes from './MachineMap.module.css'
import { MapControls } from './MapControls.tsx'
import { clustersOf, insideOf, maxZoom, nameOf, type Spot, spotsIn } from './mapClusters.ts'
import { type MapAct, type MapProps, mapFit } from './mapProps.ts'
import { boundsOf, seenBy, viewOf } from './mapView.ts'

setWorkerUrl(workerUrl)

const colors = () => ({ sea: token('sunken'), land: token('surface'), border: token('line-strong') })

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

interface Props extends MapProps {
  /** The action that opened the live map. */
  wish: MapAct | undefined
  /** Called once the map shows the requested area. */
  onReady: () => void
  onUnsupported: () => void
}

/** The current props, for a map that lives longer than they do. */
interface Latest extends Omit<Props, 'points'> {
  t: TFunction
  go: ReturnType<typeof useGo>
  closest: number
}

/** The map in a box, made when the outlines of the countries have loaded. */
function useMap(box: RefObject<HTMLDivElement | null>, points: Props['points'], latest: RefObject<Latest>) {
  const [map, setMap] = useState<MapLibre>()
  const first = useRef(points)
  useEffect(() => {
    let made: MapLibre | undefined
    let isGone = false
    const { clientWidth: width, clientHeight: height } = box.current ?? { clientWidth: 1, clientHeight: 1 }
    const fit = { padding: mapFit.padding, maxZoom: latest.current.closest }
    const view = viewOf(boundsOf(first.current), { width, height }, fit)
    const land = landFor(seenBy(view), view.zoom)
    land
      .load()
      .then((data) => {
        if (isGone || !box.current) return
        made = new MapLibre({
          container: box.current,
          style: styleOf(data),
          bounds: boundsOf(first.current),
          fitBoundsOptions: fit,
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
        const map = made
        showLand(map, land.key)
        map.once('idle', () => {
          latest.current.onReady()
          // One frame later it has replaced the drawing, and can take the focus of the removed button.
          requestAnimationFrame(() => follow(map, latest.current.wish))
        })
        setMap(map)
      })
      .catch(() => latest.current.onUnsupported())
    return () => {
      isGone = true
      setMap(undefined)
      made?.remove()
    }
  }, [box, latest])
  return map
}

/** The tokens behind the colours follow the scheme. */
function useMapColors(map: MapLibre | undefined) {
  const scheme = useComputedColorScheme()
  // oxlint-disable-next-line react/exhaustive-deps -- painted again in another scheme
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
}

/** Draws the clusters in view as buttons, and opens them. */
function useClusters(map: MapLibre | undefined, points: Props['points'], latest: RefObject<Latest>) {
  useEffect(() => {
    if (!map) return
    const clusters = clustersOf(points)
    const markers = new Map<string, Marker>()
    const open = ({ is, longitude, latitude }: Spot) => {
      const { go, placeOf, placeOfMany } = latest.current
      if ('point' in is) return void go(placeOf(is.point))
      const { zoom, points } = insideOf(clusters, is.cluster)
      if (zoom) map.easeTo({ center: [longitude, latitude], zoom, duration: 250 })
      else void go(placeOfMany(points))
    }
    const draw = () => {
      const bounds = map.getBounds()
      const box: Parameters<typeof spotsIn>[1] = [
        bounds.getWest(),
        bounds.getSouth(),
        bounds.getEast(),
        bounds.getNorth(),
      ]
      const visibleKeys = new Set<string>()
      for (const spot of spotsIn(clusters, box, map.getZoom())) {
        visibleKeys.add(spot.key)
        if (markers.has(spot.key)) continue
        const element = buttonOf(
          spot,
          nameOf(spot, (key, values) => latest.current.t(key, values)),
        )
        element.addEventListener('click', () => open(spot))
        markers.set(spot.key, new Marker({ element }).setLngLat([spot.longitude, spot.latitude]).addTo(map))
      }
      for (const [key, marker] of markers) {
        if (visibleKeys.has(key)) continue
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
  }, [map, points, latest])
}

/** The map itself; its clusters are buttons of the page, reached by the keyboard like any other. */
export default function MapCanvas({ points, closest = mapFit.closest, ...props }: Props) {
  const { t } = useTranslation(['ui', 'vocabulary'])
  const go = useGo()
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef<Latest>({ ...props, t, go, closest })
  latest.current = { ...props, t, go, closest }
  const map = useMap(box, points, latest)
  useMapColors(map)
  useClusters(map, points, latest)
  return (
    <>
      <div ref={box} className={classes.map} />
      <MapControls
        press={(wish) => {
          if (wish === 'in') map?.zoomIn({ duration: 200 })
          else if (wish === 'out') map?.zoomOut({ duration: 200 })
          else map?.fitBounds(boundsOf(points), { padding: mapFit.padding, maxZoom: closest, duration: 250 })
        }}
      />
    </>
  )
}

/** Loads the land that a moved map shows. */
function showLand(map: MapLibre, first: string) {
  let shown = first
  map.on('moveend', () => {
    const bounds = map.getBounds()
    const box: Parameters<typeof landFor>[0] = [
      bounds.getWest(),
      bounds.getSouth(),
      bounds.getEast(),
      bounds.getNorth(),
    ]
    const land = landFor(box, map.getZoom())
    if (land.key === shown) return
    shown = land.key
    land.load().then(
      (data) => {
        if (shown === land.key) void map.getSource<GeoJSONSource>('countries')?.setData(data)
      },
      // The next move tries again.
      () => {
        shown = ''
      },
    )
  })
}

/** Runs the action that opened the map, once the map is ready. */
function follow(map: MapLibre, wish: MapAct | undefined) {
  if (wish === undefined) return
  map.getCanvas().focus({ preventScroll: true })
  if (wish === 'in') map.zoomIn({ duration: 200 })
  else if (wish === 'out') map.zoomOut({ duration: 200 })
  else if (wish !== 'all') map.easeTo({ center: [wish.longitude, wish.latitude], zoom: wish.zoom, duration: 250 })
}

/** The button of a spot; MapLibre places it. */
function buttonOf({ is, size, tone, count }: Spot, name: string) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = classes.marker ?? ''
  element.style.cssText = `width:${size}px;height:${size}px;--tone:var(--${tone})`
  element.textContent = 'point' in is ? '' : String(count)
  element.setAttribute('aria-label', name)
  element.title = name
  return element
}
