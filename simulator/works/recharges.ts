import { mediaSources, mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { cash } from '#domain/sales/paid-with.ts'
import type { CashSimulation } from '../cash-works.ts'
import type { MachineMemory } from '../memory.ts'
import type { MachinePlan } from '../plan.ts'
import type { Random } from '../random.ts'
import type { Breakdowns } from './breakdowns.ts'
import type { Customers } from './customers.ts'
import type { ItemWriter, Sale } from './item-writer.ts'

/** Simulates recharges of media, and what customers overpay. */
export function openRecharges(
  plan: MachinePlan,
  memory: MachineMemory,
  random: Random,
  parts: { cash: CashSimulation; breakdowns: Breakdowns; itemWriter: ItemWriter },
  customers?: Customers,
) {
  const { sale } = parts.itemWriter
  const { payCash } = parts.cash
  const { payments } = parts.breakdowns

  /** A customer loads a key, mostly in cash, sometimes over the web; large amounts earn a bonus. */
  function recharge(at: number, media: { mediaType: number; mediaSource: number }, serial: string) {
    const amount = random.pick(plan.recharges)
    if (random.chance(0.12)) {
      const type = random.chance(0.6) ? 109 : 107
      sale(at, {
        type,
        mediaType: type === transactionTypes.webRecharge ? mediaTypes.web : mediaTypes.app,
        mediaSource: mediaSources.cloud,
        value: amount,
        valueCharge: amount,
        mediaSerial: serial,
      })
      return
    }
    if ((payments[0] ?? 0) === 0 && (plan.payments[0] ?? 0) > 0) return
    if (customers?.rechargeCloud({ mediaSerial: serial, mediaType: media.mediaType }, amount)) return
    takeRecharge(at, { ...media, mediaSerial: serial, ...customers?.keys.use(serial, amount) }, amount)
    if (amount === plan.recharges.at(-1) && random.chance(0.5)) {
      const bonus = Math.round(amount / 20)
      const key = customers?.keys.use(serial, bonus)
      sale(at + 400, { type: 5, ...media, value: 0, valueCharge: bonus, mediaSerial: serial, ...key })
    }
  }

  /** Takes the money of a recharge. */
  function takeRecharge(at: number, who: Partial<Sale> & Pick<Sale, 'mediaType' | 'mediaSource'>, amount: number) {
    const overpaid = payCash(amount, true)
    sale(at, { type: 4, ...who, paidWith: cash, value: amount, valueCharge: amount })
    memory.flow.credited += amount
    keepOverpaid(at, overpaid)
  }

  /** Change that the tubes do not have stays in the machine. */
  function keepOverpaid(at: number, overpaid: number, mediaSource = 2) {
    if (overpaid <= 0) return
    memory.flow.overpaid += overpaid
    sale(at + 900, { type: 9, mediaType: cash, mediaSource, value: overpaid })
  }

  return { recharge, takeRecharge, keepOverpaid }
}
