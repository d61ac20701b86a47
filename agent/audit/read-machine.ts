import { type DdcmpOptions, type DdcmpReading, readByDdcmp } from '../ddcmp/carrier.ts'
import { type DexOptions, type DexReading, readByDex } from '../dex/carrier.ts'
import type { Line, Talk } from '../line/talk.ts'
import { TransferFault } from '../line/transfer-fault.ts'
import { faultOfFile } from './file-proof.ts'

export type ReadingOptions = ({ protocol: 'dex' } & DexOptions) | ({ protocol: 'ddcmp' } & DdcmpOptions)

/** Reads the audit file of a machine once. It is whole and right, or a fault says why there is none. */
export function* readMachine(line: Line, options: ReadingOptions): Talk<DexReading | DdcmpReading> {
  const reading = options.protocol === 'dex' ? yield* readByDex(line, options) : yield* readByDdcmp(line, options)
  const fault = faultOfFile(reading.file, reading.disturbances)
  if (fault) throw new TransferFault(fault)
  return reading
}

/** The speed at which a session begins: EVA-DTS 6.1, chapters 3.4.2 and 4.4. */
export const beginningRate = { dex: 9600, ddcmp: 2400 } as const satisfies Record<ReadingOptions['protocol'], number>
