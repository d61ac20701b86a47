import { sql } from 'kysely'
import type { SensorThreshold, SensorThresholdEdit } from '#contract/machines/sensor-threshold.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { recordProviderChange } from '../platform/provider-log.ts'

export type SensorThresholdRecord = SensorThreshold & { updatedAt: Date | null; updatedBy: string | null }

/**
 * Sensors that have or had thresholds, and sensors that machines report. Machines report the same names many times, so the query reads
 * one index entry per name.
 */
export async function listSensorThresholds(doors: Doors): Promise<SensorThresholdRecord[]> {
  const { rows } = await doors.withSystem(
    'sensor thresholds',
    (db) =>
      sql<SensorThresholdRecord>`
        with recursive reported as (
          (select submodule, name from machine_sensors order by submodule, name limit 1)
          union all
          select next.submodule, next.name from reported r
          cross join lateral (
            select s.submodule, s.name from machine_sensors s
            where (s.submodule, s.name) > (r.submodule, r.name) order by s.submodule, s.name limit 1
          ) next
        )
        select coalesce(t.submodule, r.submodule) as submodule, coalesce(t.name, r.name) as name, t.warning, t.critical,
          coalesce(t.values_increase, true) as "valuesIncrease", coalesce(t.version, 0) as version,
          t.updated_at as "updatedAt", t.updated_by as "updatedBy"
        from reported r full join sensor_thresholds t on t.submodule = r.submodule and t.name = r.name
        order by 1, 2`.execute(db),
    'single statement',
  )
  return rows
}

interface Author {
  now: Date
  user: { id: string; name: string }
}

const thresholdColumns = sql`submodule, name, warning, critical, values_increase as "valuesIncrease", version,
  updated_at as "updatedAt", updated_by as "updatedBy"`

const thresholdOf = ({ warning, critical, valuesIncrease }: SensorThresholdRecord) => ({
  warning,
  critical,
  valuesIncrease,
})

/** Stores a sensor's thresholds, unless another user has changed them since its version; the same values count as stored. */
async function store(db: SystemDb, edit: SensorThresholdEdit, { now, user }: Author) {
  const { submodule, name, warning, critical, valuesIncrease, version } = edit
  const here = sql`from sensor_thresholds where submodule = ${submodule} and name = ${name}`
  const [before] = (await sql<SensorThresholdRecord>`select ${thresholdColumns} ${here} for update`.execute(db)).rows
  const stored =
    version === 0
      ? sql<SensorThresholdRecord>`insert into sensor_thresholds
          (submodule, name, warning, critical, values_increase, updated_at, updated_by)
          values (${submodule}, ${name}, ${warning}, ${critical}, ${valuesIncrease}, ${now}, ${user.name})
          on conflict do nothing returning ${thresholdColumns}`
      : sql<SensorThresholdRecord>`update sensor_thresholds set warning = ${warning}, critical = ${critical},
          values_increase = ${valuesIncrease}, version = version + 1, updated_at = ${now}, updated_by = ${user.name}
          where submodule = ${submodule} and name = ${name} and version = ${version} returning ${thresholdColumns}`
  const [row] = (await stored.execute(db)).rows
  if (row) {
    await recordProviderChange(db, {
      at: now,
      user,
      action: 'sensorThreshold.update',
      subjectType: 'sensorThreshold',
      subjectId: `${submodule} ${name}`,
      before: before && thresholdOf(before),
      after: thresholdOf(row),
    })
    return { isSaved: true, row }
  }
  const [other] = (await sql<SensorThresholdRecord>`select ${thresholdColumns} ${here}`.execute(db)).rows
  const isThere = other?.warning === warning && other.critical === critical && other.valuesIncrease === valuesIncrease
  return { isSaved: isThere, row: other }
}

/**
 * Stores the thresholds of some sensors, each on its own. `row` is the stored state afterwards, undefined if the version never existed.
 */
export const storeSensorThresholds = (doors: Doors, edits: readonly SensorThresholdEdit[], author: Author) =>
  doors.withSystem('sensor thresholds', async (db) => {
    const outcomes: { isSaved: boolean; row: SensorThresholdRecord | undefined }[] = []
    for (const edit of edits) outcomes.push(await store(db, edit, author))
    return outcomes
  })
