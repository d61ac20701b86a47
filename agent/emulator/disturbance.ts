/** What becomes of a byte on its way: none, one or several bytes, each late by milliseconds. */
export type Disturbance = (byte: number, way: Way) => { byte: number; delay: number; isEcho?: boolean }[]

export interface Way {
  from: 'carrier' | 'machine'
  /** Bytes of this side before this one. */
  index: number
  /** When its last bit arrives. */
  at: number
}

/** Loses, doubles or changes a share of the bytes, 0 to 1. `random` is 0 to 1. */
export function noisyLine(share: number, random: () => number): Disturbance {
  return (byte) => {
    if (random() >= share) return [{ byte, delay: 0 }]
    const kind = Math.floor(random() * 3)
    if (kind === 0) return []
    if (kind === 1)
      return [
        { byte, delay: 0 },
        { byte, delay: 0 },
      ]
    return [{ byte: byte ^ (1 + Math.floor(random() * 255)), delay: 0 }]
  }
}
