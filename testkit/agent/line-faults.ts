import type { Disturbance, Way } from '#agent/emulator/disturbance.ts'

/** Faults of a line, at the byte with an index on the way from a side. */
export type LineFault =
  | { kind: 'lose' | 'double'; from: Way['from']; index: number }
  | { kind: 'flip'; from: Way['from']; index: number; mask: number }
  /** So many bytes are lost: the side falls silent. */
  | { kind: 'silence'; from: Way['from']; index: number; bytes: number }
  /** So many bytes are late: a slow UART, or a busy adapter. */
  | { kind: 'slow'; from: Way['from']; index: number; bytes: number; ms: number }
  /** The side hears what it sends. */
  | { kind: 'echo'; from: Way['from']; index: number; bytes: number }

const isWithin = (fault: LineFault, { from, index }: Way) => {
  const length = 'bytes' in fault ? fault.bytes : 1
  return fault.from === from && index >= fault.index && index < fault.index + length
}

/** The disturbance of a line with these faults. */
export function faultyLine(faults: readonly LineFault[]): Disturbance {
  let late = { carrier: 0, machine: 0 }
  return (byte, way) => {
    let bytes = [byte]
    let isHeardBack = false
    for (const fault of faults) {
      if (!isWithin(fault, way)) continue
      if (fault.kind === 'lose' || fault.kind === 'silence') bytes = []
      else if (fault.kind === 'double') bytes = bytes.flatMap((one) => [one, one])
      else if (fault.kind === 'flip') bytes = bytes.map((one) => one ^ fault.mask)
      else if (fault.kind === 'slow') late = { ...late, [way.from]: late[way.from] + fault.ms }
      else isHeardBack = true
    }
    const delay = late[way.from]
    const arrivals = bytes.map((one) => ({ byte: one, delay }))
    return isHeardBack ? [...arrivals, { byte, delay: 0, isEcho: true }] : arrivals
  }
}
