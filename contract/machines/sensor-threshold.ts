import { z } from 'zod'
import { always, saying } from '../frame/broken.ts'
import { conflictOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { LineText, paged, pageOf, Search } from '../frame/shapes.ts'
import { numberBetween } from '../rules/number.ts'

const Word = LineText.trim().min(1).max(40)
const Limit = numberBetween(-1_000_000, 1_000_000).nullable()

/** The thresholds of a sensor for all merchants; without both it is neither clean nor dirty. */
export const SensorThreshold = z.strictObject({
  submodule: z.string(),
  name: z.string(),
  warning: z.number().nullable(),
  critical: z.number().nullable(),
  /** Dirt makes the value grow; false: it makes it fall. */
  valuesIncrease: z.boolean(),
  /** 0 for a reported sensor without thresholds. */
  version: z.int().min(0),
})
export type SensorThreshold = z.infer<typeof SensorThreshold>

interface Limits {
  warning: number | null
  critical: number | null
  valuesIncrease: boolean
}

/** The thresholds of a sensor: both or none, the warning before the critical one. */
export const SensorThresholdEdit = z
  .strictObject({
    submodule: Word,
    name: Word,
    warning: Limit,
    critical: Limit,
    valuesIncrease: z.boolean(),
    version: z.int().min(0),
  })
  .check(
    z.superRefine<Limits>(({ warning, critical, valuesIncrease }, context) => {
      const fault = (path: 'warning' | 'critical', ...rule: Parameters<typeof saying>) =>
        context.addIssue({ code: 'custom', ...saying(...rule), path: [path] })
      if (warning === null && critical !== null) fault('warning', 'required')
      else if (critical === null && warning !== null) fault('critical', 'required')
      else if (typeof warning !== 'number' || typeof critical !== 'number') return
      else if (valuesIncrease && warning > critical) fault('warning', 'smallerOrEqual', { other: critical })
      else if (!valuesIncrease && critical > warning) fault('critical', 'smallerOrEqual', { other: warning })
    }, always),
  )
export type SensorThresholdEdit = z.infer<typeof SensorThresholdEdit>

/** The result of one sensor's edit: saved, or changed by another user meanwhile. */
export const SensorThresholdOutcome = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('Saved'), row: SensorThreshold }),
  z.strictObject({ code: z.literal('EditConflict'), facts: conflictOf(SensorThreshold) }),
])
export type SensorThresholdOutcome = z.infer<typeof SensorThresholdOutcome>

export const SensorThresholdFilters = z.strictObject({ search: Search.optional() })
export type SensorThresholdFilters = z.infer<typeof SensorThresholdFilters>

export const sensorThresholdColumns = {
  name: { kind: 'word', heading: 'sensor:column.sensor', of: 'sensorName' },
  submodule: { facts: { part: { kind: 'word', heading: 'sensor:column.submodule', of: 'sensorPart' } } },
  valuesIncrease: { facts: { grows: { kind: 'flag', heading: 'sensor:column.grows' } } },
  warning: { kind: 'decimal', heading: 'sensor:column.warning' },
  critical: { kind: 'decimal', heading: 'sensor:column.critical' },
} as const satisfies ListColumns

export const sensorThresholdOrds = ordsOf(sensorThresholdColumns, 'submodule')

/** Maximum sensors in one call. */
const mostEdited = 500

export const sensorThresholds = {
  listSensorThresholds: endpoint({
    method: 'GET',
    path: '/master-modelsensorsconfig',
    summary: 'List sensor thresholds',
    needs: 'sensor.read',
    query: SensorThresholdFilters.extend(paged(sensorThresholdOrds)),
    ok: pageOf(SensorThreshold),
  }),
  updateSensorThresholds: endpoint({
    method: 'PUT',
    path: '/master-modelsensorsconfig',
    summary: 'Update sensor thresholds; each row is saved or refused separately',
    needs: 'sensor.write',
    body: z.strictObject({
      rows: z
        .array(SensorThresholdEdit)
        .min(1)
        .max(mostEdited)
        .refine((rows) => new Set(rows.map(({ submodule, name }) => `${submodule}\n${name}`)).size === rows.length),
    }),
    ok: z.strictObject({ rows: z.array(SensorThresholdOutcome) }),
  }),
}

/** The list as a file. */
export const exportedSensorThresholds = {
  row: sensorThresholds.listSensorThresholds,
  filters: SensorThresholdFilters,
  ords: sensorThresholdOrds,
  columns: sensorThresholdColumns,
} as const satisfies ExportedList
