/*
 * Control characters of DEX/UCS: EVA-DTS 6.1, chapter 4.4 (data link level).
 */

export const SOH = 0x01
export const STX = 0x02
export const ETX = 0x03
export const EOT = 0x04
export const ENQ = 0x05
export const DLE = 0x10
export const NAK = 0x15
export const SYN = 0x16
export const ETB = 0x17

/** DLE 0 and DLE 1: acknowledgements in turn. */
export const ackCharacter = (number: 0 | 1) => 0x30 + number
/** DLE ; asks the sender to wait. */
export const WACK = 0x3b

/** A block from after DLE STX to DLE ETB or DLE ETX, both included: chapter 4.4, block size. */
export const blockLength = 245
