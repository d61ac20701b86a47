import { hear, type Line, send, type Talk } from '#agent/line/talk.ts'

/** One turn of a recorded transfer. */
export interface Turn {
  from: 'carrier' | 'machine'
  bytes: Uint8Array
}

/** A carrier that says nothing for so long has gone. */
const patienceMs = 60_000

/** Plays the machine's side of a recorded transfer byte by byte, each turn after as many bytes as the carrier sent then. `heard` takes the turns of the carrier. */
export function* playTrace(
  line: Line,
  { turns, pause, heard }: { turns: readonly Turn[]; pause: number; heard: Uint8Array[] },
): Talk<void> {
  for (const { from, bytes } of turns) {
    if (from === 'machine') {
      yield* send(line, bytes, pause)
      continue
    }
    const turn: number[] = []
    while (turn.length < bytes.length) {
      const byte = yield* hear(line, line.now + patienceMs)
      if (byte === undefined) return
      turn.push(byte)
    }
    heard.push(Uint8Array.from(turn))
  }
}
