import { randomUUID } from 'node:crypto'
import type { AppPayment } from '#contract/commands/command-parameters.ts'
import type { Authorised, BlockChanges, LinkCode } from '#contract/device-protocol.ts'
import { CommandFailedError } from '../command-actions.ts'
import type { MachineMemory } from '../memory.ts'
import type { MachinePlan } from '../plan.ts'
import type { Vending } from '../vending.ts'
import type { CreditEvent } from '../works/item-writer.ts'
import type { Keyring } from './keyring.ts'
import type { MediaAct, MediaActResult } from './media-acts.ts'
import { openPauses } from './pauses.ts'
import { openQuestions } from './questions.ts'

export interface MediaSimulation {
  /** Lets a customer do something with a medium; resolves at the end. */
  act(act: MediaAct): Promise<MediaActResult>
  /** Requests the block list. */
  connected(): void
  authorised(answer: Authorised): void
  blocked(changes: BlockChanges): void
  linked(answer: LinkCode): void
  /** Takes an app payment: the customer chooses the dearest product that it pays. */
  takePayment(payment: AppPayment): Promise<string>
  stop(): void
}

const secondMs = 1000
const vendMs = 0.8 * secondMs

const normalised = (serial: string) => serial.replace(/\s+/g, '').toUpperCase()

interface MediaParts {
  plan: MachinePlan
  memory: MachineMemory
  vending: Vending
  keys: Keyring
  isOnline(): boolean
  request(kind: 'authorise' | 'blocks' | 'linkCode', payload: object): void
  /** Adds an item to the journal. */
  report(credit: CreditEvent): void
  /** Stores the memory. */
  keep(): void
  /** Sends new items soon. */
  settle(): void
  /** Disconnects for some time. */
  cut(milliseconds: number): void
}

type BlockList = NonNullable<MachineMemory['blocks']>

/** The block list in the memory. A new association starts with an empty list. */
function blockListOf(memory: MachineMemory, { epoch }: MachinePlan): BlockList {
  if (memory.blocks?.epoch !== epoch) memory.blocks = { epoch, version: 0, serials: [] }
  return memory.blocks
}

/** Changes that start at 0 are the whole list. */
function changeBlocks(list: BlockList, changes: Omit<BlockChanges, 'id' | 'more'>): void {
  const gone = new Set(changes.unblocked)
  const before = changes.since === 0 ? [] : list.serials.filter((serial) => !gone.has(serial))
  list.serials = [...new Set([...before, ...changes.blocked])]
  list.version = changes.version
}

/** The dearest selection that an amount pays. */
function dearestOffer({ selections }: MachinePlan, vending: Vending, mediaType: number, amount: number) {
  const offers = selections.flatMap(({ line }) => vending.offerTo(String(line), mediaType) ?? [])
  return offers.filter(({ price }) => price > 0 && price <= amount).sort((a, b) => b.price - a.price)[0]
}

/**
 * Media at a machine: it requests credit, vends, and reports the sale. Without a connection it sells for the credit on the key, if the key is
 * not on its block list.
 */
export function openMediaSimulation(parts: MediaParts): MediaSimulation {
  const { plan, memory, vending, keys } = parts
  const holds = (memory.holds ??= [])
  /** How the vend of the next app payment fails. */
  let spoilt: 'released' | 'charged' | undefined
  const pauses = openPauses()
  const { pause } = pauses
  const questions = openQuestions(parts, pause)

  const blockList = () => blockListOf(memory, plan)

  function requestBlocks() {
    parts.request('blocks', { id: randomUUID(), version: blockList().version })
  }

  /** Ends a hold in the memory. */
  function drop(reservationId: string) {
    const index = holds.indexOf(reservationId)
    if (index >= 0) holds.splice(index, 1)
  }

  async function sell(act: Extract<MediaAct, { action: 'sell' }>): Promise<MediaActResult> {
    const offer = vending.offerTo(act.selection, act.mediaType)
    if (!offer) return { outcome: 'refused', reason: 'soldOut' }
    if (!parts.isOnline()) return sellOffline(act, offer)
    const answer = await questions.authorise(act, offer.price)
    if (!answer) return { outcome: 'refused', reason: 'noAnswer' }
    const { reservationId, approved, reason } = answer
    if (!approved || !reservationId) return { outcome: 'refused', ...(reason && { reason }) }
    holds.push(reservationId)
    parts.keep()
    if (act.silentSeconds) {
      parts.cut(act.silentSeconds * secondMs)
      await pause(act.silentSeconds * secondMs)
    } else await pause(vendMs)
    drop(reservationId)
    const value = act.fails === 'released' ? 0 : offer.price
    const who = { mediaSerial: act.mediaSerial, reservationId, mediaSource: 5 as const }
    vending.sellTo(Date.now(), offer, { who, value, isFailed: act.fails !== undefined })
    parts.settle()
    return { outcome: act.fails ? 'failed' : 'sold', reservationId, amount: value }
  }

  function sellOffline(
    { mediaSerial }: { mediaSerial: string },
    offer: NonNullable<ReturnType<Vending['offerTo']>>,
  ): MediaActResult {
    if (blockList().serials.includes(normalised(mediaSerial))) return { outcome: 'refused', reason: 'blocked' }
    const key = keys.use(normalised(mediaSerial), -offer.price)
    if (!key) return { outcome: 'refused', reason: 'offline' }
    const who = { mediaSerial, mediaSource: 3 as const, ...key }
    vending.sellTo(Date.now(), offer, { who, value: offer.price, isFailed: false })
    parts.settle()
    return { outcome: 'sold', amount: offer.price }
  }

  function recharge({ mediaSerial, mediaType, amount, to }: Extract<MediaAct, { action: 'recharge' }>): MediaActResult {
    vending.takeRecharge(Date.now(), { mediaSerial, mediaType, mediaSource: to === 'cloud' ? 5 : 3 }, amount)
    const key = to === 'key' ? keys.use(normalised(mediaSerial), amount) : null
    parts.report({ action: 'recharge', mediaSerial, mediaType, amount, to, ...key })
    parts.settle()
    return { outcome: 'recharged', amount }
  }

  async function collect(act: Extract<MediaAct, { action: 'collect' }>): Promise<MediaActResult> {
    const answer = parts.isOnline() ? await questions.authorise(act, act.amount) : null
    if (!answer) return { outcome: 'refused', reason: 'noAnswer' }
    const { reservationId, amount, reason } = answer
    if (!reservationId || amount === undefined) return { outcome: 'refused', ...(reason && { reason }) }
    const key = keys.use(normalised(act.mediaSerial), amount)
    parts.report({ action: 'collected', reservationId, amount, mediaSerial: act.mediaSerial, ...key })
    parts.settle()
    return { outcome: 'collected', reservationId, amount }
  }

  async function showCode({ mediaSerial, mediaType }: Extract<MediaAct, { action: 'link' }>): Promise<MediaActResult> {
    const answer = await questions.linkCode(mediaSerial, mediaType)
    if (answer?.code) return { outcome: 'shown', code: answer.code }
    return { outcome: 'refused', reason: answer?.reason ?? 'noAnswer' }
  }

  async function takePayment({ amount, mediaSerial, mediaType, reservationId }: AppPayment): Promise<string> {
    const offer = dearestOffer(plan, vending, mediaType, amount)
    if (!offer) throw new CommandFailedError('E-71 nothing to sell for this amount')
    holds.push(reservationId)
    parts.keep()
    await pause(vendMs)
    drop(reservationId)
    const fails = spoilt
    spoilt = undefined
    const value = fails === 'released' ? 0 : offer.price
    const who = { mediaSerial, reservationId, mediaType, mediaSource: 5 as const }
    vending.sellTo(Date.now(), offer, { who, value, isFailed: fails !== undefined })
    parts.settle()
    if (fails) throw new CommandFailedError('E-72 vend failed')
    return `vended ${value}`
  }

  return {
    async act(act) {
      if (act.action === 'sell') return sell(act)
      if (act.action === 'link') return showCode(act)
      if (act.action === 'spoil') {
        spoilt = act.fails
        return { outcome: 'spoilt' }
      }
      return act.action === 'recharge' ? recharge(act) : collect(act)
    },
    connected: requestBlocks,
    authorised(answer) {
      const isLate = questions.authorised(answer)
      if (answer.blockVersion > blockList().version) requestBlocks()
      // The customer has left.
      if (!isLate || !answer.approved || !answer.reservationId) return
      parts.report({ action: 'release', reservationId: answer.reservationId })
      parts.settle()
    },
    blocked({ since, version, blocked, unblocked, more }) {
      changeBlocks(blockList(), { since, version, blocked, unblocked })
      parts.keep()
      if (more) requestBlocks()
    },
    takePayment,
    linked: questions.linked,
    stop() {
      pauses.stop()
      questions.stop()
    },
  }
}
