import type { ExportList } from '#contract/frame/export-lists.ts'
import type { ExportSource } from '#database/export/source.ts'
import { exportSources } from '#database/export/sources.ts'
import { alarmSettingsSource } from './alarm-settings.ts'
import { pricesSource } from './prices.ts'
import { sensorThresholdsSource } from './sensor-thresholds.ts'
import { sensorsSource } from './sensors.ts'
import { stockSource } from './stock.ts'
import { masterAlarmsSource } from './troubleshooting.ts'

/** Every list that can be exported. */
export const sources: { [L in ExportList]: ExportSource<L> } = {
  ...exportSources,
  alarmSettings: alarmSettingsSource,
  masterAlarms: masterAlarmsSource,
  stock: stockSource,
  prices: pricesSource,
  sensors: sensorsSource,
  sensorThresholds: sensorThresholdsSource,
}
