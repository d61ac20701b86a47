import { hear, type Line, type Talk } from '../line/talk.ts'
import { type BlockMark, blockCheck } from './blocks.ts'
import { ackCharacter, DLE, ENQ, EOT, ETB, ETX, NAK, SOH, STX, SYN, WACK } from './characters.ts'
import { dexTimes } from './times.ts'

/** What a station heard. Characters without a meaning are passed over. */
export type Heard =
  | { kind: 'enq' | 'eot' | 'nak' | 'wack' | 'silence' }
  | { kind: 'ack'; number: 0 | 1 }
  | ({ kind: 'block' } & Block)

export interface Block {
  mark: BlockMark
  data: Uint8Array
  /** Ends the message: ETX instead of ETB. */
  isLast: boolean
  /** Its check held. */
  isWhole: boolean
}

/** A station's ear on the line. */
export interface Ear {
  line: Line
  /** When the last byte came, and whether a control character ended with it. */
  lastAt: number
  isAfterControl: boolean
  /** Control characters and blocks that were understood. */
  understood: number
  /** What was heard and handed back. */
  next?: Heard
}

export const openEar = (line: Line): Ear => ({
  line,
  lastAt: Number.NEGATIVE_INFINITY,
  isAfterControl: false,
  understood: 0,
})

/** Blocks of real machines may be longer than the standard's; beyond this length it is noise. */
const longestBlock = 1024
/** A single character is apart from what came before. */
const apartMs = 3

const alone: Readonly<Record<number, 'enq' | 'eot' | 'nak'>> = { [ENQ]: 'enq', [EOT]: 'eot', [NAK]: 'nak' }

/** The next control character or block, or silence at `until`. */
export function* listen(ear: Ear, until: number): Talk<Heard> {
  const { line } = ear
  if (ear.next) {
    const heard = ear.next
    ear.next = undefined
    return heard
  }
  for (;;) {
    const { lastAt, isAfterControl } = ear
    const byte = yield* hear(line, until)
    if (byte === undefined) return { kind: 'silence' }
    ear.lastAt = line.now
    ear.isAfterControl = false
    // The check of a block whose beginning was lost may look like a control character.
    const isApart = isAfterControl || line.now - lastAt >= apartMs
    const heard = byte === DLE ? yield* afterDle(ear) : isApart && alone[byte] ? { kind: alone[byte] } : undefined
    if (heard) {
      ear.understood++
      ear.isAfterControl = heard.kind !== 'block'
      ear.lastAt = line.now
      return heard
    }
    line.disturbances++
  }
}

function* afterDle(ear: Ear): Talk<Heard | undefined> {
  const { line } = ear
  for (;;) {
    const byte = yield* hear(line, line.now + dexTimes.withinBlock)
    ear.lastAt = line.now
    if (byte === ackCharacter(0)) return { kind: 'ack', number: 0 }
    if (byte === ackCharacter(1)) return { kind: 'ack', number: 1 }
    if (byte === WACK) return { kind: 'wack' }
    if (byte === SOH || byte === STX) return { kind: 'block', ...(yield* restOfBlock(line, byte)) }
    if (byte !== DLE) return undefined
  }
}

/** Reads on after DLE SOH or DLE STX. A block that breaks off, or has an unknown sign in it, is not whole. */
function* restOfBlock(line: Line, start: number): Talk<Block> {
  let mark: BlockMark = start === SOH ? 'header' : 'text'
  let data: number[] = []
  let isBroken = false
  const broken = (): Block => {
    line.disturbances++
    return { mark, data: Uint8Array.from(data), isLast: false, isWhole: false }
  }
  for (;;) {
    const byte = yield* hear(line, line.now + dexTimes.withinBlock)
    if (byte === undefined) return broken()
    const sign = byte === DLE ? yield* hear(line, line.now + dexTimes.withinBlock) : undefined
    if (byte === DLE && sign === undefined) return broken()
    if (sign === ETB || sign === ETX) {
      const low = yield* hear(line, line.now + dexTimes.withinBlock)
      const high = low === undefined ? undefined : yield* hear(line, line.now + dexTimes.withinBlock)
      if (low === undefined || high === undefined || isBroken) return broken()
      const bytes = Uint8Array.from(data)
      if (blockCheck(bytes, sign) !== (low | (high << 8))) return broken()
      return { mark, data: bytes, isLast: sign === ETX, isWhole: true }
    }
    if (sign === SOH || sign === STX) {
      // The end of the block before was lost.
      line.disturbances++
      mark = sign === SOH ? 'header' : 'text'
      data = []
      isBroken = false
    } else if (sign === undefined || sign === DLE) data.push(byte)
    // DLE SYN fills a pause of the sender.
    else if (sign !== SYN) isBroken = true
    if (data.length > longestBlock) isBroken = true
  }
}
