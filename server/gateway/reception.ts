import type { Go, Refusal } from '#contract/device-protocol.ts'
import type { Journal } from '#database/ingest/journal.ts'

/** A message as it came. */
export interface Incoming {
  /** One that this version knows, or any other word. */
  kind: string
  payload: Uint8Array
  transport: 'mqtt' | 'http'
  /** The sender has sent it before, so its clock speaks of then. */
  isRepeated: boolean
  receivedAt: Date
  /** A replay of a dead letter: its numbers are known, stored or not. It is not set aside again. */
  isReplay?: boolean
  /** It came before the machine was associated once more, so that it has the epoch of then. */
  isOfPastEpoch?: boolean
}

/** The outcome of a message, once everything of it is stored. */
export interface Reception {
  /** The state of the machine's journal; null for kinds that have none. */
  journal: Journal | null
  /** The last number that the machine says it has given out. */
  given: number | null
  go: Go | null
  /** What was refused of it and why; `isRefused` when that is all of it. */
  refused: Refusal[]
  isRefused: boolean
  /** Items that are stored now, and items stored before. */
  stored: number
  repeated: number
}

/** A message of which nothing was stored, and nothing refused. */
export const nothing: Reception = {
  ...{ journal: null, given: null, go: null, stored: 0, repeated: 0 },
  ...{ refused: [], isRefused: false },
}
