import type { Authorised, BlockChanges, Go, LinkCode, Refusal } from '#contract/device-protocol.ts'
import type { Journal } from '#database/ingest/journal.ts'

/** A received message. */
export interface Incoming {
  /** A known kind, or any other word. */
  kind: string
  payload: Uint8Array
  transport: 'mqtt' | 'http'
  /** The sender repeats the message, so its clock shows the time of the first attempt. */
  isRepeated: boolean
  receivedAt: Date
  /** A replay of a dead letter: its numbers are known, stored or not. It is not set aside again. */
  isReplay?: boolean
  /** It arrived before the machine was associated again, so it has the previous epoch. */
  isOfPastEpoch?: boolean
}

/** The outcome of a message, once all of it is stored. */
export interface Reception {
  /** The state of the machine's journal; null for kinds without one. */
  journal: Journal | null
  /** The last number that the machine has assigned. */
  assigned: number | null
  go: Go | null
  authorised: Authorised | null
  blocked: BlockChanges | null
  linked: LinkCode | null
  /** The refused items and their reasons; `isRefused` when nothing else was in the message. */
  refused: Refusal[]
  isRefused: boolean
  /** Items stored now, and items stored before. */
  stored: number
  repeated: number
}

/** A message of which nothing was stored and nothing refused. */
export const nothing: Reception = {
  journal: null,
  assigned: null,
  go: null,
  authorised: null,
  blocked: null,
  linked: null,
  stored: 0,
  repeated: 0,
  refused: [],
  isRefused: false,
}
