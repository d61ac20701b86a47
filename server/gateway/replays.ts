import { UpKind } from '#contract/device-protocol.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { type LetterToReplay, replayNext } from '#database/platform/dead-letter-replay.ts'
import type { ReplayOutcome } from '#database/platform/dead-letters.ts'
import { createBackoff } from '../retry/backoff.ts'
import { isBatchKind } from './read-message.ts'
import type { Receiver } from './receive.ts'

const everyMs = 2_000

type ReplayResult = { outcome: ReplayOutcome; detail: string | null }
const refused = (detail: string): ReplayResult => ({ outcome: 'refused', detail })

/**
 * Kinds that are valid only at their own time: a replay would report an old state, or accept a command that no machine
 * executes.
 */
const notReplayable: readonly UpKind[] = ['hello', 'state', 'claim', 'authorise', 'blocks', 'linkCode']

/**
 * Former versions set an item aside without its message's head; this adds a head again. Null when the item's epoch is
 * unknown and over, since another item may have the same number.
 */
function messageOf(letter: LetterToReplay, machine: KnownMachine): Uint8Array | null {
  if (!isBatchKind(letter.kind as UpKind)) return letter.payload
  try {
    const item: unknown = JSON.parse(letter.payload.toString())
    if (typeof item !== 'object' || item === null || 'items' in item || !('at' in item)) return letter.payload
    if (letter.at < machine.associatedAt) return null
    return Buffer.from(JSON.stringify({ id: letter.id, at: item.at, epoch: machine.epoch, items: [item] }))
  } catch {
    return letter.payload
  }
}

/** Replays letters to the receiver on request of support; records the result at the letter. */
export function startReplays(
  doors: Doors,
  parts: { receiver: Receiver; find: (serial: string) => Promise<KnownMachine | null> },
): { stop(): Promise<void> } {
  async function runReplay(letter: LetterToReplay): Promise<ReplayResult> {
    const kind = UpKind.safeParse(letter.kind)
    if (!kind.success) return refused('unknownKind')
    if (notReplayable.includes(kind.data)) return refused('ofThatMoment')
    const machine = letter.serial === null ? null : await parts.find(letter.serial)
    if (!machine) return refused('unknownMachine')
    if (letter.merchantId !== null && letter.merchantId !== machine.merchantId) return refused('otherMerchant')
    const payload = messageOf(letter, machine)
    if (!payload) return refused('staleEpoch')
    const {
      stored,
      repeated,
      refused: refusals,
    } = await parts.receiver.receive(machine, {
      kind: kind.data,
      payload,
      transport: letter.transport,
      isRepeated: true,
      receivedAt: letter.at,
      isReplay: true,
      isOfPastEpoch: letter.at < machine.associatedAt,
    })
    const [refusal] = refusals
    if (refusal) return refused(`${refusal.code}: ${refusal.reason}`)
    return { outcome: stored === 0 && repeated > 0 ? 'repeated' : 'stored', detail: null }
  }

  let isStopped = false
  let running: Promise<void> | undefined
  const backoff = createBackoff({ leastMs: everyMs, mostMs: 30_000 })
  const look = async () => {
    while (!isStopped && (await replayNext(doors, runReplay)));
  }
  const timer = setInterval(() => {
    if (!backoff.isDue()) return
    // Failed requests stay open and are retried with growing pauses.
    running ??= look()
      .then(backoff.worked, () => void backoff.failed())
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
