import { isAudit } from '#domain/audits/eva-dts/is-audit.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import type { TransferFaultCode } from '../line/transfer-fault.ts'

/**
 * Why a transferred file is not taken, or undefined. The checks of blocks let one of 65,536 damaged ones through, and nothing shows a lost or
 * doubled block, so after faults of the line the file's own check sum (G85) must hold. Machines with a wrong one, or none, are read on a clean
 * line.
 */
export function faultOfFile(file: Uint8Array, disturbances: number): TransferFaultCode | undefined {
  const content = readAudit(file)
  if (!isAudit(content)) return 'notAudit'
  const { crc } = content
  const isProven = crc.verdict === 'holds' || crc.verdict === 'holdsSwapped'
  return disturbances > 0 && !isProven ? 'doubtful' : undefined
}
