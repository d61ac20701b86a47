import { deviceLimits, type ResultItem } from '#contract/device-protocol.ts'
import { isTransient } from '#database/frame/transient.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { StoppedError } from '../../threads/stopped.ts'
import { type Batcher } from '../batcher.ts'
import type { DeadLetterBox } from '../dead-letter-box.ts'
import { counted } from '../metrics.ts'
import { type BadItem, type Fault, type Head, rawItems } from '../read-message.ts'
import { type Incoming, nothing, type Reception } from '../reception.ts'
import { setItemsAside, wholeRefusal } from '../refusals.ts'
import type { Entry, GatheredInput, StoreOutcome } from '../store-batch.ts'
import { MachineGoneError } from './machine-gone.ts'

/** Why nothing of a message was stored, and what the machine must do. */
const whyNot = {
  staleEpoch: 'an association has begun since; the items are still the machine’s, to be numbered in its epoch',
  tooManyGaps: `the machine’s numbers would have more than ${deviceLimits.gaps} gaps; send what is missing first`,
} as const

/** The items of a message and the head that is stored with them. An audit without an envelope belongs to no journal. */
export interface Items {
  head: (Pick<Head, 'epoch'> & Partial<Head>) | null
  entries: Entry[]
  bad: BadItem[]
}

const replayOf = ({ isReplay = false, isOfPastEpoch = false }: Incoming) => ({ isReplay, isOfPastEpoch })

const notClaimed = (item: ResultItem): BadItem => ({
  code: 'invalidItem',
  detail: 'a result of a command that this machine was not told to execute',
  seq: item.seq,
  index: 0,
  raw: item,
})

const notBooked = ({ item, detail }: StoreOutcome['refusedCredit'][number]): BadItem => ({
  code: 'invalidItem',
  detail,
  seq: item.seq,
  index: 0,
  raw: item,
})

/** The dead letter of a whole message. */
const letterOf = (
  { serial, merchantId }: KnownMachine,
  { kind, transport, payload }: Incoming,
  { code, detail }: Fault,
) => ({
  serial,
  merchantId,
  kind,
  transport,
  reason: `${code}: ${detail}`,
  payload: payload.subarray(0, deviceLimits.auditBytes),
})

/** The receptions of items that were stored one by one, as one. */
function sumOf(receptions: readonly Reception[]) {
  const sum = (of: (one: Reception) => number) => receptions.reduce((total, one) => total + of(one), 0)
  return {
    ...nothing,
    journal: receptions.at(-1)?.journal ?? null,
    stored: sum(({ stored }) => stored),
    repeated: sum(({ repeated }) => repeated),
    refused: receptions.flatMap(({ refused }) => refused),
    isRefused: receptions.every(({ isRefused }) => isRefused),
  }
}

/** Stores parsed messages. Items that cannot be stored are set aside one by one, or refused as a whole. */
export function createItemStore(parts: {
  batcher: Batcher<GatheredInput, StoreOutcome>
  deadLetters: DeadLetterBox
  forgetMachine: (serial: string) => void
}) {
  const { batcher, deadLetters } = parts

  /** Refuses a whole message, of which the machine still has all items. */
  const refuse = async (machine: KnownMachine, incoming: Incoming, fault: Fault, id?: string) => {
    const refusal = { ...nothing, refused: [wholeRefusal(incoming.kind, fault, id)], isRefused: true }
    if (!incoming.isReplay) await deadLetters.keep(letterOf(machine, incoming, fault))
    return refusal
  }

  /** Sets items aside. Items without a number, or of a former association, cannot be acknowledged. */
  async function setAside(machine: KnownMachine, incoming: Incoming, { head, bad }: Omit<Items, 'entries'>) {
    const none = { passedOver: [], refused: [] }
    if (bad.length === 0) return none
    if (incoming.isReplay || !head) {
      const refused = bad.map((item) => wholeRefusal(incoming.kind, item))
      for (const item of bad) await refuse(machine, incoming, item)
      return { ...none, refused }
    }
    if (head.epoch === machine.epoch) return setItemsAside(deadLetters, machine, { ...incoming, head }, bad)
    // The cached machine may be older than the message.
    parts.forgetMachine(machine.serial)
    return none
  }

  async function storeItems(machine: KnownMachine, incoming: Incoming, items: Items): Promise<Reception> {
    const { head, entries } = items
    const epoch = head?.epoch ?? null
    const { passedOver, refused } = await setAside(machine, incoming, items)
    const input = { machine, epoch, entries, setAside: passedOver, ...replayOf(incoming) }
    let outcome: StoreOutcome
    try {
      const at = entries.reduce<number | undefined>(
        (oldest, entry) => Math.min(oldest ?? entry.at, entry.at),
        undefined,
      )
      outcome = await batcher.add({ ...input, weight: Math.max(1, entries.length), at })
    } catch (error) {
      if (error instanceof StoppedError || isTransient(error)) throw error
      const detail = error instanceof Error ? error.message : 'unknown'
      const others = await storeOneByOne(machine, incoming, items, `not storable, ${detail}`)
      // Their letters exist already: only the journal must continue without them.
      if (passedOver.length > 0) others.journal = (await batcher.add({ ...input, entries: [], weight: 1 })).journal
      return { ...others, refused: [...refused, ...others.refused] }
    }
    counted.items.inc({ outcome: 'stored' }, outcome.stored)
    counted.items.inc({ outcome: 'repeated' }, outcome.repeated)
    if (outcome.status === 'gone') {
      parts.forgetMachine(machine.serial)
      throw new MachineGoneError()
    }
    const { journal, stored, repeated, status } = outcome
    if (status !== 'stored') {
      if (status === 'staleEpoch') parts.forgetMachine(machine.serial)
      return { ...(await refuse(machine, incoming, { code: status, detail: whyNot[status] }, head?.id)), journal }
    }
    const { refusedResults, refusedCredit } = outcome
    const bad = [...refusedResults.map(notClaimed), ...refusedCredit.map(notBooked)]
    refused.push(...(await setAside(machine, incoming, { head, bad })).refused)
    const isRefused = refused.length > 0 && stored + repeated === bad.length
    return { ...nothing, journal, stored, repeated, refused, isRefused }
  }

  /** If the database refuses an item for good, that item alone is set aside, and the journal continues without it. */
  async function storeOneByOne(machine: KnownMachine, incoming: Incoming, { head, entries }: Items, detail: string) {
    const [only] = entries
    if (only && entries.length === 1) {
      const raw = incoming.kind === 'audit' ? undefined : rawItems(incoming.payload).get(only.seq ?? 0)
      const bad: BadItem = { code: 'invalidItem', detail, seq: only.seq, index: 0, raw }
      return storeItems(machine, incoming, { head, entries: [], bad: [bad] })
    }
    return sumOf(
      await Promise.all(entries.map((entry) => storeItems(machine, incoming, { head, entries: [entry], bad: [] }))),
    )
  }

  return { refuse, storeItems }
}
