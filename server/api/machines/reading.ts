import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire } from '#contract/frame/instant.ts'
import type { ReadingSeries, readings } from '#contract/machines/reading.ts'
import { readingLimits, seriesOfReadings } from '#database/machines/reading.ts'
import { readingStep } from '#domain/machines/reading-step.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'

type Call = Pick<TenantCall, 'db'> & {
  params: { posId: string }
  query: { from: string; to: string; points: number }
}

/** Readings of one kind, in a maximum number of steps, with the merchant's limits. */
async function seriesOf(
  { db, params, query }: Call,
  column: 'signal_percent' | 'temperature_celsius',
  limits: (set: Awaited<ReturnType<typeof readingLimits>>) => Pick<ReadingSeries, 'minimum' | 'maximum'>,
): Promise<ReadingSeries> {
  const from = fromWire(query.from)
  const to = fromWire(query.to)
  if (to <= from) throw new ProductError('PeriodReversed')
  const machine = await machineOf(db, params.posId)
  const step = readingStep(from.getTime(), to.getTime(), query.points)
  const points = await seriesOfReadings(db, machine.id, column, { from, to, step })
  return {
    from: toWire(from),
    to: toWire(to),
    stepSeconds: step,
    timeZone: machine.time_zone,
    ...limits(await readingLimits(db, machine.merchant_id)),
    points: points.map(({ at, ...point }) => ({ at: toWire(at), ...point })),
  }
}

export const readingHandlers: Handlers<typeof readings> = {
  getSignalHistory: (call) =>
    seriesOf(call, 'signal_percent', (set) => ({ minimum: set?.minimum_signal_percent ?? null, maximum: null })),

  getTemperatureHistory: (call) =>
    seriesOf(call, 'temperature_celsius', (set) => ({
      minimum: set?.temperature_minimum ?? null,
      maximum: set?.temperature_maximum ?? null,
    })),
}
