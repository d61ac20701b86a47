import { adminStats } from './admin-stats.ts'
import { alarms } from './alarm.ts'
import { alarmSettings } from './alarm-setting.ts'
import { apiTokens } from './api-token.ts'
import { audits } from './audit.ts'
import { changeLog } from './change-log.ts'
import { clients } from './client.ts'
import { clientEdits } from './client-edit.ts'
import { collections } from './collection.ts'
import { configurations } from './configuration.ts'
import { dashboards } from './dashboard.ts'
import { deadLetters } from './dead-letter.ts'
import { demo } from './demo.ts'
import { exports } from './export.ts'
import { groups } from './group.ts'
import { invitations } from './invitation.ts'
import { kpis } from './kpi.ts'
import { machines } from './machine.ts'
import { machineActs } from './machine-acts.ts'
import { machinesReports } from './machines-report.ts'
import { masterAlarms } from './master-alarm.ts'
import { merchants } from './merchant.ts'
import { merchantEdits } from './merchant-edit.ts'
import { merchantSettings } from './merchant-settings.ts'
import { merchantsToday } from './merchants-today.ts'
import { modelSensors } from './model-sensor.ts'
import { movements } from './movement.ts'
import { notes } from './note.ts'
import { postalCodes } from './postal-code.ts'
import { providerLog } from './provider-log.ts'
import { readings } from './reading.ts'
import { reconciliations } from './reconciliation.ts'
import { remoteCommands } from './remote-command.ts'
import { sapCodes } from './sap-code.ts'
import { savedViews } from './saved-view.ts'
import { sensors } from './sensor.ts'
import { sessions } from './session.ts'
import { spaConfiguration } from './spa-configuration.ts'
import { stock } from './stock.ts'
import { tableStates } from './table-state.ts'
import { transactions } from './transaction.ts'
import { users } from './user.ts'
import { userEdits } from './user-edit.ts'

/** Every endpoint of the product, by name. */
export const endpoints = {
  ...spaConfiguration,
  ...users,
  ...sessions,
  ...invitations,
  ...userEdits,
  ...tableStates,
  ...savedViews,
  ...merchants,
  ...merchantSettings,
  ...alarmSettings,
  ...apiTokens,
  ...changeLog,
  ...providerLog,
  ...merchantEdits,
  ...sapCodes,
  ...groups,
  ...clients,
  ...clientEdits,
  ...dashboards,
  ...merchantsToday,
  ...machines,
  ...machineActs,
  ...kpis,
  ...alarms,
  ...masterAlarms,
  ...sensors,
  ...modelSensors,
  ...transactions,
  ...audits,
  ...reconciliations,
  ...configurations,
  ...stock,
  ...readings,
  ...movements,
  ...remoteCommands,
  ...notes,
  ...postalCodes,
  ...collections,
  ...exports,
  ...adminStats,
  ...machinesReports,
  ...deadLetters,
  ...demo,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
