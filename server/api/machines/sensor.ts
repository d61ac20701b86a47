import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire } from '#contract/frame/instant.ts'
import type { Sensor, SensorFilters, sensorOrds, sensors } from '#contract/machines/sensor.ts'
import { dirtinesses } from '#contract/vocabulary/machines/sensor.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { type SensorRecord, sensorsOf, sensorThresholds, seriesOfSensor } from '#database/machines/sensor.ts'
import { isFoundIn } from '#domain/frame/folded.ts'
import { dirtinessOf, type SensorThreshold } from '#domain/machines/dirtiness.ts'
import { readingStep } from '#domain/machines/reading-step.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'
import { pageIn, sortedBy } from '#server/http/short-list.ts'

const presentSensor = ({ submodule, name, value, at }: SensorRecord, threshold: SensorThreshold | null): Sensor => ({
  submodule,
  name,
  value,
  dirtiness: dirtinessOf(value, threshold),
  warning: threshold?.warning ?? null,
  critical: threshold?.critical ?? null,
  valuesIncrease: threshold?.valuesIncrease ?? null,
  at: toWire(at),
})

const valueOf = (sensor: Sensor, ord: (typeof sensorOrds)[number]) => {
  if (ord === 'dirtiness') return dirtinesses.indexOf(sensor.dirtiness)
  return sensor[ord === 'thresholds' ? 'warning' : ord]
}

/** A machine's matching sensors, in order. There are a few dozen, so they are filtered and sorted here. */
export async function sensorsMatching(
  db: TenantDb,
  doors: Doors,
  posId: string,
  query: SensorFilters & Sorted<(typeof sensorOrds)[number]>,
) {
  const thresholdOf = await sensorThresholds(doors)
  const {
    search,
    dirtinesses: selectedDirtinesses,
    ord = 'dirtiness',
    ordType = ord === 'dirtiness' ? 'DESC' : 'ASC',
  } = query
  const matching = (await sensorsOf(db, posId))
    .map((row) => presentSensor(row, thresholdOf(row.submodule, row.name)))
    .filter(({ dirtiness }) => !selectedDirtinesses?.length || selectedDirtinesses.includes(dirtiness))
    .filter(({ submodule, name }) => isFoundIn(`${submodule} ${name}`, search))
  // Rows arrive by submodule and name.
  return sortedBy(matching, (sensor) => valueOf(sensor, ord), { ordType })
}

const hourSeconds = 3600

export const sensorHandlers: Handlers<typeof sensors> = {
  listSensors: async ({ db, doors, params, query }) => {
    const matching = await sensorsMatching(db, doors, params.posId, query)
    return pageIn(matching, query)
  },

  getSensorHistory: async ({ db, doors, params, query: { submodule, name, points: most, ...query } }) => {
    const from = fromWire(query.from)
    const to = fromWire(query.to)
    if (to <= from) throw new ProductError('PeriodReversed')
    const machine = await machineOf(db, params.posId)
    const step = Math.max(hourSeconds, readingStep(from.getTime(), to.getTime(), most))
    const points = await seriesOfSensor(db, machine.id, { submodule, name }, { from, to, step })
    const threshold = (await sensorThresholds(doors))(submodule, name)
    return {
      from: toWire(from),
      to: toWire(to),
      stepSeconds: step,
      timeZone: machine.time_zone,
      minimum: null,
      maximum: null,
      points: points.map(({ at, ...point }) => ({ at: toWire(at), ...point })),
      submodule,
      name,
      warning: threshold?.warning ?? null,
      critical: threshold?.critical ?? null,
      valuesIncrease: threshold?.valuesIncrease ?? null,
    }
  },
}
