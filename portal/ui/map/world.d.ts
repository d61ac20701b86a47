/** The countries in pieces, as the build cuts them (`scripts/portal/world.ts`). Packed polygons: `worldPieces.ts`. */
declare module 'virtual:world' {
  type Land = () => Promise<{ default: number[][][] }>
  /** West, south, east, north, in degrees. */
  export const pieces: { box: [number, number, number, number]; load: Land }[]
  /** The whole world with fewer points. */
  export const afar: Land
}
