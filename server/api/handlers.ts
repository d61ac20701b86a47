import type { Endpoints } from '#contract/endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { alarmHandlers } from './alarms/alarm.ts'
import { alarmSettingHandlers } from './alarms/alarm-setting.ts'
import { masterAlarmHandlers } from './alarms/troubleshooting.ts'
import { auditHandlers } from './audits/audit.ts'
import { reconciliationHandlers } from './audits/reconciliation.ts'
import { movementHandlers } from './cash/movement.ts'
import { remoteCommandHandlers } from './commands/remote-command.ts'
import { configurationHandlers } from './configurations/configuration.ts'
import { adminStatsHandlers } from './insight/admin-stats.ts'
import { kpiHandlers } from './insight/kpi.ts'
import { machinesReportHandlers } from './insight/machines-report.ts'
import { associationHandlers } from './machines/association.ts'
import { machineHandlers } from './machines/machine.ts'
import { machineActHandlers } from './machines/machine-acts.ts'
import { noteHandlers } from './machines/note.ts'
import { readingHandlers } from './machines/reading.ts'
import { sensorHandlers } from './machines/sensor.ts'
import { sensorThresholdHandlers } from './machines/sensor-threshold.ts'
import { apiTokenHandlers } from './merchants/api-token.ts'
import { clientHandlers } from './merchants/client.ts'
import { groupHandlers } from './merchants/group.ts'
import { merchantHandlers } from './merchants/merchant.ts'
import { merchantEditHandlers } from './merchants/merchant-edit.ts'
import { merchantSettingsHandlers } from './merchants/merchant-settings.ts'
import { sapCodeHandlers } from './merchants/sap-code.ts'
import { invitationHandlers } from './people/invitation.ts'
import { sessionHandlers } from './people/session.ts'
import { userHandlers } from './people/user.ts'
import { userEditHandlers } from './people/user-edit.ts'
import { userListHandlers } from './people/user-list.ts'
import { changeLogHandlers } from './platform/change-log.ts'
import { collectionHandlers } from './platform/collection.ts'
import { deadLetterHandlers } from './platform/dead-letter.ts'
import { demoHandlers } from './platform/demo.ts'
import { exportHandlers } from './platform/export.ts'
import { postalCodeHandlers } from './platform/postal-code.ts'
import { providerLogHandlers } from './platform/provider-log.ts'
import { savedViewHandlers } from './platform/saved-view.ts'
import { spaConfigurationHandlers } from './platform/spa-configuration.ts'
import { tableStateHandlers } from './platform/table-state.ts'
import { dashboardHandlers } from './sales/dashboard.ts'
import { merchantsDashboardHandlers } from './sales/merchants-dashboard.ts'
import { transactionHandlers } from './sales/transaction.ts'
import { stockHandlers } from './stock/stock.ts'

/** One handler per endpoint; an endpoint without one does not compile. */
export const handlers: Handlers<Endpoints> = {
  ...spaConfigurationHandlers,
  ...userHandlers,
  ...sessionHandlers,
  ...invitationHandlers,
  ...userListHandlers,
  ...userEditHandlers,
  ...tableStateHandlers,
  ...savedViewHandlers,
  ...merchantHandlers,
  ...merchantSettingsHandlers,
  ...alarmSettingHandlers,
  ...apiTokenHandlers,
  ...changeLogHandlers,
  ...providerLogHandlers,
  ...merchantEditHandlers,
  ...sapCodeHandlers,
  ...groupHandlers,
  ...clientHandlers,
  ...dashboardHandlers,
  ...merchantsDashboardHandlers,
  ...machineHandlers,
  ...machineActHandlers,
  ...associationHandlers,
  ...kpiHandlers,
  ...alarmHandlers,
  ...masterAlarmHandlers,
  ...sensorHandlers,
  ...sensorThresholdHandlers,
  ...transactionHandlers,
  ...auditHandlers,
  ...reconciliationHandlers,
  ...configurationHandlers,
  ...stockHandlers,
  ...readingHandlers,
  ...movementHandlers,
  ...remoteCommandHandlers,
  ...noteHandlers,
  ...exportHandlers,
  ...postalCodeHandlers,
  ...collectionHandlers,
  ...adminStatsHandlers,
  ...machinesReportHandlers,
  ...deadLetterHandlers,
  ...demoHandlers,
}
