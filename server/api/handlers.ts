import type { Endpoints } from '#contract/endpoints.ts'
import { alarmHandlers } from './alarm.ts'
import { auditHandlers } from './audit.ts'
import { dashboardHandlers } from './dashboard.ts'
import { deadLetterHandlers } from './dead-letter.ts'
import { demoHandlers } from './demo.ts'
import { exportHandlers } from './export.ts'
import { groupHandlers } from './group.ts'
import type { Handlers } from './handler.ts'
import { machineHandlers } from './machine.ts'
import { merchantHandlers } from './merchant.ts'
import { noteHandlers } from './note.ts'
import { postalCodeHandlers } from './postal-code.ts'
import { remoteCommandHandlers } from './remote-command.ts'
import { savedViewHandlers } from './saved-view.ts'
import { spaConfigurationHandlers } from './spa-configuration.ts'
import { tableStateHandlers } from './table-state.ts'
import { transactionHandlers } from './transaction.ts'
import { userHandlers } from './user.ts'

/** One handler per endpoint; an endpoint without one does not compile. */
export const handlers: Handlers<Endpoints> = {
  ...spaConfigurationHandlers,
  ...userHandlers,
  ...tableStateHandlers,
  ...savedViewHandlers,
  ...merchantHandlers,
  ...groupHandlers,
  ...dashboardHandlers,
  ...machineHandlers,
  ...alarmHandlers,
  ...transactionHandlers,
  ...auditHandlers,
  ...remoteCommandHandlers,
  ...noteHandlers,
  ...exportHandlers,
  ...postalCodeHandlers,
  ...deadLetterHandlers,
  ...demoHandlers,
}
