import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { Dirtiness } from '../vocabulary/machines/sensor.ts'
import { ReadingRange, ReadingSeries } from './reading.ts'

/** A sensor of a machine with its newest value and its thresholds. The machine names submodule and sensor. */
export const Sensor = z.strictObject({
  submodule: z.string(),
  name: z.string(),
  value: z.number(),
  dirtiness: Dirtiness,
  /** Both null, with the next one, where no threshold is known. */
  warning: z.number().nullable(),
  critical: z.number().nullable(),
  /** Dirt makes the value grow; false: it makes it fall. */
  valuesIncrease: z.boolean().nullable(),
  at: Instant,
})
export type Sensor = z.infer<typeof Sensor>

/** A sensor over time in steps of at least an hour, with its thresholds of today. */
export const SensorSeries = ReadingSeries.extend(
  Sensor.pick({ submodule: true, name: true, warning: true, critical: true, valuesIncrease: true }).shape,
)
export type SensorSeries = z.infer<typeof SensorSeries>

export const SensorFilters = z.strictObject({
  /** A part of the submodule or the name. */
  search: Search.optional(),
  dirtinesses: oneOrMany(Dirtiness),
})
export type SensorFilters = z.infer<typeof SensorFilters>

export const sensorColumns = {
  name: { kind: 'word', heading: 'sensor:column.sensor', of: 'sensorName' },
  submodule: { facts: { part: { kind: 'word', heading: 'sensor:column.submodule', of: 'sensorPart' } } },
  dirtiness: { kind: 'status', heading: 'sensor:column.dirtiness', of: 'dirtiness' },
  value: { kind: 'decimal', heading: 'sensor:column.value' },
  thresholds: {
    heading: 'sensor:column.thresholds',
    facts: {
      warning: { kind: 'decimal', heading: 'sensor:column.warning' },
      critical: { kind: 'decimal', heading: 'sensor:column.critical' },
      grows: { kind: 'flag', heading: 'sensor:column.grows' },
    },
  },
  at: { kind: 'instant', heading: 'sensor:column.at' },
} as const satisfies ListColumns

export const sensorOrds = ordsOf(sensorColumns, 'dirtiness')

const SensorWord = Text.min(1).max(40)

export const sensors = {
  listSensors: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/sensors',
    summary: 'List sensor dirtiness of a point of sale, dirtiest first',
    needs: 'sensor.read',
    query: SensorFilters.extend(paged(sensorOrds)),
    ok: pageOf(Sensor),
    fails: ['MachineNotFound'],
  }),
  getSensorHistory: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/historical-sensors',
    summary: 'Get the history of a sensor with its warning and critical thresholds',
    needs: 'sensor.read',
    finds: ['posId'],
    query: ReadingRange.safeExtend({ submodule: SensorWord, name: SensorWord }),
    ok: SensorSeries,
    fails: ['MachineNotFound', 'PeriodReversed'],
  }),
}

/** The list as a file. */
export const exportedSensors = {
  row: sensors.listSensors,
  filters: SensorFilters,
  ords: sensorOrds,
  columns: sensorColumns,
} as const satisfies ExportedList
