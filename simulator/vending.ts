import type { CashItem, ResultItem, SaleItem } from '#contract/device-protocol.ts'
import { auditFile } from './audit-file.ts'
import type { ZoneClock } from './clock.ts'
import { faultOf } from './faults.ts'
import { type MachineMemory, tubeCapacity, tubeFill } from './memory.ts'
import type { MachinePlan, Tender } from './plan.ts'
import { tenders } from './plan.ts'
import type { Random } from './random.ts'

type Numbered<T> = Omit<T, 'seq' | 'at'>
export type Sale = Partial<Numbered<SaleItem>> & Pick<SaleItem, 'type' | 'mediaType' | 'mediaSource' | 'value'>
export type CashReport = Numbered<CashItem>

/** What a machine has to tell, numbered in the order in which it happened; `at` is true time, not the machine's clock. */
export type Happening = { seq: number; at: number } & (
  | { kind: 'sale'; sale: Sale }
  | { kind: 'event'; code: string; active: boolean }
  | { kind: 'cash'; cash: CashReport }
  | { kind: 'audit'; origin: number; bytes: Uint8Array }
  | ({ kind: 'result'; commandId: string } & Pick<ResultItem, 'outcome' | 'info'>)
)

/** Transaction type, media type, media source and price table by tender; the numbers are those of the contract's vocabulary. */
const paidWith = {
  coins: { type: 1, mediaType: 1, mediaSource: 1, priceTable: 1 },
  bills: { type: 1, mediaType: 1, mediaSource: 2, priceTable: 8 },
  token: { type: 1, mediaType: 6, mediaSource: 1, priceTable: 1 },
  key: { type: 1, mediaType: 2, mediaSource: 3, priceTable: 2 },
  mifare: { type: 1, mediaType: 7, mediaSource: 3, priceTable: 3 },
  card: { type: 1, mediaType: 3, mediaSource: 3, priceTable: 6 },
  creditCard: { type: 14, mediaType: 5, mediaSource: 4, priceTable: 7 },
  app: { type: 15, mediaType: 4, mediaSource: 5, priceTable: 7 },
} as const satisfies Record<Tender, object>

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
  const tubes = plan.coins.slice(0, plan.tubes)
  const lineIndex = new Map(plan.selections.map(({ line }, index) => [line, index]))
  /** Selections by how much they are wanted; zero while one cannot be had. */
  const weights = plan.selections.map(() => 0)
  /** Tenders by how often they are used; zero while they do not work. */
  const payments = plan.payments.map(() => 0)
  let isStopped = false
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

  /** Takes a bill or coin in; a coin goes into its tube while there is room. */
  function takeIn(piece: number) {
    const isBill = piece >= plan.coins.length
    const value = (isBill ? plan.bills[piece - plan.coins.length] : plan.coins[piece]) ?? 0
    memory.accepted[piece] = (memory.accepted[piece] ?? 0) + 1
    if (random.chance(isBill ? 0.06 : 0.035)) memory.rejected[piece] = (memory.rejected[piece] ?? 0) + 1
    if (isBill) {
      memory.bills[piece - plan.coins.length] = (memory.bills[piece - plan.coins.length] ?? 0) + 1
      memory.flow.bills += value
      memory.box += value
      return
    }
    const coin = memory.coins[piece]
    if (piece < tubes.length && (memory.tubes[piece] ?? 0) < tubeCapacity) {
      memory.tubes[piece] = (memory.tubes[piece] ?? 0) + 1
      memory.flow.toTubes += value
      if (coin) coin.toTubes++
    } else {
      memory.box += value
      memory.flow.toBox += value
      if (coin) coin.toBox++
    }
  }

  /** Gives change from the largest tube down; answers what could not be given. */
  function giveOut(amount: number): number {
    let left = amount
    for (let tube = tubes.length - 1; tube >= 0; tube--) {
      const value = tubes[tube] ?? 0
      while (value > 0 && left >= value && (memory.tubes[tube] ?? 0) > 0) {
        memory.tubes[tube] = (memory.tubes[tube] ?? 0) - 1
        const coin = memory.coins[tube]
        if (coin) coin.dispensed++
        memory.flow.dispensed += value
        left -= value
      }
    }
    return left
  }

  /** Somebody pays a price in coins or bills, now and then with more than it takes. Answers what was overpaid. */
  function payCash(price: number, withBills: boolean): number {
    let left = price
    if (withBills) {
      const bill = plan.bills.findIndex((value) => value >= price)
      if (bill >= 0) {
        takeIn(plan.coins.length + bill)
        return giveOut((plan.bills[bill] ?? 0) - price)
      }
    }
    if (random.chance(0.45)) {
      const coin = plan.coins.findIndex((value) => value >= price)
      if (coin >= 0) {
        takeIn(coin)
        return giveOut((plan.coins[coin] ?? 0) - price)
      }
    }
    for (let piece = plan.coins.length - 1; piece >= 0; piece--) {
      const value = plan.coins[piece] ?? 0
      while (left >= value) {
        takeIn(piece)
        left -= value
      }
    }
    return 0
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
    const { type, ...media } = paidWith[tender]
    const { line: priceLine, product, code: productCode } = selection
    const price = isOwnMedia(tender) ? selection.keyPrice : selection.price
    const what = { ...media, priceLine, product, productCode }
    const who: Partial<Sale> = {}
    if (isOwnMedia(tender) || tender === 'card') who.mediaSerial = keySerial()
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
    if (isCash(tender)) memory.flow.byHand += price
  }

  function take(at: number, index: number) {
    const left = (memory.stock[index] ?? 0) - 1
    memory.stock[index] = left
    if (left > 0) return
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
    })
    event(at, 'OA1B')
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
    reportCash(at + 30_000)
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

  /** Reads the machine's counters into an audit file. `origin` as the contract's vocabulary numbers it. */
  function audit(at: number, origin: number) {
    memory.reads++
    memory.lastAuditAt = at
    const time = clock.local(at + plan.driftSeconds * 1000).slice(0, 19)
    tell({ kind: 'audit', seq: number(), at, origin, bytes: auditFile(plan, memory, time, clock) })
  }

  return {
    plan,
    memory,
    sellOne,
    strike,
    clear,
    visit,
    reportCash,
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
