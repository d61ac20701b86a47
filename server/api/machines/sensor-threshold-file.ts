import { sql } from 'kysely'
import { givenForAll } from '../../export/given.ts'
import { sensorThresholdsMatching } from './sensor-threshold.ts'

/** Thresholds above which sensors need cleaning, filtered and sorted. */
export const sensorThresholdsSource = givenForAll<
  'sensorThresholds',
  'name' | 'submodule' | 'valuesIncrease' | 'warning' | 'critical'
>({
  list: 'sensorThresholds',
  fields: { name: 'text', submodule: 'text', valuesIncrease: 'boolean', warning: 'numeric', critical: 'numeric' },
  values: {
    part: sql`r.submodule`,
    grows: sql`r."valuesIncrease"`,
  },
  rowsOf: async (_, { filter, ord, ordType }, { doors }) =>
    (await sensorThresholdsMatching(doors, { ...filter, ord, ordType })).map(
      ({ version: _version, ...sensor }) => sensor,
    ),
})
