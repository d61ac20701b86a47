import { type Line, pass, send, type Talk } from '../line/talk.ts'
import { longestFile, TransferFault } from '../line/transfer-fault.ts'
import { type BlockMark, frameOf, partsOf } from './blocks.ts'
import { ackCharacter, DLE, ENQ, EOT, NAK } from './characters.ts'
import { type Ear, type Heard, listen } from './listening.ts'
import { dexTimes, dexTries } from './times.ts'

/*
 * One of the three parts of a DEX/UCS session: the sender bids with ENQ, sends blocks that are acknowledged in turn by DLE 1 and DLE 0, and
 * ends with EOT. EVA-DTS 6.1, chapters 4.4 to 4.6.
 */

/** The other side is quicker than Timer A: a sender without an answer asks again only after it. */
const beforeQuery = 0.9 * dexTimes.response

const say = (line: Line, ...bytes: number[]) => send(line, Uint8Array.from(bytes), dexTimes.answerPause)

/** Why there was no answer: a dead line, noise, or a machine that stopped. */
export function deadLine(ear: Ear): TransferFault {
  if (ear.line.heard === 0) return new TransferFault('silent')
  return new TransferFault(ear.understood === 0 ? 'noise' : 'stalled')
}

/** What a bid for the line came to. */
export type Bid = 'won' | 'yielded'

/**
 * Bids with ENQ until the other side answers DLE 0. A carrier gives way to a machine that bids itself: the first ENQ may have crossed ours, the
 * second is answered (chapter 4.5.1).
 */
export function* bid(ear: Ear, mayYield: boolean): Talk<Bid> {
  const { line } = ear
  let waits = 0
  let echoes = 0
  let crossed = 0
  for (let tries = 0; tries < dexTries.bids; tries++) {
    yield* say(line, ENQ)
    const sentAt = line.now
    let until = sentAt + dexTimes.response
    let others = 0
    for (;;) {
      const heard = yield* listen(ear, until)
      if (heard.kind === 'ack' && heard.number === 0) return 'won'
      if (heard.kind === 'silence') break
      line.disturbances++
      if (heard.kind === 'wack' && ++waits <= dexTries.waits) {
        yield* pass(line, dexTimes.waitPause)
        tries--
        break
      }
      if (heard.kind === 'enq') {
        others++
        crossed++
        if (mayYield && others >= 2) return 'yielded'
        if (others === 1 && line.now - sentAt < echoMs) echoes++
        // It repeats its bid after Timer A.
        if (mayYield) until = line.now + 1.5 * dexTimes.response
      }
    }
  }
  if (echoes >= dexTries.bids - 1 && crossed === echoes) throw new TransferFault('echo')
  throw crossed >= dexTries.bids ? new TransferFault('contention') : deadLine(ear)
}

/** What we sent comes back within this time, where a port hears itself. */
const echoMs = 60

/** Sends a whole message after a won bid. Blocks are repeated until they are acknowledged. */
export function* sendBlocks(ear: Ear, mark: BlockMark, message: Uint8Array, longest?: number): Talk<void> {
  const { line } = ear
  const parts = partsOf(message, longest)
  for (const [index, part] of parts.entries()) {
    const frame = frameOf(mark, part, index === parts.length - 1)
    yield* sendBlock(ear, frame, index % 2 === 0 ? 1 : 0)
  }
  yield* say(line, EOT)
}

/** Sends one block until the acknowledgement with its number comes. Without an answer ENQ asks for the last one again. */
function* sendBlock(ear: Ear, frame: Uint8Array, number: 0 | 1): Talk<void> {
  const { line } = ear
  let mustSend = true
  let sent = 0
  let queries = 0
  let waits = 0
  for (;;) {
    if (mustSend) {
      if (++sent > dexTries.blocks) {
        yield* say(line, EOT)
        throw new TransferFault('notAccepted')
      }
      yield* send(line, frame, dexTimes.answerPause)
    }
    const heard = yield* listen(ear, line.now + dexTimes.response)
    if (heard.kind === 'ack' && heard.number === number) return
    line.disturbances++
    if (heard.kind === 'eot') throw new TransferFault('aborted')
    // The last acknowledgement again, or a NAK: the other side does not have the block.
    mustSend = heard.kind === 'ack' || heard.kind === 'nak'
    if (mustSend) {
      queries = 0
      continue
    }
    if (heard.kind === 'wack') {
      if (++waits > dexTries.waits) throw new TransferFault('stalled')
      yield* pass(line, dexTimes.waitPause)
    } else if (++queries > dexTries.queries) throw deadLine(ear)
    yield* say(line, ENQ)
  }
}

/** Where a receiver begins: before the ENQ of the sender, or after it has answered one. */
export interface Receiving {
  mark: BlockMark
  /** How long to wait for the ENQ of the sender, in milliseconds. */
  patience: number
  /** The ENQ has been heard already. */
  isBidden?: boolean
  /** We have bid as well: a DLE 0 instead of a block says that we have won. */
  mayWin?: boolean
}

/**
 * Receives a whole message. A bad block is answered with NAK; ENQ with the last acknowledgement. A block that equals the one before it is its
 * repetition: the sender has missed the acknowledgement. 'won' when the other side gave way to our bid.
 */
export function* receiveBlocks(ear: Ear, { mark, patience, isBidden, mayWin }: Receiving): Talk<Uint8Array | 'won'> {
  const { line } = ear
  const parts: Uint8Array[] = []
  let length = 0
  let number: 0 | 1 = 0
  let isBegun = false
  let isComplete = false
  let bad = 0
  let calls = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  let until = line.now + patience

  function* answer(...bytes: number[]): Talk<void> {
    yield* say(line, ...bytes)
    answeredAt = line.now
    until = line.now + dexTimes.activity
  }
  const whole = () => Uint8Array.from(parts.flatMap((part) => [...part]))

  if (isBidden) {
    isBegun = true
    yield* answer(DLE, ackCharacter(0))
  }
  for (;;) {
    const heard: Heard = yield* listen(ear, until)
    if (heard.kind === 'silence') {
      if (isComplete) return whole()
      throw deadLine(ear)
    }
    if (heard.kind === 'enq') {
      if (isComplete && line.now - answeredAt < beforeQuery) {
        // The EOT was lost, and the next part begins.
        line.disturbances++
        ear.next = heard
        return whole()
      }
      if (isBegun) line.disturbances++
      isBegun = true
      if (++calls > dexTries.bids) throw new TransferFault(parts.length === 0 ? 'unheard' : 'aborted')
      yield* answer(DLE, ackCharacter(number))
    } else if (heard.kind === 'eot') {
      if (isComplete) return whole()
      // Before the first block it ends what was before.
      if (parts.length > 0) throw new TransferFault('aborted')
      line.disturbances++
    } else if (heard.kind === 'block' && isBegun) {
      // It has begun again from the first handshake, as after a power cut.
      if (heard.isWhole && heard.mark !== mark) throw new TransferFault('aborted')
      if (!heard.isWhole) {
        if (++bad > dexTries.badBlocks) throw new TransferFault('noise')
        yield* answer(NAK)
        continue
      }
      bad = 0
      calls = 0
      const last = parts.at(-1)
      if (isComplete || (last && areEqual(last, heard.data))) line.disturbances++
      else {
        length += heard.data.length
        if (length > longestFile) throw new TransferFault('tooLong')
        parts.push(heard.data)
        number = number === 0 ? 1 : 0
        isComplete = heard.isLast
      }
      yield* answer(DLE, ackCharacter(number))
    } else {
      line.disturbances++
      if (heard.kind === 'ack' && heard.number === 0 && mayWin && parts.length === 0) return 'won'
    }
  }
}

const areEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
