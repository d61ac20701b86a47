import { sql } from 'kysely'
import type { SensorReport } from '#contract/device-protocol.ts'
import type { SensorThreshold } from '#domain/machines/dirtiness.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type ReadingPoint, startOfStep } from './reading.ts'

interface Reported {
  merchantId: string
  machineId: string
  lastSeenAt: Date
  sensors?: readonly SensorReport[]
}

const keyOf = ({ submodule, name }: SensorReport) => `${submodule}\n${name}`

/** Stores the newest value of each reported sensor, and its hourly history. */
export async function writeSensors(db: TenantDb, reports: readonly Reported[]): Promise<void> {
  const rows = reports.flatMap(({ merchantId, machineId, lastSeenAt, sensors = [] }) =>
    // A statement cannot write a row twice: the last value of a name counts.
    [...new Map(sensors.map((sensor) => [keyOf(sensor), sensor])).values()].map((sensor) => ({
      key: [merchantId, machineId, sensor.submodule, sensor.name],
      value: sensor.value,
      at: lastSeenAt,
    })),
  )
  const key = ['merchant_id', 'machine_id', 'submodule', 'name']
  await insertRows(
    db.query,
    'machine_sensors',
    [...key, 'value', 'at'],
    rows.map((row) => [...row.key, row.value, row.at]),
    `on conflict (merchant_id, machine_id, submodule, name) do update set value = excluded.value, at = excluded.at
      where machine_sensors.at <= excluded.at`,
  )
  // The row of an hour is rewritten only when the value changes.
  await insertRows(
    db.query,
    'sensor_readings',
    [...key, 'hour', 'minimum', 'maximum', 'value'],
    rows.map((row) => [...row.key, startOfHour(row.at), row.value, row.value, row.value]),
    `on conflict (merchant_id, machine_id, submodule, name, hour) do update set value = excluded.value,
      minimum = least(sensor_readings.minimum, excluded.value), maximum = greatest(sensor_readings.maximum, excluded.value)
      where sensor_readings.value <> excluded.value`,
  )
}

const hourMs = 3_600_000
const startOfHour = (at: Date) => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

/** A sensor's history over a stretch (end exclusive), grouped by steps of this many seconds; \`count\` is the hours in a step. */
export async function seriesOfSensor(
  db: TenantDb,
  machineId: string,
  { submodule, name }: { submodule: string; name: string },
  { from, to, step }: { from: Date; to: Date; step: number },
): Promise<ReadingPoint[]> {
  const start = startOfStep(sql.ref('r.hour'), from, step)
  const { rows } = await sql<ReadingPoint>`
    select ${start} as at, min(r.minimum) as min, max(r.maximum) as max, round(avg(r.value)::numeric, 2) as avg, count(*)::int as count
    from merchants m join sensor_readings r on r.merchant_id = m.id
    where ${db.narrow('sensor_readings', 'r')} and r.machine_id = ${machineId}
      and r.submodule = ${submodule} and r.name = ${name} and r.hour >= ${startOfHour(from)} and r.hour < ${to}
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** The sensors of a machine of the scope with their newest values. */
export const sensorsOf = (db: TenantDb, machineId: string) =>
  db
    .from('machine_sensors')
    .where('machine_sensors.machine_id', '=', machineId)
    .select(['submodule', 'name', 'value', 'at'])
    .orderBy('submodule')
    .orderBy('name')
    .execute()

export type SensorRecord = Awaited<ReturnType<typeof sensorsOf>>[number]

/** The cleaning thresholds of sensors, by submodule and name. */
export async function sensorThresholds(
  doors: Doors,
): Promise<(submodule: string, name: string) => SensorThreshold | null> {
  const { rows } = await doors.withSystem(
    'sensor thresholds',
    (db) =>
      sql<SensorThreshold & { submodule: string; name: string }>`select submodule, name, warning, critical,
        values_increase as "valuesIncrease" from sensor_thresholds where warning is not null`.execute(db),
    'single statement',
  )
  const byKey = new Map(rows.map(({ submodule, name, ...threshold }) => [`${submodule}\n${name}`, threshold]))
  return (submodule, name) => byKey.get(`${submodule}\n${name}`) ?? null
}
