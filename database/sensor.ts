import { sql } from 'kysely'
import type { SensorReport } from '#contract/device-protocol.ts'
import type { SensorThreshold } from '#domain/dirtiness.ts'
import { insertRows } from './bulk-insert.ts'
import type { Doors, TenantDb } from './tenant.ts'

interface Reported {
  merchantId: string
  machineId: string
  lastSeenAt: Date
  sensors?: readonly SensorReport[]
}

const keyOf = ({ submodule, name }: SensorReport) => `${submodule}\n${name}`

/** Keeps what machines say of their sensors; a sensor that is not named keeps its value, and no older one replaces it. */
export const writeSensors = (db: TenantDb, reports: readonly Reported[]): Promise<void> =>
  insertRows(
    db.query,
    'machine_sensors',
    ['merchant_id', 'machine_id', 'submodule', 'name', 'value', 'at'],
    reports.flatMap(({ merchantId, machineId, lastSeenAt, sensors = [] }) =>
      // One statement may not write a row twice: the last word counts.
      [...new Map(sensors.map((sensor) => [keyOf(sensor), sensor])).values()].map((sensor) => [
        merchantId,
        machineId,
        sensor.submodule,
        sensor.name,
        sensor.value,
        lastSeenAt,
      ]),
    ),
    `on conflict (merchant_id, machine_id, submodule, name) do update set value = excluded.value, at = excluded.at
      where machine_sensors.at <= excluded.at`,
  )

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

/** From which values on sensors want cleaning, by submodule and name. */
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
