import type { CashSlot, MachineCash, machineCash } from '#contract/cash/machine-cash.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { denominationsOf } from '#contract/vocabulary/world/denominations.ts'
import { floatsOf, lastCollection, lastReport, movementsSince, writeFloats } from '#database/cash/machine-cash.ts'
import { seesBoxes } from '#database/frame/sights/blind-count.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { cashByDay } from '#database/insight/kpi.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { movementSums } from '#domain/cash/movement.ts'
import { kpiPeriodOrToday } from '#domain/insight/kpi-interval.ts'
import { addDays, daysIn, lastDays, lastEndedDay } from '#domain/time/period.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'
import { refuseField } from './refuse-field.ts'

type Report = Awaited<ReturnType<typeof lastReport>>
type Floats = Awaited<ReturnType<typeof floatsOf>>

/** Denominations of tubes and recyclers that are reported or have a float. */
function slotsOf(report: Report, floats: Floats, currency: Currency): CashSlot[] {
  const kinds = new Map(denominationsOf(currency).map(({ value, kind }) => [value, kind]))
  return (['tube', 'recycler'] as const).flatMap((device) => {
    const counts = new Map<number, number>()
    for (const { value, count } of report?.[`${device}s`] ?? []) counts.set(value, (counts.get(value) ?? 0) + count)
    const deviceFloats = new Map(floats.filter((one) => one.device === device).map((one) => [one.value, one]))
    const values = [...new Set([...counts.keys(), ...deviceFloats.keys()])].sort((one, other) => one - other)
    return values
      .map((value) => ({
        device,
        value,
        kind: kinds.get(value) ?? (device === 'tube' ? ('coin' as const) : ('note' as const)),
        count: counts.get(value) ?? null,
        capacity: deviceFloats.get(value)?.capacity ?? null,
        wanted: deviceFloats.get(value)?.wanted ?? null,
      }))
      .filter(({ count, capacity, wanted }) => count !== null || capacity !== null || wanted !== null)
  })
}

/** The pieces in the boxes, by value. */
function boxPiecesOf(report: Report, currency: Currency): MachineCash['boxPieces'] {
  if (!report?.boxPieces) return null
  const kinds = new Map(denominationsOf(currency).map(({ value, kind }) => [value, kind]))
  const byValue = Map.groupBy(report.boxPieces, ({ value }) => value)
  return [...byValue]
    .map(([value, devicePieces]) => ({
      value,
      kind: kinds.get(value) ?? ('coin' as const),
      count: devicePieces.reduce((sum, { count }) => sum + count, 0),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.value - other.value)
}

const inTubes = ({ tubes, recyclers }: NonNullable<Report>) =>
  [...tubes, ...recyclers].reduce((sum, { value, count }) => sum + value * count, 0)

/** Cash in and out since a collection, and where it is. */
async function sinceCollection(
  db: TenantDb,
  machine: Awaited<ReturnType<typeof machineOf>>,
  { last, report }: { last: NonNullable<Awaited<ReturnType<typeof lastCollection>>>; report: Report },
): Promise<MachineCash['since']> {
  const atCollection = await lastReport(db, machine, last)
  // What the report at the collection says is before; an audit of the collection may come later than that report.
  const { cash } = movementSums(await movementsSince(db, machine, atCollection?.at ?? last.until))
  const isReported = report !== undefined && report.at >= last.until
  const later = isReported ? movementSums(await movementsSince(db, machine, report.at)).cash : cash
  return {
    ...cash,
    left: atCollection?.box ?? null,
    tubes: atCollection && isReported ? inTubes(report) - inTubes(atCollection) : null,
    unreported: later.in - later.out,
  }
}

const versionOf = (floats: Floats) => Math.max(0, ...floats.map(({ version }) => version))
const settingsOf = (floats: Floats) =>
  floats
    .filter(({ capacity, wanted }) => capacity !== null || wanted !== null)
    .map(({ device, value, capacity, wanted }) => ({ device, value, capacity, wanted }))

export const machineCashHandlers: Handlers<typeof machineCash> = {
  getMachineCash: async ({ db, params, query, now }): Promise<MachineCash> => {
    const machine = await machineOf(db, params.posId)
    const currency = machine.currency as Currency
    const { startDate, endDate } = kpiPeriodOrToday(query, lastEndedDay(now, machine.time_zone))
    const kpiMachine = { id: machine.id, merchantId: machine.merchant_id, timeZone: machine.time_zone }
    const before = lastDays(daysIn({ startDate, endDate }), addDays(startDate, -1))
    const cashDays = await cashByDay(db, kpiMachine, { startDate, endDate })
    const earlier = await cashByDay(db, kpiMachine, before)
    const sum = (rows: readonly { accepted: number; rejected: number }[]) => ({
      accepted: rows.reduce((total, row) => total + row.accepted, 0),
      rejected: rows.reduce((total, row) => total + row.rejected, 0),
    })
    const byValue = [...Map.groupBy(cashDays, ({ denomination }) => denomination)].sort(([one], [other]) => one - other)
    const report = await lastReport(db, machine)
    const floats = await floatsOf(db, machine)
    const last = await lastCollection(db, machine)
    const isSeen = seesBoxes(db, machine.merchant_id)
    return {
      currency,
      readAt: toWireOrNull(report?.at ?? null),
      slots: slotsOf(report, floats, currency),
      box: machine.cash_in_box,
      boxCapacity: machine.cash_box_capacity,
      boxPieces: isSeen ? boxPiecesOf(report, currency) : null,
      isBoxHidden: !isSeen,
      floatVersion: versionOf(floats),
      lastCollection: last ? { id: last.id, at: toWire(last.at), status: last.status } : null,
      since: last && isSeen ? await sinceCollection(db, machine, { last, report }) : null,
      acceptance: {
        startDate,
        endDate,
        denominations: byValue.map(([denomination, rows]) => ({ denomination, ...sum(rows) })),
        previous: sum(earlier),
      },
    }
  },

  updateCashFloats: async ({ db, params, body, user, now, live }) => {
    const machine = await machineOf(db, params.posId)
    await lockJournals(db, [{ merchantId: machine.merchant_id, id: machine.id }])
    const knownValues = new Set(denominationsOf(machine.currency as Currency).map(({ value }) => value))
    if (body.floats.some(({ value }) => !knownValues.has(value))) refuseField('floats', 'choice')
    const floats = await floatsOf(db, machine)
    const version = versionOf(floats)
    const before = settingsOf(floats)
    const after = body.floats
      .filter(({ capacity, wanted }) => capacity !== null || wanted !== null)
      .toSorted((one, other) =>
        one.device === other.device ? one.value - other.value : one.device < other.device ? -1 : 1,
      )
    if (JSON.stringify(after) === JSON.stringify(before)) return { floatVersion: version }
    if (version !== body.version)
      return refuseOvertaken({ db, user }, 'cashFloats', machine.id, { version, floats: before })
    await writeFloats(db, machine, after, version + 1)
    await recordChange(db, {
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: 'cashFloats.update',
      subjectType: 'cashFloats',
      subjectId: machine.id,
      before: { floats: before },
      after: { floats: after },
    })
    db.afterCommit(() => live.announce(machine.merchant_id, 'machine', machine.id))
    return { floatVersion: version + 1 }
  },
}
