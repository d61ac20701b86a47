import ddcmpReader from './traces/ddcmp-reader.json' with { type: 'json' }
import dexFrames from './traces/dex-frames.json' with { type: 'json' }

/** A published transfer: what each side sent, in hexadecimal, where it is published, and the file that came out of it. */
export interface Trace {
  what: string
  source: string
  exchange: { from: string; hex: string }[]
  file: string
}

export const traces = { dexFrames, ddcmpReader } satisfies Record<string, Trace>

export const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
