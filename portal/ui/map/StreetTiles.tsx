import { Text, useComputedColorScheme } from '@mantine/core'
import { addressOfTile, tilesIn } from '#domain/machines/map-tiles.ts'
import type { MapView } from '#domain/machines/map-view.ts'
import { mapTiles } from './mapTiles.ts'

/** How much of the streets is seen: in the dark scheme the ground behind them dims them. */
export const streetOpacity = (scheme: 'light' | 'dark') => (scheme === 'dark' ? 0.55 : 1)

/** Streets below what a drawing shows, inside its SVG; nothing where the deployment has no tiles. */
export function StreetTiles({ view }: { view: MapView }) {
  const scheme = useComputedColorScheme()
  const tiles = mapTiles()
  if (!tiles) return null
  return (
    <g opacity={streetOpacity(scheme)}>
      {tilesIn(view).map(({ z, x, y, left, top, side }) => (
        // Half a pixel more: a browser leaves a seam between two fractions.
        <image
          key={`${z} ${left} ${top}`}
          href={addressOfTile(tiles.url, { z, x, y })}
          x={left}
          y={top}
          width={side + 0.5}
          height={side + 0.5}
        />
      ))}
    </g>
  )
}

/** Whom the streets are of. */
export function StreetOwner() {
  const tiles = mapTiles()
  return (
    tiles && (
      <Text span pos="absolute" right={0} bottom={0} px={6} bg="var(--surface)" c="dimmed" fz={11} opacity={0.9}>
        {tiles.attribution}
      </Text>
    )
  )
}
