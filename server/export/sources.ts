import type { ExportList } from '#contract/frame/export-lists.ts'
import { mediaList } from '#database/cashless/media-list.ts'
import { webPaymentOrderList } from '#database/cashless/web-payment-order.ts'
import { whitelistRows } from '#database/configurations/screen-whitelist.ts'
import type { ExportSource } from '#database/export/source.ts'
import { exportSources } from '#database/export/sources.ts'
import { filesOfRecords } from '../api/records.ts'
import { alarmSettingsSource } from './alarm-settings.ts'
import { pricesSource } from './prices.ts'
import { roundLoadsSource, roundProductsSource } from './round-loads.ts'
import { sensorThresholdsSource } from './sensor-thresholds.ts'
import { sensorsSource } from './sensors.ts'
import { stockSource } from './stock.ts'
import { masterAlarmsSource } from './troubleshooting.ts'

/** Every list that can be exported. */
export const sources: { [L in ExportList]: ExportSource<L> } = {
  ...filesOfRecords,
  ...whitelistRows.files,
  ...exportSources,
  ...webPaymentOrderList.files,
  ...mediaList.files,
  alarmSettings: alarmSettingsSource,
  masterAlarms: masterAlarmsSource,
  stock: stockSource,
  prices: pricesSource,
  roundLoads: roundLoadsSource,
  roundProducts: roundProductsSource,
  sensors: sensorsSource,
  sensorThresholds: sensorThresholdsSource,
}
