import { noMediaSerial } from '#contract/vocabulary/media.ts'
import { mediaSources } from '#contract/vocabulary/transaction.ts'
import { decodeNoVend, isSold } from '#domain/catalogue/no-vend.ts'
import type { CashSimulation } from '../cash-works.ts'
import type { ZoneClock } from '../clock.ts'
import type { MachineMemory } from '../memory.ts'
import { type MachinePlan, priceIn, type Tender, tenders } from '../plan.ts'
import type { Random } from '../random.ts'
import { priceTableOf } from '../stock-report.ts'
import { type Breakdowns, isCash } from './breakdowns.ts'
import type { Customers } from './customers.ts'
import type { ItemWriter, Sale } from './item-writer.ts'
import { openRecharges } from './recharges.ts'
import type { Selections } from './selections.ts'

/** Transaction type, media type and media source by tender; the numbers are those of the contract's vocabulary. */
const kinds = {
  coins: { type: 1, mediaType: 1, mediaSource: 1 },
  bills: { type: 1, mediaType: 1, mediaSource: 2 },
  token: { type: 1, mediaType: 6, mediaSource: 1 },
  key: { type: 1, mediaType: 2, mediaSource: 3 },
  mifare: { type: 1, mediaType: 7, mediaSource: 3 },
  card: { type: 1, mediaType: 3, mediaSource: 3 },
  creditCard: { type: 14, mediaType: 5, mediaSource: 4 },
  app: { type: 15, mediaType: 4, mediaSource: mediaSources.cloud },
} as const satisfies Record<Tender, object>
const kindOf = (tender: Tender) => ({ ...kinds[tender], priceTable: priceTableOf[tender] })

const isOwnMedia = (tender: Tender) => tender === 'key' || tender === 'mifare'

/** The tender whose price table a medium has. */
const tenderOfMedia: Record<number, Tender> = { 2: 'key', 3: 'card', 4: 'app', 7: 'mifare' }

/** One of the site's customers, some of whom buy more often. */
const customerAt = ({ site, keys }: MachinePlan, random: Random) =>
  site * 1000 + Math.floor(random.next() ** 1.4 * Math.min(keys, 1000))

/** Who pays with a tender, as a sale names them. */
function payerOf(tender: Tender, plan: MachinePlan, random: Random): Partial<Sale> {
  const payer: Partial<Sale> = {}
  if (isOwnMedia(tender) || tender === 'card') {
    const customer = customerAt(plan, random)
    payer.mediaSerial = (Math.imul(customer + 1, 0x9e3779b1) >>> 0).toString(16).toUpperCase().padStart(8, '0')
  } else if (tender === 'token') payer.mediaSerial = noMediaSerial
  if (tender === 'creditCard') payer.creditCardFileId = `CC${random.int(1e8, 1e9 - 1)}`
  if (tender === 'app') payer.externalUserId = `U-${1000 + customerAt(plan, random)}`
  return payer
}

/** Whether the machine's no-vend profile withholds a selection now, by the machine's own clock. */
function isWithheld(
  { plan, memory, clock }: { plan: MachinePlan; memory: MachineMemory; clock: ZoneClock },
  at: number,
  line: number,
  priceTable: number,
): boolean {
  const profile = decodeNoVend(memory.own?.settings ?? {})
  return profile !== null && !isSold(profile, String(line), priceTable, clock.wall(at + plan.driftSeconds * 1000))
}

/** Simulates sales: customers, their choices and payments, and failures. */
export function openTill(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  clock: ZoneClock,
  parts: { cash: CashSimulation; selections: Selections; breakdowns: Breakdowns; itemWriter: ItemWriter },
  customers?: Customers,
) {
  const { selections } = parts
  const { sale } = parts.itemWriter
  const { payCash, giveOut } = parts.cash
  const { recharge, takeRecharge, keepOverpaid } = openRecharges(plan, memory, random, parts, customers)
  const { payments, startFault, isStopped } = parts.breakdowns

  function watchBox(at: number) {
    if (memory.box < plan.boxCapacity) return
    const code = plan.bills.length > 0 && memory.flow.bills > memory.flow.toBox ? 'ENE' : 'OBO'
    startFault(at, code, null)
  }

  /** What a medium buys: a selection by its name, or the first with stock. Undefined when it is sold out or the machine is stopped. */
  function offerTo(selection: string | undefined, mediaType: number) {
    const tender = tenderOfMedia[mediaType] ?? 'key'
    const index = plan.selections.findIndex(
      ({ line }, at) => (selection === undefined || String(line) === selection) && (selections.weights[at] ?? 0) > 0,
    )
    const planned = plan.selections[index]
    if (!planned || isStopped()) return undefined
    return { index, tender, price: priceIn(planned, priceTableOf[tender]) }
  }

  /** Sells to a medium, or reports a vend that failed. */
  function sellTo(
    at: number,
    { index, tender }: Pick<NonNullable<ReturnType<typeof offerTo>>, 'index' | 'tender'>,
    { who, value, isFailed }: { who: Partial<Sale>; value: number; isFailed: boolean },
  ) {
    const selection = plan.selections[index]
    const sold = memory.sold[index]
    if (!selection || !sold) return
    const { line: priceLine, product, code: productCode } = selection
    const what = { ...kindOf(tender), priceLine, product, productCode, ...who, value }
    memory.lastSaleAt = at
    if (!isFailed) selections.take(at, index)
    if (value > 0) {
      sold.count++
      sold.value += value
    }
    sale(at, { ...what, ...(isFailed && { errorSale: true }) })
  }

  /** A customer arrives. False when nothing could be sold. */
  function sellOne(at: number): boolean {
    if (isStopped()) return false
    const tender = tenders[random.weighted(payments)]
    const index = random.weighted(selections.weights)
    const selection = plan.selections[index]
    const sold = memory.sold[index]
    if (!tender || !selection || !sold) return false
    const { type, ...media } = kindOf(tender)
    const { line: priceLine, product, code: productCode } = selection
    if (isWithheld({ plan, memory, clock }, at, priceLine, media.priceTable)) return false
    const price = priceIn(selection, media.priceTable)
    const what = { ...media, priceLine, product, productCode }
    const who = payerOf(tender, plan, random)
    memory.lastSaleAt = at

    const luck = random.next()
    // The product was not delivered, and no money was taken.
    if (luck < 0.004) {
      sale(at, { type, ...what, ...who, value: 0, errorSale: true })
      return true
    }
    const medium = { mediaSerial: who.mediaSerial ?? '', mediaType: media.mediaType }
    const sellByKey = () => {
      const key = customers?.keys.use(medium.mediaSerial, -price)
      sellTo(Date.now(), { index, tender }, { who: { ...who, ...key }, value: price, isFailed: false })
    }
    const isUsual = luck > 0.0125 && luck < 0.93
    if (isOwnMedia(tender) && isUsual && customers?.payFromCloud(medium, priceLine, sellByKey)) return true
    selections.take(at, index)
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
    const key = isOwnMedia(tender) ? customers?.keys.use(medium.mediaSerial, -price) : null
    const paid = sale(at, { type, ...what, ...who, value: price, ...key })
    if (luck < 0.0125) refundVend(at + 45_000, price, tender, paid, { type, ...what, ...who, value: price })
    keepOverpaid(at, overpaid, media.mediaSource)
    if (isCash(tender)) watchBox(at)
    return true
  }

  /** A customer complains at once and gets a refund: by card reversal, onto the key, or in cash. */
  function refundVend(at: number, price: number, tender: Tender, paid: number, what: Sale) {
    const { mediaType, mediaSource, mediaSerial, creditCardFileId, externalUserId } = what
    const who = { mediaType, mediaSource, mediaSerial, creditCardFileId, externalUserId }
    const key = isOwnMedia(tender) ? customers?.keys.use(mediaSerial ?? '', price) : null
    // In cash as much as the tubes contain.
    const received = isCash(tender) ? price - giveOut(price) : price
    sale(at, { ...who, type: tender === 'creditCard' ? 16 : 6, value: -received, originalSeq: paid, ...key })
    if (!isCash(tender)) return
    memory.flow.dispensed -= received
    memory.flow.byHand += received
  }

  return { sellOne, offerTo, sellTo, takeRecharge }
}
