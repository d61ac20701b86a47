import { type MachineMemory, tubeCapacity } from './memory.ts'
import type { MachinePlan } from './plan.ts'
import type { Random } from './random.ts'

export type CashSimulation = ReturnType<typeof openCashSimulation>

/** The coin mechanism and bill validator: takes coins and bills, gives change, and counts. Amounts are minor units. */
export function openCashSimulation(plan: MachinePlan, memory: MachineMemory, random: Random) {
  const tubes = plan.coins.slice(0, plan.tubes)
  const rejects = { coin: plan.validators?.coin.rejects ?? 0.035, bill: plan.validators?.bill?.rejects ?? 0.06 }

  function intoBox(piece: number, value: number) {
    memory.box += value
    if (memory.boxed) memory.boxed[piece] = (memory.boxed[piece] ?? 0) + 1
  }

  /** Takes a bill or coin. A coin moves into its tube while there is room. */
  function takeIn(piece: number) {
    const isBill = piece >= plan.coins.length
    const value = (isBill ? plan.bills[piece - plan.coins.length] : plan.coins[piece]) ?? 0
    memory.accepted[piece] = (memory.accepted[piece] ?? 0) + 1
    if (random.chance(rejects[isBill ? 'bill' : 'coin'])) memory.rejected[piece] = (memory.rejected[piece] ?? 0) + 1
    if (isBill) {
      memory.bills[piece - plan.coins.length] = (memory.bills[piece - plan.coins.length] ?? 0) + 1
      memory.flow.bills += value
      intoBox(piece, value)
      return
    }
    const coin = memory.coins[piece]
    if (piece < tubes.length && (memory.tubes[piece] ?? 0) < tubeCapacity) {
      memory.tubes[piece] = (memory.tubes[piece] ?? 0) + 1
      memory.flow.toTubes += value
      if (coin) coin.toTubes++
    } else {
      intoBox(piece, value)
      memory.flow.toBox += value
      if (coin) coin.toBox++
    }
  }

  /** Gives change from the largest tube down. Returns the amount that could not be given. */
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

  /** A customer pays a price in coins or bills, sometimes too much. Returns the overpaid amount. */
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

  /** Whether the tubes can pay an amount exactly, from the largest down. */
  function canGiveOut(amount: number): boolean {
    let left = amount
    for (let tube = tubes.length - 1; tube >= 0; tube--) {
      const value = tubes[tube] ?? 0
      if (value > 0) left -= Math.min(Math.floor(left / value), memory.tubes[tube] ?? 0) * value
    }
    return left === 0
  }

  return { tubes, payCash, giveOut, canGiveOut }
}
