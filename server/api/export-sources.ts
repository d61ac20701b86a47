import { mediaList } from '#database/cashless/media-list.ts'
import { webPaymentOrderList } from '#database/cashless/web-payment-order.ts'
import { whitelistRows } from '#database/configurations/screen-whitelist.ts'
import { exportSources } from '#database/export/sources.ts'
import type { ExportSources } from '../export/file.ts'
import { alarmSettingsSource } from './alarms/alarm-setting-file.ts'
import { masterAlarmsSource } from './alarms/troubleshooting-file.ts'
import { pricesSource } from './catalogue/price-file.ts'
import { sensorsSource } from './machines/sensor-file.ts'
import { sensorThresholdsSource } from './machines/sensor-threshold-file.ts'
import { filesOfRecords } from './records.ts'
import { roundLoadsSource, roundProductsSource } from './stock/round-load-file.ts'
import { stockSource } from './stock/stock-file.ts'
import { productsToBuySource } from './warehouse/products-to-buy.ts'

/** Every list that can be exported. */
export const sources: ExportSources = {
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
  productsToBuy: productsToBuySource,
  sensors: sensorsSource,
  sensorThresholds: sensorThresholdsSource,
}
