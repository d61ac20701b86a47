import { toWireOrNull } from '#contract/frame/instant.ts'
import type {
  SensorThreshold,
  SensorThresholdEdit,
  SensorThresholdFilters,
  sensorThresholdOrds,
  sensorThresholds,
} from '#contract/machines/sensor-threshold.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { Doors } from '#database/frame/tenant.ts'
import {
  listSensorThresholds,
  type SensorThresholdRecord,
  storeSensorThresholds,
} from '#database/machines/sensor-threshold.ts'
import { isFoundIn } from '#domain/frame/folded.ts'
import type { Handlers } from '#server/http/handler.ts'
import { pageIn, sortedBy } from '#server/http/short-list.ts'

const presentSensorThreshold = ({ updatedAt: _, updatedBy: __, ...sensor }: SensorThresholdRecord): SensorThreshold =>
  sensor

/** A sensor without any setting. */
const untouched = ({ submodule, name }: SensorThresholdEdit): SensorThreshold => ({
  submodule,
  name,
  warning: null,
  critical: null,
  valuesIncrease: true,
  version: 0,
})

/** Matching sensors, in order of their parts and names. There are a few dozen, so they are filtered and sorted here. */
export async function sensorThresholdsMatching(
  doors: Doors,
  query: SensorThresholdFilters & Sorted<(typeof sensorThresholdOrds)[number]>,
): Promise<SensorThreshold[]> {
  const matching = (await listSensorThresholds(doors)).filter(({ submodule, name }) =>
    isFoundIn(`${submodule} ${name}`, query.search),
  )
  const { ord = 'submodule' } = query
  return sortedBy(matching, (row) => row[ord], query).map(presentSensorThreshold)
}

export const sensorThresholdHandlers: Handlers<typeof sensorThresholds> = {
  listSensorThresholds: async ({ doors, query }) => {
    const matching = await sensorThresholdsMatching(doors, query)
    return pageIn(matching, query)
  },

  updateSensorThresholds: async ({ doors, body, user, now }) => {
    const outcomes = await storeSensorThresholds(doors, body.rows, { now, user })
    return {
      rows: outcomes.map(({ isSaved, row }, index) => {
        const current = row ? presentSensorThreshold(row) : untouched(body.rows[index] as SensorThresholdEdit)
        if (isSaved) return { code: 'Saved' as const, row: current }
        const facts = { current, changedAt: toWireOrNull(row?.updatedAt ?? null), changedBy: row?.updatedBy ?? null }
        return { code: 'EditConflict' as const, facts }
      }),
    }
  },
}
