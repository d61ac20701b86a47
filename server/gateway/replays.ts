import { UpKind } from '#contract/device-protocol.ts'
import { type LetterToReplay, replayNext } from '#database/dead-letter-replay.ts'
import type { ReplayOutcome } from '#database/dead-letters.ts'
import type { KnownMachine } from '#database/machine-directory.ts'
import type { Doors } from '#database/tenant.ts'
import { isBatchKind } from './read-message.ts'
import type { Receiver } from './receive.ts'

const everyMs = 2_000

type Told = { outcome: ReplayOutcome; detail: string | null }
const refused = (detail: string): Told => ({ outcome: 'refused', detail })

/** What speaks of now alone: told later it would say what is no longer so, or take a command that nobody will execute. */
const ofNow: readonly UpKind[] = ['hello', 'state', 'claim']

/**
 * One item of a message was set aside without what stood around it; it is put into a message of its own again. Null: it has its number in
 * an epoch that is over, where another item may have the same.
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

/** Tells the receiver once more what support has asked for; what it says then is noted at the letter. */
export function startReplays(
  doors: Doors,
  parts: { receiver: Receiver; find: (serial: string) => Promise<KnownMachine | null> },
): { stop(): Promise<void> } {
  async function tell(letter: LetterToReplay): Promise<Told> {
    const kind = UpKind.safeParse(letter.kind)
    if (!kind.success) return refused('unknownKind')
    if (ofNow.includes(kind.data)) return refused('ofThatMoment')
    const machine = letter.serial === null ? null : await parts.find(letter.serial)
    if (!machine) return refused('unknownMachine')
    if (letter.merchantId !== null && letter.merchantId !== machine.merchantId) return refused('otherMerchant')
    const payload = messageOf(letter, machine)
    if (!payload) return refused('staleEpoch')
    const { stored, repeated, fault } = await parts.receiver.receive(machine, {
      kind: kind.data,
      payload,
      transport: letter.transport,
      isRepeated: true,
      receivedAt: letter.at,
      isReplay: true,
    })
    if (fault) return refused(`${fault.code}: ${fault.detail}`.slice(0, 1000))
    return { outcome: stored === 0 && repeated > 0 ? 'repeated' : 'stored', detail: null }
  }

  let isStopped = false
  let running: Promise<unknown> = Promise.resolve()
  const look = async () => {
    while (!isStopped && (await replayNext(doors, tell)));
  }
  const timer = setInterval(() => {
    // While the database is away there is nothing to look for.
    running = running.then(look).catch(() => {})
  }, everyMs)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
