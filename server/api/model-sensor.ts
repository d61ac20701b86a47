import { toWireOrNull } from '#contract/instant.ts'
import type {
  ModelSensor,
  ModelSensorEdit,
  ModelSensorFilters,
  modelSensorOrds,
  modelSensors,
} from '#contract/model-sensor.ts'
import { listModelSensors, type ModelSensorRecord, storeModelSensors } from '#database/model-sensor.ts'
import { offsetOf } from '#database/paging.ts'
import type { Doors } from '#database/tenant.ts'
import type { Handlers } from './handler.ts'

const presentModelSensor = ({ updatedAt: _, updatedBy: __, ...sensor }: ModelSensorRecord): ModelSensor => sensor

/** As a sensor is that nobody has said anything about. */
const untouched = ({ submodule, name }: ModelSensorEdit): ModelSensor => ({
  submodule,
  name,
  warning: null,
  critical: null,
  valuesIncrease: true,
  version: 0,
})

/** Those without a threshold stand last, whichever way the rest goes. */
function ordered(rows: ModelSensorRecord[], ord: (typeof modelSensorOrds)[number], isDown: boolean) {
  return rows.toSorted((one, other) => {
    const [a, b] = [one[ord], other[ord]]
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b === isDown ? 1 : -1
  })
}

interface Sorted {
  ord?: (typeof modelSensorOrds)[number] | undefined
  ordType?: 'ASC' | 'DESC' | undefined
}

/** Sensors that match, in order. A few dozen at most: they are matched and sorted here, in the order of their parts and names. */
export async function modelSensorsMatching(doors: Doors, query: ModelSensorFilters & Sorted): Promise<ModelSensor[]> {
  const text = query.search?.toLowerCase() ?? ''
  const matching = (await listModelSensors(doors)).filter(({ submodule, name }) =>
    `${submodule} ${name}`.toLowerCase().includes(text),
  )
  return ordered(matching, query.ord ?? 'submodule', query.ordType === 'DESC').map(presentModelSensor)
}

export const modelSensorHandlers: Handlers<typeof modelSensors> = {
  listModelSensors: async ({ doors, query }) => {
    const matching = await modelSensorsMatching(doors, query)
    const from = offsetOf(query)
    return { items: matching.slice(from, from + query.size), total: matching.length, capped: false }
  },

  updateModelSensors: async ({ doors, body, user, now }) => {
    const outcomes = await storeModelSensors(doors, body.rows, { now, user })
    return {
      rows: outcomes.map(({ isSaved, row }, index) => {
        const current = row ? presentModelSensor(row) : untouched(body.rows[index] as ModelSensorEdit)
        if (isSaved) return { code: 'Saved' as const, row: current }
        const facts = { current, changedAt: toWireOrNull(row?.updatedAt ?? null), changedBy: row?.updatedBy ?? null }
        return { code: 'EditConflict' as const, facts }
      }),
    }
  },
}
