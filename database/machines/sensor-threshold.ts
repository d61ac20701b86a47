import { sql } from 'kysely'
import type { SensorThreshold, SensorThresholdEdit } from '#contract/machines/sensor-threshold.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { recordProviderChange } from '../platform/provider-log.ts'

export type SensorThresholdRecord = SensorThreshold & { updatedAt: Date | null; updatedBy: string | null }

interface Sensor {
  submodule: string
  name: string
}

/** At most this many names are listed. */
const mostNames = 1_000

/** The sensors that machines report. They report the same names many times, so each statement reads one index entry: the next name. */
async function reportedSensors(db: SystemDb): Promise<Sensor[]> {
  const found: Sensor[] = []
  while (found.length < mostNames) {
    const last = found.at(-1)
    const isNext = last ? sql`(s.submodule, s.name) > (${last.submodule}, ${last.name})` : sql`true`
    const { rows } = await sql<Sensor>`select s.submodule, s.name from machine_sensors s where ${isNext}
      order by s.submodule, s.name limit 1`.execute(db)
    if (!rows[0]) break
    found.push(rows[0])
  }
  return found
}

/** Sensors that have or had thresholds, and sensors that machines report. */
export async function listSensorThresholds(doors: Doors): Promise<SensorThresholdRecord[]> {
  const { rows } = await doors.withSystem(
    'sensor thresholds',
    async (db) => {
      const reported = await reportedSensors(db)
      return sql<SensorThresholdRecord>`
        select coalesce(t.submodule, r.submodule) as submodule, coalesce(t.name, r.name) as name, t.warning, t.critical,
          coalesce(t.values_increase, true) as "valuesIncrease", coalesce(t.version, 0) as version,
          t.updated_at as "updatedAt", t.updated_by as "updatedBy"
        from unnest(${reported.map((sensor) => sensor.submodule)}::text[], ${reported.map((sensor) => sensor.name)}::text[])
          as r (submodule, name)
        full join sensor_thresholds t on t.submodule = r.submodule and t.name = r.name order by 1, 2`.execute(db)
    },
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
