import { sql } from 'kysely'
import { sensorThresholdsMatching } from '../api/machines/sensor-threshold.ts'
import { givenForAll } from './given.ts'

/** From which values on sensors want cleaning, as searched for and sorted. */
export const sensorThresholdsSource = givenForAll<
  'sensorThresholds',
  'name' | 'submodule' | 'valuesIncrease' | 'warning' | 'critical'
>({
  fields: { name: 'text', submodule: 'text', valuesIncrease: 'boolean', warning: 'numeric', critical: 'numeric' },
  columns: {
    name: { name: { heading: 'sensor:column.sensor', kind: 'word', of: 'sensorName', sql: sql`r.name` } },
    submodule: { part: { heading: 'sensor:column.submodule', kind: 'word', of: 'sensorPart', sql: sql`r.submodule` } },
    valuesIncrease: { grows: { heading: 'export:column.grows', kind: 'flag', sql: sql`r."valuesIncrease"` } },
    warning: { warning: { heading: 'sensor:column.warning', kind: 'decimal', sql: sql`r.warning` } },
    critical: { critical: { heading: 'sensor:column.critical', kind: 'decimal', sql: sql`r.critical` } },
  },
  rowsOf: async (_, { filter, ord, ordType }, { doors }) =>
    (await sensorThresholdsMatching(doors, { ...filter, ord, ordType })).map(
      ({ version: _version, ...sensor }) => sensor,
    ),
})
