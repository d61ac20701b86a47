import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'

type MapTiles = NonNullable<SpaConfiguration['mapTiles']>

let given: MapTiles | undefined

/** Takes the deployment's tiles, once at start. */
export const takeMapTiles = (tiles: SpaConfiguration['mapTiles']) => {
  given = tiles ?? undefined
}

/** Where maps get streets, and whom they are of; undefined: they show countries alone. */
export const mapTiles = (): MapTiles | undefined => given
