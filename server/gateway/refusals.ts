import type { Refusal } from '#contract/device-protocol.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { DeadLetterBox } from './dead-letter-box.ts'
import { type BadItem, type Fault, type Head, jsonOf } from './read-message.ts'

/** Sentences in one message. All further faults share one sentence. */
const sentencesShown = 50
const reasonLength = 160

/** The message that contained the items. */
interface Carrier {
  kind: string
  transport: 'mqtt' | 'http'
  payload: Uint8Array
  head: Pick<Head, 'epoch'> & Partial<Head>
}

/**
 * Stores a complete copy of each invalid item: a message of its own with the original head. Returns the refusals for the
 * machine, and the numbers that its journal may skip.
 */
export async function setItemsAside(
  deadLetters: DeadLetterBox,
  machine: KnownMachine,
  { kind, transport, payload, head }: Carrier,
  bad: readonly BadItem[],
): Promise<{ passedOver: number[]; refused: Refusal[] }> {
  const { serial, merchantId, id: machineId } = machine
  const letterOf = ({ code, detail, raw }: BadItem) => {
    const ownPayload = kind === 'audit' ? null : jsonOf({ ...head, items: [raw] })
    return {
      serial,
      merchantId,
      kind,
      transport,
      reason: `${code}: ${detail}`,
      payload: ownPayload === null ? payload : Buffer.from(ownPayload),
    }
  }
  const numbered = bad.flatMap((item) =>
    item.seq === null ? [] : [{ ...letterOf(item), machineId, epoch: head.epoch, seq: item.seq, item }],
  )
  const keptItems = await deadLetters.keepItems(numbered)
  for (const item of bad) if (item.seq === null) await deadLetters.keep(letterOf(item))
  const isKept = new Set(keptItems.map(({ item }) => item))
  const refused = refusalsOf(
    { kind, id: head.id },
    bad.map((item) => {
      if (item.seq === null || isKept.has(item)) return { ...item, kept: isKept.has(item) }
      return { seq: item.seq, code: 'noRoom', detail: 'too many items of this machine wait for support', kept: false }
    }),
  )
  return { passedOver: keptItems.map(({ seq }) => seq), refused }
}

/** The refusals of items for the machine, grouped by fault. */
function refusalsOf(
  { kind, id }: { kind: string; id: string | undefined },
  items: readonly (Fault & { seq: number | null; kept: boolean })[],
): Refusal[] {
  const byFault = new Map<string, Refusal>()
  for (const { code, detail, seq, kept } of items) {
    const reason = byFault.size < sentencesShown ? detail.slice(0, reasonLength) : 'other faults'
    const key = `${code} ${kept} ${reason}`
    const alike = byFault.get(key) ?? { kind, ...(id !== undefined && { id }), seqs: [], code, reason, kept }
    if (seq !== null) alike.seqs.push(seq)
    byFault.set(key, alike)
  }
  return [...byFault.values()]
}

/** The refusal of a whole message. */
export const wholeRefusal = (kind: string, { code, detail }: Fault, id?: string): Refusal => ({
  kind,
  ...(id !== undefined && { id }),
  seqs: [],
  code,
  reason: detail.slice(0, reasonLength),
  kept: false,
})
