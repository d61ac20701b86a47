import type { ListTotal } from '#contract/frame/list-totals.ts'
import {
  type CashAcceptance,
  type distributorKpis,
  type FleetDowntime,
  type FleetKpiQuery,
  type FleetMcbf,
  type MerchantKpis,
  PosKpis,
} from '#contract/insight/distributor-kpis.ts'
import { isNote } from '#contract/vocabulary/world/denominations.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import {
  daysBefore,
  type KpiKind,
  kpiPeriodOf,
  kpisByDay,
  kpisByKind,
  listMerchantKpis,
  listPosKpis,
  piecesByDenomination,
} from '#database/insight/distributor-kpis.ts'
import { firstDayOf, firstDays } from '#database/sales/first-day.ts'
import type { KpiFigures } from '#database/sums/kpi-columns.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { periodsWithData } from '#domain/time/comparison.ts'
import { addDays, daysIn, type Period } from '#domain/time/period.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

type Figures = Record<string, number>
/** What a call says of sums. */
type Reading<F extends Figures> = (sums: KpiFigures) => F

const cash: Reading<{ accepted: number; rejected: number }> = (sums) => ({
  accepted: sums.coins_accepted + sums.bills_accepted,
  rejected: sums.coins_rejected + sums.bills_rejected,
})
const down: Reading<{ seconds: number; blockedSeconds: number; absentSeconds: number }> = (sums) => ({
  seconds: sums.seconds,
  blockedSeconds: sums.blocked_seconds,
  absentSeconds: sums.absent_seconds,
})
const began: Reading<{ cycles: number; faults: number; blockingAlarms: number }> = (sums) => ({
  cycles: sums.cycles,
  faults: sums.faults,
  blockingAlarms: sums.blocking_alarms,
})

const nothing: KpiFigures = {
  seconds: 0,
  blocked_seconds: 0,
  absent_seconds: 0,
  cycles: 0,
  faults: 0,
  blocking_alarms: 0,
  coins_accepted: 0,
  coins_rejected: 0,
  bills_accepted: 0,
  bills_rejected: 0,
}
const added = <F extends Figures>(all: readonly F[], empty: F): F =>
  all.reduce(
    (sum, one) => Object.fromEntries(Object.keys(sum).map((key) => [key, (sum[key] ?? 0) + (one[key] ?? 0)])) as F,
    empty,
  )

/** Rows added up by a value, with those of the days before beside. */
function comparedBy<Row extends { isNow: boolean }, Name extends object, F extends Figures>(
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
  read: (row: Row) => F,
  empty: F,
): (Name & F & { before: F })[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(nameOf(row)))
  return [...groups.values()].map((group) => {
    const of = (isNow: boolean) => added(group.filter((row) => row.isNow === isNow).map(read), empty)
    return { ...nameOf(group[0] as Row), ...of(true), before: of(false) }
  })
}

const version = (text: string) => (text === '' ? null : text)
const typeOf = ({ device_type }: KpiKind) => ({ deviceType: device_type })
const firmwareOf = ({ firmware_version }: KpiKind) => ({ firmwareVersion: version(firmware_version) })
const everything = () => ({})

/** Sums of every day, also of days without any. */
function seriesOf<F extends Figures>(
  period: Period,
  rows: readonly (KpiFigures & { day: string })[],
  read: Reading<F>,
) {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: Math.max(0, daysIn(period)) }, (_, index) => {
    const day = addDays(period.startDate, index)
    return { ...read(byDay.get(day) ?? nothing), day }
  })
}

type Rated = { accepted: number; rejected: number }
const worstRate = (one: Rated, other: Rated) => (rejectionRate(other) ?? -1) - (rejectionRate(one) ?? -1)
const shareDown = ({ blockedSeconds, seconds }: ReturnType<typeof down>) => (seconds > 0 ? blockedSeconds / seconds : 0)
const mean = ({ cycles, faults }: ReturnType<typeof began>) => (faults > 0 ? cycles / faults : Number.MAX_VALUE)

/** Whether all of the days before have data. Otherwise they are not compared, and their figures are those of no machine. */
const hasDaysBefore = async (db: TenantDb, query: Pick<FleetKpiQuery, 'groupIds'>, period: Period): Promise<boolean> =>
  periodsWithData([daysBefore(period)], await firstDayOf(db, query)).length > 0

/** What the three calls share: the totals, their days, and their models and firmware, the worst first. */
async function fleetOf<F extends Figures>(
  db: TenantDb,
  query: FleetKpiQuery,
  now: Date,
  read: Reading<F>,
  worst: (one: F, other: F) => number,
) {
  const period = await kpiPeriodOf(db, query, now)
  const isCompared = await hasDaysBefore(db, query, period)
  const kinds = (await kpisByKind(db, query, period)).filter(({ isNow }) => isNow || isCompared)
  const empty = read(nothing)
  const [totals = { ...empty, before: empty }] = comparedBy(kinds, everything, read, empty)
  const figures = {
    ...period,
    ...totals,
    series: seriesOf(period, await kpisByDay(db, query, period), read),
    byDeviceType: comparedBy(kinds, typeOf, read, empty).sort(worst),
    byFirmware: comparedBy(kinds, firmwareOf, read, empty).sort(worst),
  }
  return { period, kinds, figures }
}

/** Pieces of all machines or merchants, with the rate of their sums. */
const totalsOf = (pieces: { accepted: number; rejected: number } | undefined): ListTotal[] =>
  pieces ? [{ currency: null, values: { ...pieces, rejectionRate: rejectionRate(pieces) } }] : []

export const distributorKpiHandlers: Handlers<typeof distributorKpis> = {
  getCashAcceptance: async ({ db, query, now }): Promise<CashAcceptance> => {
    const { period, kinds, figures } = await fleetOf(db, query, now, cash, worstRate)
    const pieces = await piecesByDenomination(db, query, period)
    const validators = (['coin', 'bill'] as const).flatMap((validator) =>
      comparedBy(
        kinds,
        (kind) => ({ validator, version: version(kind[`${validator}_validator`]) }),
        (kind) => ({ accepted: kind[`${validator}s_accepted`], rejected: kind[`${validator}s_rejected`] }),
        { accepted: 0, rejected: 0 },
      ),
    )
    return {
      ...figures,
      byValidator: validators.filter(({ accepted, rejected }) => accepted + rejected > 0).sort(worstRate),
      byDenomination: comparedBy(
        pieces,
        ({ currency, denomination }) => ({
          currency,
          denomination,
          validator: isNote(currency, denomination) ? ('bill' as const) : ('coin' as const),
        }),
        ({ accepted, rejected }) => ({ accepted, rejected }),
        { accepted: 0, rejected: 0 },
      )
        .filter(({ accepted, rejected }) => accepted + rejected > 0)
        .sort(worstRate),
    }
  },

  getFleetDowntime: async ({ db, query, now }): Promise<FleetDowntime> =>
    (await fleetOf(db, query, now, down, (one, other) => shareDown(other) - shareDown(one))).figures,

  getFleetMcbf: async ({ db, query, now }): Promise<FleetMcbf> =>
    (await fleetOf(db, query, now, began, (one, other) => mean(one) - mean(other))).figures,

  listPosKpis: async ({ db, query, now }) => {
    const { rows, total, capped, pieces } = await listPosKpis(db, query, await kpiPeriodOf(db, query, now), now)
    const items = rows.map(
      (row): PosKpis =>
        wireOf(PosKpis, row, {
          posId: row.id,
          posName: row.name,
          posSerial: row.serial,
          ...down(row),
          ...began(row),
        }),
    )
    return { items, total, capped, totals: totalsOf(pieces) }
  },

  listMerchantKpis: async ({ db, query, now }) => {
    const period = await kpiPeriodOf(db, query, now)
    const { rows, total, capped, pieces } = await listMerchantKpis(db, query, period)
    const begins = new Map((await firstDays(db, query)).map(({ merchantId, day }) => [merchantId, day]))
    const items = rows.map((row): MerchantKpis => {
      const figures = (sums: KpiFigures) => ({ ...cash(sums), ...down(sums), ...began(sums) })
      const isCompared = periodsWithData([daysBefore(period)], begins.get(row.id) ?? null).length > 0
      const before = figures(isCompared ? row.before : nothing)
      return { merchantId: row.id, merchantName: row.name, ...figures(row), before }
    })
    return { items, total, capped, totals: totalsOf(pieces) }
  },
}
