import { type Line, pass, type Talk } from '../line/talk.ts'
import { TransferFault } from '../line/transfer-fault.ts'
import { bid, receiveBlocks, sendBlocks } from './exchange.ts'
import {
  communicationId,
  firstHandshake,
  readFirstHandshake,
  readSecondHandshake,
  responseFaults,
  revision,
  secondHandshake,
} from './handshake.ts'
import { type Ear, openEar } from './listening.ts'
import { dexTimes } from './times.ts'

export interface DexOptions {
  /** The communication id of the carrier. */
  id: string
  /**
   * Who begins the first handshake. `either` bids and gives way to a machine that bids itself; `slave` only waits, for machines that are
   * disturbed by an ENQ.
   */
  role: 'either' | 'master' | 'slave'
  /** The default is that of EVA-DTS 6. */
  revision?: string
  /** How long to wait for each part of the session, in milliseconds. */
  patience?: number
}

export interface DexReading {
  file: Uint8Array
  /** The communication id of the machine. */
  machine: string
  revision: string
  /** The role that we had in the first handshake. */
  role: 'master' | 'slave'
  /** Faults of the line while the file was read. */
  disturbances: number
}

/** Reads the audit file of a machine: both handshakes, then the file (EVA-DTS 6.1, chapter 4). At 9600 bits per second. */
export function* readByDex(line: Line, options: DexOptions): Talk<DexReading> {
  const ear = openEar(line)
  const machine = yield* meet(ear, options)
  const patience = options.patience ?? dexTimes.betweenParts
  const before = line.disturbances
  const file = yield* receiveBlocks(ear, { mark: 'text', patience })
  if (file === 'won') throw new TransferFault('badAnswer')
  return { file, ...machine, disturbances: line.disturbances - before }
}

type Machine = Omit<DexReading, 'file' | 'disturbances'>

function* meet(ear: Ear, options: DexOptions): Talk<Machine> {
  const patience = options.patience ?? dexTimes.betweenParts
  const mayYield = options.role === 'either'
  const isMaster = options.role !== 'slave' && (yield* bid(ear, mayYield)) === 'won'
  if (isMaster) return yield* meetAsMaster(ear, options)
  const first = yield* receiveBlocks(ear, { mark: 'header', patience, isBidden: mayYield, mayWin: mayYield })
  // We had given way, and so had the machine.
  if (first === 'won') return yield* meetAsMaster(ear, options)
  const { id: machine, revision: itsRevision, operation } = readFirstHandshake(first)
  yield* pass(ear.line, dexTimes.partPause)
  yield* bid(ear, false)
  const response = operation === 'S' ? '00' : '05'
  const id = communicationId(options.id)
  yield* sendBlocks(ear, 'header', secondHandshake({ response, id, revision: options.revision ?? revision }))
  if (operation !== 'S') throw new TransferFault('badAnswer')
  return { machine, revision: itsRevision, role: 'slave' }
}

function* meetAsMaster(ear: Ear, options: DexOptions): Talk<Machine> {
  const patience = options.patience ?? dexTimes.betweenParts
  const id = communicationId(options.id)
  yield* sendBlocks(ear, 'header', firstHandshake({ id, operation: 'R', revision: options.revision ?? revision }))
  const second = yield* receiveBlocks(ear, { mark: 'header', patience })
  if (second === 'won') throw new TransferFault('badAnswer')
  const { response, id: machine, revision: itsRevision } = readSecondHandshake(second)
  if (response !== '00') throw new TransferFault(responseFaults[response] ?? 'badAnswer')
  return { machine, revision: itsRevision, role: 'master' }
}
