import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { sensorsMatching } from '../api/machines/sensor.ts'
import { machineOf } from '../http/refuse.ts'
import { given } from './given.ts'

/** How dirty a machine's sensors are, as filtered and sorted. */
export const sensorsSource = given<
  'sensors',
  'name' | 'submodule' | 'dirtiness' | 'value' | 'warning' | 'critical' | 'valuesIncrease' | 'at'
>({
  fields: {
    name: 'text',
    submodule: 'text',
    dirtiness: 'text',
    value: 'numeric',
    warning: 'numeric',
    critical: 'numeric',
    valuesIncrease: 'boolean',
    at: 'timestamptz',
  },
  columns: {
    name: { name: { heading: 'sensor:column.sensor', kind: 'word', of: 'sensorName', sql: sql`r.name` } },
    submodule: { part: { heading: 'sensor:column.submodule', kind: 'word', of: 'sensorPart', sql: sql`r.submodule` } },
    dirtiness: {
      dirtiness: { heading: 'sensor:column.dirtiness', kind: 'word', of: 'dirtiness', sql: sql`r.dirtiness` },
    },
    value: { value: { heading: 'sensor:column.value', kind: 'decimal', sql: sql`r.value` } },
    thresholds: {
      warning: { heading: 'sensor:column.warning', kind: 'decimal', sql: sql`r.warning` },
      critical: { heading: 'sensor:column.critical', kind: 'decimal', sql: sql`r.critical` },
      grows: { heading: 'export:column.grows', kind: 'flag', sql: sql`r."valuesIncrease"` },
    },
    at: { at: { heading: 'sensor:column.at', kind: 'instant', sql: sql`r.at` } },
  },
  rowsOf: async (db, { posId, filter, ord, ordType }, { doors }) => {
    const { merchant_id: merchantId } = await machineOf(db, posId)
    const sensors = await sensorsMatching(db, doors, posId, { ...filter, ord, ordType })
    return sensors.map((sensor) => ({ ...sensor, merchantId, at: fromWire(sensor.at) }))
  },
})
