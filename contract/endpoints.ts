import { alarms } from './alarm.ts'
import { audits } from './audit.ts'
import { dashboards } from './dashboard.ts'
import { deadLetters } from './dead-letter.ts'
import { demo } from './demo.ts'
import { exports } from './export.ts'
import { groups } from './group.ts'
import { machines } from './machine.ts'
import { merchants } from './merchant.ts'
import { notes } from './note.ts'
import { postalCodes } from './postal-code.ts'
import { remoteCommands } from './remote-command.ts'
import { savedViews } from './saved-view.ts'
import { spaConfiguration } from './spa-configuration.ts'
import { tableStates } from './table-state.ts'
import { transactions } from './transaction.ts'
import { users } from './user.ts'

/** Every endpoint of the product, by name. */
export const endpoints = {
  ...spaConfiguration,
  ...users,
  ...tableStates,
  ...savedViews,
  ...merchants,
  ...groups,
  ...dashboards,
  ...machines,
  ...alarms,
  ...transactions,
  ...audits,
  ...remoteCommands,
  ...notes,
  ...postalCodes,
  ...exports,
  ...deadLetters,
  ...demo,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
