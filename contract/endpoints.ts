import { alarms } from './alarm.ts'
import { audits } from './audit.ts'
import { dashboards } from './dashboard.ts'
import { demo } from './demo.ts'
import { groups } from './group.ts'
import { machines } from './machine.ts'
import { notes } from './note.ts'
import { remoteCommands } from './remote-command.ts'
import { spaConfiguration } from './spa-configuration.ts'
import { transactions } from './transaction.ts'
import { users } from './user.ts'

/** Every endpoint of the product, by name. */
export const endpoints = {
  ...spaConfiguration,
  ...users,
  ...groups,
  ...dashboards,
  ...machines,
  ...alarms,
  ...transactions,
  ...audits,
  ...remoteCommands,
  ...notes,
  ...demo,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
