import { OpenChangeFund, type RoundMoney, type roundMoney, type StopMoney } from '#contract/cash/round-money.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import {
  addFundEntry,
  fundEntry,
  fundOf,
  moneyOfStops,
  openFunds,
  roundOf,
  type StopMoneyRow,
} from '#database/cash/round-money.ts'
import { hiddenFrom } from '#database/frame/redacted-name.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { holdRound } from '#database/stock/round.ts'
import { mayBook, openFund } from '#domain/cash/change-fund.ts'
import { differenceOf } from '#domain/cash/collection-count.ts'
import { roundTotals } from '#domain/cash/round-money.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { wireOf } from '#server/http/wire.ts'

type Call = Pick<TenantCall, 'db' | 'user'>

const presentStop = (row: StopMoneyRow): StopMoney => ({
  stopId: row.stop_id,
  posId: row.machine_id,
  posName: row.machine_name,
  visitId: row.visit_id,
  collectedAt: toWireOrNull(row.collected_at),
  collectedBy: row.collected_by,
  bagNumber: row.bag_number,
  collectionId: row.collection_id,
  status: row.status,
  isWithheld: row.is_withheld ?? false,
  counted: row.counted,
  expected: row.expected,
  difference: differenceOf(row.counted, row.expected),
})

async function heldRound(db: TenantCall['db'], id: string) {
  const round = await roundOf(db, id)
  if (!round) throw new ProductError('RoundNotFound')
  return round
}

/** The bags and the change fund of a round. */
async function moneyOf({ db, user }: Call, round: Awaited<ReturnType<typeof heldRound>>): Promise<RoundMoney> {
  const hidden = await hiddenFrom(db, seesInvisible(user))
  const stops = (await moneyOfStops(db, round, hidden)).map(presentStop)
  const fund = await fundOf(db, round, hidden)
  return {
    currency: round.currency as Currency,
    stops,
    totals: roundTotals(stops),
    changeFund: {
      driverName: fund[0] ? fund[0].driver_name : round.assignee_name,
      open: openFund(fund),
      entries: fund.map(({ id, kind, amount, at, by, note }) => ({ id, kind, amount, at: toWire(at), by, note })),
    },
  }
}

export const roundMoneyHandlers: Handlers<typeof roundMoney> = {
  getRoundMoney: async (call) => moneyOf(call, await heldRound(call.db, call.params.roundId)),

  bookChangeFund: async (call) => {
    const { db, user, now, live, body } = call
    const round = await heldRound(db, call.params.roundId)
    // Entries of one change fund are booked one after the other.
    if (!(await holdRound(db, round.id))) throw new ProductError('RoundNotFound')
    const { id, kind, amount, note } = body
    const stored = await fundEntry(db, round.merchant_id, id)
    if (stored) {
      const isSame =
        stored.round_id === round.id && stored.kind === kind && stored.amount === amount && stored.note === note
      if (!isSame) throw new ProductError('OperationIdTaken')
      return moneyOf(call, round)
    }
    const before = await fundOf(db, round, null)
    if (!mayBook(before, body)) throw new ProductError('ChangeFundExceeded', { open: openFund(before) })
    // The change stays with its first driver when the round gets another one.
    const driver = before[0] ?? { driver_id: round.assignee_id, driver_name: round.assignee_name }
    await addFundEntry(db, {
      merchant_id: round.merchant_id,
      id,
      round_id: round.id,
      driver_id: driver.driver_id,
      driver_name: driver.driver_name,
      kind,
      amount,
      at: now,
      user_id: user.id,
      user_name: user.name,
      note,
    })
    await recordChange(db, {
      merchantId: round.merchant_id,
      at: now,
      user,
      action: kind === 'given' ? 'round.giveChange' : 'round.takeBackChange',
      subjectType: 'round',
      subjectId: round.id,
      after: { amount, ...(note !== null && { note }) },
    })
    db.afterCommit(() => live.announce(round.merchant_id, 'round'))
    return moneyOf(call, round)
  },

  listOpenChangeFunds: async ({ db }) => (await openFunds(db)).map((row) => wireOf(OpenChangeFund, row)),
}
