import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { exportValues } from '../../export/given.ts'
import { machineOf } from '../../http/refuse.ts'
import { sensorsMatching } from './sensor.ts'

/** The dirt levels of a machine's sensors, filtered and sorted. */
export const sensorsSource = exportValues<
  'sensors',
  'name' | 'submodule' | 'dirtiness' | 'value' | 'warning' | 'critical' | 'valuesIncrease' | 'at'
>({
  list: 'sensors',
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
  values: {
    part: sql`r.submodule`,
    grows: sql`r."valuesIncrease"`,
  },
  rowsOf: async (db, { posId, filter, ord, ordType }, { doors }) => {
    const { merchant_id: merchantId } = await machineOf(db, posId)
    const sensors = await sensorsMatching(db, doors, posId, { ...filter, ord, ordType })
    return sensors.map((sensor) => ({ ...sensor, merchantId, at: fromWire(sensor.at) }))
  },
})
