import { type Line, pass, type Talk } from '../line/talk.ts'
import { TransferFault } from '../line/transfer-fault.ts'
import { bid, receiveBlocks, sendBlocks } from './exchange.ts'
import {
  communicationId,
  firstHandshake,
  readFirstHandshake,
  readSecondHandshake,
  revision,
  secondHandshake,
} from './handshake.ts'
import { openEar } from './listening.ts'
import { dexTimes } from './times.ts'

export interface DexMachine {
  file: Uint8Array
  id: string
  /** Old machines are masters of the first handshake; those of today are slaves (EVA-DTS 6.1, chapter 4.5.1). */
  role: 'master' | 'slave'
  revision?: string
  /** The code of the second handshake; all but 00 refuse. */
  response?: string
  /** Bytes of a block; by default the longest of the standard. */
  blockLength?: number
}

/** A machine that gives out its audit file once: the other side of the carrier. */
export function* serveByDex(line: Line, machine: DexMachine): Talk<void> {
  const ear = openEar(line)
  const id = communicationId(machine.id)
  const own = { id, revision: machine.revision ?? revision }
  if (machine.role === 'master') {
    yield* bid(ear, false)
    yield* sendBlocks(ear, 'header', firstHandshake({ ...own, operation: 'S' }))
    const second = yield* receiveBlocks(ear, { mark: 'header', patience: dexTimes.betweenParts })
    if (second === 'won' || readSecondHandshake(second).response !== '00') throw new TransferFault('refused')
  } else {
    const first = yield* receiveBlocks(ear, { mark: 'header', patience: dexTimes.betweenParts })
    if (first === 'won') throw new TransferFault('badAnswer')
    const isRead = readFirstHandshake(first).operation === 'R'
    const response = isRead ? (machine.response ?? '00') : '05'
    yield* pass(line, dexTimes.partPause)
    yield* bid(ear, false)
    yield* sendBlocks(ear, 'header', secondHandshake({ ...own, response }))
    if (response !== '00') throw new TransferFault('refused')
  }
  yield* pass(line, dexTimes.partPause)
  yield* bid(ear, false)
  yield* sendBlocks(ear, 'text', machine.file, machine.blockLength)
}
