import type { CashItem, ReadingItem, ResultItem, SaleItem } from '#contract/device-protocol.ts'
import { noMediaSerial } from '#contract/vocabulary/media.ts'
import { auditFile } from './audit-file.ts'
import { openCashWorks } from './cash-works.ts'
import { signalAt, temperatureAt } from './climate.ts'
import type { ZoneClock } from './clock.ts'
import { faultOf } from './faults.ts'
import { type MachineMemory, tubeFill } from './memory.ts'
import type { MachinePlan, Tender } from './plan.ts'
import { tenders } from './plan.ts'
import type { Random } from './random.ts'
import { type Level, levelsOf, type Price, pricesOf, priceTableOf } from './stock-report.ts'

type Numbered<T> = Omit<T, 'seq' | 'at'>
export type Sale = Partial<Numbered<SaleItem>> & Pick<SaleItem, 'type' | 'mediaType' | 'mediaSource' | 'value'>
export type CashReport = Numbered<CashItem>

/** What a machine has to tell, numbered in the order in which it happened; `at` is true time, not the machine's clock. */
export type Happening = { seq: number; at: number } & (
  | { kind: 'sale'; sale: Sale }
  | { kind: 'event'; code: string; active: boolean }
  | { kind: 'cash'; cash: CashReport }
  | { kind: 'reading'; reading: Numbered<ReadingItem> }
  | { kind: 'audit'; origin: number; bytes: Uint8Array }
  | { kind: 'config'; origin: number; parameters: Record<string, string> }
  | { kind: 'stock'; levels: Level[] }
  | { kind: 'prices'; prices: Price[] }
  | ({ kind: 'result'; commandId: string } & Pick<ResultItem, 'outcome' | 'info'>)
)

/** Transaction type, media type and media source by tender; the numbers are those of the contract's vocabulary. */
const kinds = {
  coins: { type: 1, mediaType: 1, mediaSource: 1 },
  bills: { type: 1, mediaType: 1, mediaSource: 2 },
  token: { type: 1, mediaType: 6, mediaSource: 1 },
  key: { type: 1, mediaType: 2, mediaSource: 3 },
  mifare: { type: 1, mediaType: 7, mediaSource: 3 },
  card: { type: 1, mediaType: 3, mediaSource: 3 },
  creditCard: { type: 14, mediaType: 5, mediaSource: 4 },
  app: { type: 15, mediaType: 4, mediaSource: 5 },
} as const satisfies Record<Tender, object>
const paidWith = (tender: Tender) => ({ ...kinds[tender], priceTable: priceTableOf[tender] })

const isCash = (tender: Tender) => tender === 'coins' || tender === 'bills'
const isOwnMedia = (tender: Tender) => tender === 'key' || tender === 'mifare'

export type Vending = ReturnType<typeof openVending>

/**
 * The works of one machine: sells from its stock, counts, fills its boxes, breaks and is mended. The same works made the demo's
 * history and run its live machines. Everything told goes to `tell` and into `memory`.
 */
export function openVending(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  clock: ZoneClock,
  tell: (happening: Happening) => void,
) {
  const { tubes, payCash, giveOut, canGiveOut } = openCashWorks(plan, memory, random)
  const lineIndex = new Map(plan.selections.map(({ line }, index) => [line, index]))
  /** Selections by how much they are wanted; zero while one cannot be had. */
  const weights = plan.selections.map(() => 0)
  /** Tenders by how often they are used; zero while they do not work. */
  const payments = plan.payments.map(() => 0)
  let isStopped = false
  /** Selections of which the level was not told yet; what ran out or was filled up is told at once. */
  const untold = new Set<number>()
  let isUrgent = false
  settle()

  /** Works out what can be sold and how it can be paid, after anything has changed. */
  function settle() {
    const stopped = new Set<string>()
    const blocked = new Set<number>()
    for (const { code } of memory.faults) {
      const fault = faultOf(code)
      if (fault?.stops === 'selection') blocked.add(lineIndex.get(Number(code.split('_')[1])) ?? -1)
      else if (fault) stopped.add(fault.stops)
    }
    isStopped = stopped.has('everything')
    plan.payments.forEach((weight, index) => {
      const cash = isCash(tenders[index] ?? 'coins')
      payments[index] = stopped.has(cash ? 'cash' : 'cashless') ? 0 : weight
    })
    plan.selections.forEach(({ weight }, index) => {
      weights[index] = (memory.stock[index] ?? 0) > 0 && !blocked.has(index) ? weight : 0
    })
  }

  const number = () => ++memory.seq
  const sale = (at: number, what: Sale) => {
    const seq = number()
    tell({ kind: 'sale', seq, at, sale: what })
    return seq
  }
  function event(at: number, code: string, active = true) {
    if (active) memory.eventCounts[code] = (memory.eventCounts[code] ?? 0) + 1
    tell({ kind: 'event', seq: number(), at, code, active })
  }

  function watchBox(at: number) {
    if (memory.box < plan.boxCapacity) return
    const code = plan.bills.length > 0 && memory.flow.bills > memory.flow.toBox ? 'ENE' : 'OBO'
    strike(at, code, null)
  }

  const keySerial = () => {
    const owner = Math.floor(random.next() ** 1.6 * plan.keys)
    return (Math.imul(owner + 1, 0x9e3779b1) >>> 0).toString(16).toUpperCase().padStart(8, '0')
  }

  /** Somebody loads a key, mostly in cash, sometimes over the web; large amounts earn a bonus. */
  function recharge(at: number, media: { mediaType: number; mediaSource: number }, serial: string) {
    const amount = random.pick(plan.recharges)
    if (random.chance(0.12)) {
      const type = random.chance(0.6) ? 109 : 107
      sale(at, {
        type,
        mediaType: type === 109 ? 10 : 4,
        mediaSource: 5,
        value: amount,
        valueCharge: amount,
        mediaSerial: serial,
      })
      return
    }
    if ((payments[0] ?? 0) === 0 && (plan.payments[0] ?? 0) > 0) return
    payCash(amount, true)
    sale(at, { type: 4, ...media, value: amount, valueCharge: amount, mediaSerial: serial })
    memory.flow.credited += amount
    if (amount === plan.recharges.at(-1) && random.chance(0.5)) {
      const bonus = Math.round(amount / 20)
      sale(at + 400, { type: 5, ...media, value: 0, valueCharge: bonus, mediaSerial: serial })
    }
  }

  /** Somebody stands before the machine. False when nothing could be sold. */
  function sellOne(at: number): boolean {
    if (isStopped) return false
    const tender = tenders[random.weighted(payments)]
    const index = random.weighted(weights)
    const selection = plan.selections[index]
    const sold = memory.sold[index]
    if (!tender || !selection || !sold) return false
    const { type, ...media } = paidWith(tender)
    const { line: priceLine, product, code: productCode } = selection
    const price = isOwnMedia(tender) ? selection.keyPrice : selection.price
    const what = { ...media, priceLine, product, productCode }
    const who: Partial<Sale> = {}
    if (isOwnMedia(tender) || tender === 'card') who.mediaSerial = keySerial()
    else if (tender === 'token') who.mediaSerial = noMediaSerial
    if (tender === 'creditCard') who.creditCardFileId = `CC${random.int(1e8, 1e9 - 1)}`
    if (tender === 'app') who.externalUserId = `U-${1000 + random.int(0, plan.keys)}`
    memory.lastSaleAt = at

    const luck = random.next()
    // The product did not come and nothing was taken for it.
    if (luck < 0.004) {
      sale(at, { type, ...what, ...who, value: 0, errorSale: true })
      return true
    }
    take(at, index)
    if (luck < 0.011) {
      memory.free.count++
      memory.free.value += price
      sale(at, { ...what, ...who, type: 2, value: 0, freeSale: true })
      return true
    }
    if (isOwnMedia(tender) && luck > 0.93) recharge(at - 15_000, media, who.mediaSerial ?? '')
    sold.count++
    sold.value += price
    let overpaid = 0
    if (isCash(tender)) {
      sold.cashCount++
      sold.cashValue += price
      overpaid = payCash(price, tender === 'bills')
    }
    const paid = sale(at, { type, ...what, ...who, value: price })
    if (luck < 0.0125) giveBack(at + 45_000, price, tender, paid, { type, ...what, ...who, value: price })
    if (overpaid > 0) {
      memory.flow.overpaid += overpaid
      sale(at + 900, { type: 9, mediaType: 1, mediaSource: media.mediaSource, value: overpaid })
    }
    if (isCash(tender)) watchBox(at)
    return true
  }

  /** Somebody complains at once and gets the price back: over the card's reversal, onto the key, or into the hand. */
  function giveBack(at: number, price: number, tender: Tender, paid: number, what: Sale) {
    const { mediaType, mediaSource, mediaSerial, creditCardFileId, externalUserId } = what
    const who = { mediaType, mediaSource, mediaSerial, creditCardFileId, externalUserId }
    sale(at, { ...who, type: tender === 'creditCard' ? 16 : 6, value: -price, originalSeq: paid })
    if (!isCash(tender)) return
    // As far as the tubes have it.
    const given = price - giveOut(price)
    memory.flow.dispensed -= given
    memory.flow.byHand += given
  }

  function take(at: number, index: number) {
    const left = (memory.stock[index] ?? 0) - 1
    memory.stock[index] = left
    untold.add(index)
    if (left > 0) return
    isUrgent = true
    weights[index] = 0
    event(at, `ELB_${plan.selections[index]?.line}`)
  }

  /** Something breaks. A selection's fault takes one at random when the code names none. Answers the code as it was told. */
  function strike(at: number, wanted: string, until: number | null): string | undefined {
    const fault = faultOf(wanted)
    const code =
      fault?.stops === 'selection' && !wanted.includes('_') ? `${wanted}_${random.pick(plan.selections).line}` : wanted
    if (memory.faults.some((known) => known.code === code)) return undefined
    memory.faults.push({ code, since: at, until })
    if (fault?.cuts === 'power') memory.powerOutages++
    else if (fault?.cuts !== 'network') event(at, code)
    settle()
    return code
  }

  /** A fault is over. A power or network cut is told now, as it could not be told before. */
  function clear(at: number, code: string) {
    const index = memory.faults.findIndex((known) => known.code === code)
    const [found] = index < 0 ? [] : memory.faults.splice(index, 1)
    if (!found) return
    const fault = faultOf(code)
    if (fault?.cuts) event(Math.min(found.since + 2000, at), code)
    if (fault?.endsWith) event(at, fault.endsWith)
    else event(at, code, false)
    settle()
  }

  /** Somebody comes: refills, tries the machine, mends what waits for that, and takes the money along when told to. */
  function visit(at: number, takesMoney: boolean) {
    plan.selections.forEach(({ capacity }, index) => {
      memory.stock[index] = capacity
      untold.add(index)
    })
    isUrgent = true
    event(at, 'OA1B')
    memory.doorAt = at
    const tested = random.pick(plan.selections)
    memory.test.count++
    memory.test.value += tested.price
    const { line: priceLine, product, code: productCode } = tested
    sale(at + 40_000, { type: 3, mediaType: 0, mediaSource: 0, priceLine, product, productCode, value: 0 })
    for (const { code } of memory.faults.filter((fault) => fault.until === null)) {
      if (code !== 'OBO' && code !== 'ENE') clear(at + 60_000, code)
    }
    if (takesMoney) collect(at + 90_000)
    settle()
  }

  function collect(at: number) {
    const amount = memory.box
    sale(at, { type: 12, mediaType: 1, mediaSource: 1, value: amount })
    memory.box = 0
    for (const full of ['OBO', 'ENE']) if (memory.faults.some(({ code }) => code === full)) clear(at, full)
    let filled = 0
    tubes.forEach((value, tube) => {
      const missing = Math.max(0, tubeFill - (memory.tubes[tube] ?? 0))
      memory.tubes[tube] = (memory.tubes[tube] ?? 0) + missing
      filled += missing * value
    })
    if (filled > 0) {
      memory.flow.filled += filled
      sale(at + 20_000, { type: 11, mediaType: 1, mediaSource: 1, value: filled })
    }
    audit(at + 35_000, 4)
    memory.soldAtReset = memory.sold.map((one) => ({ ...one }))
  }

  /** Says what is in the boxes and tubes, and which pieces were taken and refused since the last time. */
  function reportCash(at: number) {
    const values = [...plan.coins, ...plan.bills]
    const counted = (counts: number[]) =>
      values.map((value, index) => ({ value, count: counts[index] ?? 0 })).filter(({ count }) => count > 0)
    tell({
      kind: 'cash',
      seq: number(),
      at,
      cash: {
        box: memory.box,
        boxCapacity: plan.boxCapacity,
        tubes: tubes.map((value, tube) => ({ value, count: memory.tubes[tube] ?? 0 })),
        recyclers: [],
        accepted: counted(memory.accepted),
        rejected: counted(memory.rejected),
      },
    })
    memory.accepted.fill(0)
    memory.rejected.fill(0)
  }

  /** Says what is left of everything, or of what has changed since it was said. */
  function reportStock(at: number, changed?: 'changed') {
    const levels = levelsOf(plan, memory, changed && [...untold].sort((one, other) => one - other))
    untold.clear()
    isUrgent = false
    if (levels.length > 0) tell({ kind: 'stock', seq: number(), at, levels })
  }

  /** Says what signal it has, and how cold it is inside where it cools. */
  function measure(at: number) {
    const temperatureCelsius = temperatureAt(plan, at, memory.doorAt ?? null)
    const reading = {
      signalPercent: signalAt(plan, at),
      ...(temperatureCelsius !== undefined && { temperatureCelsius }),
    }
    tell({ kind: 'reading', seq: number(), at, reading })
  }

  /**
   * Reads the machine's counters into an audit file, and says what is in its boxes and tubes at that moment. `origin` as the
   * contract's vocabulary numbers it.
   */
  function audit(at: number, origin: number) {
    reportCash(at)
    memory.reads++
    memory.lastAuditAt = at
    const time = clock.local(at + plan.driftSeconds * 1000).slice(0, 19)
    tell({ kind: 'audit', seq: number(), at, origin, bytes: auditFile(plan, memory, time, clock) })
  }

  /** The counters begin anew: the memory was lost, or, with a serial, another board counts from now on. */
  function loseCounters(board?: string) {
    for (const counted of [...memory.sold, ...memory.soldAtReset])
      Object.assign(counted, { count: 0, value: 0, cashCount: 0, cashValue: 0 })
    for (const counted of [memory.free, memory.test]) Object.assign(counted, { count: 0, value: 0 })
    for (const name of Object.keys(memory.flow) as (keyof typeof memory.flow)[]) memory.flow[name] = 0
    for (const coin of memory.coins) Object.assign(coin, { toBox: 0, toTubes: 0, dispensed: 0 })
    memory.bills.fill(0)
    memory.reads = 0
    if (board !== undefined) memory.board = board
  }

  /** Pays out of the tubes, all of it or nothing; answers whether it could. */
  function payOut(at: number, amount: number): boolean {
    if (!canGiveOut(amount)) return false
    giveOut(amount)
    // Told as dispensed by hand: it is nobody's change.
    memory.flow.dispensed -= amount
    memory.flow.byHand += amount
    sale(at, { type: 10, mediaType: 1, mediaSource: 1, value: amount })
    return true
  }

  return {
    plan,
    memory,
    sellOne,
    loseCounters,
    payOut,
    /** Reads the counters, and lets those of the interval begin again. */
    closeInterval(at: number, origin: number) {
      audit(at, origin)
      memory.soldAtReset = memory.sold.map((one) => ({ ...one }))
    },
    /** Says with which settings it works. `origin` as that of an audit. */
    reportConfiguration: (at: number, parameters: Record<string, string>, origin = 2) =>
      tell({ kind: 'config', seq: number(), at, origin, parameters }),
    strike,
    clear,
    visit,
    reportCash,
    reportStock,
    /** Whether a level wants to be told: at once, or when it is its time. */
    hasUntoldStock: () => (isUrgent ? 'urgent' : untold.size > 0 ? 'some' : null),
    reportPrices: (at: number) => tell({ kind: 'prices', seq: number(), at, prices: pricesOf(plan) }),
    measure,
    audit,
    event,
    /** Credit from afar shows as a recharge from the cloud. */
    addCredit: (at: number, amount: number) =>
      sale(at, { type: 107, mediaType: 254, mediaSource: 5, value: 0, valueCharge: amount }),
    /** Somebody empties a selection: one that still has something, the most wanted first. Answers its line. */
    emptySelection(at: number): number | undefined {
      const index = weights.indexOf(Math.max(...weights))
      const selection = plan.selections[index]
      if (!selection || (weights[index] ?? 0) <= 0) return undefined
      memory.stock[index] = 1
      take(at, index)
      return selection.line
    },
    isStopped: () => isStopped,
  }
}
