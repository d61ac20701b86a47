import { useComputedColorScheme } from '@mantine/core'
import { type GeoJSONSource, Map as MapLibre, Marker, type StyleSpecification, setWorkerUrl } from 'maplibre-gl'
import { canSplit, closestClusters } from '#domain/machines/map-clusters.ts'
import { closestTiles, tileSize } from '#domain/machines/map-tiles.ts'
import { mapFit, seenBy, viewOf } from '#domain/machines/map-view.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import type { TFunction } from 'i18next'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { panelOfPlace, panelText } from '#portal/app/panel.ts'
import { token } from '../chart/token.ts'
import { useOpenPlace } from '../panel/useOpenPlace.ts'
import type { Countries } from './flatMap.ts'
import { landFor } from './land.ts'
import classes from './MachineMap.module.css'
import { MapControls } from './MapControls.tsx'
import { boxOfSpots, lookOf, nameOf } from './mapClusters.ts'
import { isCluster, type MapAct, type MapProps, type MapSpot, type ShownArea } from './mapProps.ts'
import { useRoutes } from './mapRoutes.ts'
import { mapTiles } from './mapTiles.ts'
import { StreetOwner, streetOpacity } from './StreetTiles.tsx'
import { useSpots } from './useSpots.ts'

setWorkerUrl(workerUrl)

const colors = () => ({ sea: token('sunken'), land: token('surface'), border: token('line-strong') })

function styleOf(data: Countries): StyleSpecification {
  const { sea, land, border } = colors()
  const tiles = mapTiles()
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data, tolerance: 0.2 },
      ...(tiles && { streets: { type: 'raster', tiles: [tiles.url], tileSize, maxzoom: closestTiles } }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': land } },
      { id: 'border', type: 'line', source: 'countries', paint: { 'line-color': border, 'line-width': 0.8 } },
      ...(tiles
        ? [{ id: 'streets', type: 'raster' as const, source: 'streets', paint: { 'raster-fade-duration': 0 } }]
        : []),
    ],
  }
}

interface Props extends MapProps {
  /** The action that opened the live map. */
  wish: MapAct | undefined
  /** What the drawing shows. */
  start: { area: ShownArea; spots: readonly MapSpot[] }
  /** Called once the map shows the requested area. */
  onReady: () => void
  onUnsupported: () => void
}

/** The current props, for a map that lives longer than they do. */
interface Latest extends Props {
  t: TFunction
  openPlace: ReturnType<typeof useOpenPlace>
  closest: number
}

/** The map in a box, made when the outlines of the countries have loaded. */
function useMap(box: RefObject<HTMLDivElement | null>, latest: RefObject<Latest>) {
  const [map, setMap] = useState<MapLibre>()
  useEffect(() => {
    let made: MapLibre | undefined
    let isGone = false
    const { clientWidth: width, clientHeight: height } = box.current ?? { clientWidth: 1, clientHeight: 1 }
    const fit = { padding: mapFit.padding, maxZoom: latest.current.closest }
    const bounds = boxOfSpots(latest.current.start.spots)
    const view = viewOf(bounds, { width, height }, fit)
    const land = landFor(seenBy(view), view.zoom)
    land
      .load()
      .then((data) => {
        if (isGone || !box.current) return
        made = new MapLibre({
          container: box.current,
          style: styleOf(data),
          bounds,
          fitBoundsOptions: fit,
          maxZoom: closestClusters + 1,
          attributionControl: false,
          cooperativeGestures: true,
          dragRotate: false,
          pitchWithRotate: false,
          fadeDuration: 0,
          locale: {
            'CooperativeGesturesHandler.WindowsHelpText': latest.current.t('machine-map:scroll'),
            'CooperativeGesturesHandler.MacHelpText': latest.current.t('machine-map:scrollMac'),
            'CooperativeGesturesHandler.MobileHelpText': latest.current.t('machine-map:touch'),
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
      if (map?.getLayer('streets')) map.setPaintProperty('streets', 'raster-opacity', streetOpacity(scheme))
    }
    const frame = requestAnimationFrame(() => map?.isStyleLoaded() && paint())
    return () => cancelAnimationFrame(frame)
  }, [map, scheme])
}

/** Draws the spots as buttons, and opens them. */
function useButtons(map: MapLibre | undefined, spots: readonly MapSpot[], latest: RefObject<Latest>) {
  const markers = useRef(new Map<string, Marker>())
  // oxlint-disable-next-line react/exhaustive-deps -- the buttons of a map end with it
  useEffect(() => {
    const shown = markers.current
    return () => {
      for (const marker of shown.values()) marker.remove()
      shown.clear()
    }
  }, [map])
  useEffect(() => {
    if (!map) return
    const shown = markers.current
    const open = (spot: MapSpot) => {
      const { openPlace, placeOf, openMany } = latest.current
      if (!isCluster(spot)) openPlace(placeOf(spot))
      else if (canSplit(spot)) showBox(map, [spot.west, spot.south, spot.east, spot.north])
      else openMany(spot)
    }
    const visibleKeys = new Set<string>()
    for (const spot of spots) {
      const { key } = lookOf(spot)
      visibleKeys.add(key)
      if (shown.has(key)) continue
      const element = buttonOf(
        spot,
        nameOf(spot, (key, values) => latest.current.t(key, values)),
      )
      const panel = isCluster(spot) ? undefined : panelOfPlace(latest.current.placeOf(spot))
      if (panel) element.dataset.panel = panelText(panel)
      element.addEventListener('click', () => open(spot))
      shown.set(key, new Marker({ element }).setLngLat([spot.longitude, spot.latitude]).addTo(map))
    }
    for (const [key, marker] of shown) {
      if (visibleKeys.has(key)) continue
      marker.remove()
      shown.delete(key)
    }
  }, [map, spots, latest])
}

/** The map itself; its clusters are buttons of the page, reached by the keyboard like any other. */
export default function MapCanvas({ closest = mapFit.closest, ...props }: Props) {
  const { source, start, routes } = props
  const { t } = useTranslation(['ui', 'vocabulary', 'machine-map'])
  const openPlace = useOpenPlace()
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef<Latest>({ ...props, t, openPlace, closest })
  latest.current = { ...props, t, openPlace, closest }
  const map = useMap(box, latest)
  const [area, setArea] = useState<ShownArea>(start.area)
  const spots = useSpots(source, area, closest).spots ?? start.spots
  useMapColors(map)
  useRoutes(map, routes)
  useButtons(map, spots, latest)
  // The spots are those of the shown area.
  useEffect(() => {
    if (!map) return
    const follow = () => setArea(areaOf(map))
    map.on('moveend', follow)
    return () => void map.off('moveend', follow)
  }, [map])
  return (
    <>
      <div ref={box} className={classes.map} />
      <StreetOwner />
      <MapControls
        press={(wish) => {
          if (wish === 'in') map?.zoomIn({ duration: 200 })
          else if (wish === 'out') map?.zoomOut({ duration: 200 })
          else map?.fitBounds(boxOfSpots(start.spots), { padding: mapFit.padding, maxZoom: closest, duration: 250 })
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
  else if (wish !== 'all') showBox(map, wish.box)
}

/** Shows the machines of a box side by side. */
function showBox(map: MapLibre, box: [number, number, number, number]) {
  map.fitBounds(box, { padding: 64, maxZoom: closestClusters, duration: 250 })
}

/** The shown box, to a hundred thousandth of a degree. */
function areaOf(map: MapLibre): ShownArea {
  const bounds = map.getBounds()
  const written = (degrees: number) => Number(degrees.toFixed(5))
  return {
    west: Math.max(-540, written(bounds.getWest())),
    south: written(bounds.getSouth()),
    east: Math.min(540, written(bounds.getEast())),
    north: written(bounds.getNorth()),
    zoom: Math.max(0, Math.floor(map.getZoom())),
  }
}

/** The button of a spot; MapLibre places it. */
function buttonOf(spot: MapSpot, name: string) {
  const { size, tone, text, ring } = lookOf(spot)
  const element = document.createElement('button')
  element.type = 'button'
  element.className = classes.marker ?? ''
  element.style.cssText = `width:${size}px;height:${size}px;--tone:var(--${tone});--ring:${ring ?? 'none'}`
  if (isCluster(spot)) element.dataset.cluster = 'true'
  element.textContent = text
  element.setAttribute('aria-label', name)
  element.title = name
  return element
}
