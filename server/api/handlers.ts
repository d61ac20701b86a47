import type { Endpoints } from '#contract/endpoints.ts'
import { adminStatsHandlers } from './admin-stats.ts'
import { alarmHandlers } from './alarm.ts'
import { alarmSettingHandlers } from './alarm-setting.ts'
import { apiTokenHandlers } from './api-token.ts'
import { auditHandlers } from './audit.ts'
import { changeLogHandlers } from './change-log.ts'
import { clientHandlers } from './client.ts'
import { collectionHandlers } from './collection.ts'
import { configurationHandlers } from './configuration.ts'
import { dashboardHandlers } from './dashboard.ts'
import { deadLetterHandlers } from './dead-letter.ts'
import { demoHandlers } from './demo.ts'
import { exportHandlers } from './export.ts'
import { groupHandlers } from './group.ts'
import { groupEditHandlers } from './group-edit.ts'
import type { Handlers } from './handler.ts'
import { invitationHandlers } from './invitation.ts'
import { kpiHandlers } from './kpi.ts'
import { machineHandlers } from './machine.ts'
import { machineActHandlers } from './machine-acts.ts'
import { machinesReportHandlers } from './machines-report.ts'
import { masterAlarmHandlers } from './master-alarm.ts'
import { merchantHandlers } from './merchant.ts'
import { merchantEditHandlers } from './merchant-edit.ts'
import { merchantSettingsHandlers } from './merchant-settings.ts'
import { merchantsTodayHandlers } from './merchants-today.ts'
import { modelSensorHandlers } from './model-sensor.ts'
import { movementHandlers } from './movement.ts'
import { noteHandlers } from './note.ts'
import { postalCodeHandlers } from './postal-code.ts'
import { providerLogHandlers } from './provider-log.ts'
import { readingHandlers } from './reading.ts'
import { reconciliationHandlers } from './reconciliation.ts'
import { remoteCommandHandlers } from './remote-command.ts'
import { sapCodeHandlers } from './sap-code.ts'
import { savedViewHandlers } from './saved-view.ts'
import { sensorHandlers } from './sensor.ts'
import { sessionHandlers } from './session.ts'
import { spaConfigurationHandlers } from './spa-configuration.ts'
import { stockHandlers } from './stock.ts'
import { tableStateHandlers } from './table-state.ts'
import { transactionHandlers } from './transaction.ts'
import { userHandlers } from './user.ts'
import { userEditHandlers } from './user-edit.ts'
import { userListHandlers } from './user-list.ts'

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
  ...groupEditHandlers,
  ...clientHandlers,
  ...dashboardHandlers,
  ...merchantsTodayHandlers,
  ...machineHandlers,
  ...machineActHandlers,
  ...kpiHandlers,
  ...alarmHandlers,
  ...masterAlarmHandlers,
  ...sensorHandlers,
  ...modelSensorHandlers,
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
