import { z } from 'zod'
import type { Numbers } from './numbers.ts'

/** Licences of the connector application by status, by number; 5 is also called withdrawn. */
export const licenceStatuses = {
  pending: 0,
  sent: 1,
  confirmed: 2,
  activated: 3,
  deactivated: 4,
  unassigned: 5,
  expired: 6,
} as const satisfies Numbers

/** A licence's status, by its number. */
export const LicenceStatus = z.literal([0, 1, 2, 3, 4, 5, 6])
export type LicenceStatus = (typeof licenceStatuses)[LicenceStatusName]
export type LicenceStatusName = keyof typeof licenceStatuses

/** What the connector is licensed for; `none`: no cash recycler, such as cashless readers alone. */
export const licenceTypes = ['none', 'cashlogy', 'cashlogyDemo'] as const
export const LicenceType = z.enum(licenceTypes)
export type LicenceType = z.infer<typeof LicenceType>
export const isDemoType = (type: LicenceType): boolean => type === 'cashlogyDemo'

/** Functions of the connector, by the names that it knows. */
export const licenceFeatures = [
  'Connector_Basic',
  'CIT_Basic',
  'Demo',
  'CIT_DateValue',
  'CIT_CollectionMoney',
  'Cashless_CogesKey',
  'Cashless_CardReader',
] as const
export const LicenceFeature = z.enum(licenceFeatures)
export type LicenceFeature = z.infer<typeof LicenceFeature>

/** How the connector works: alone, behind a till, or for an office that only counts. */
export const operationModes = ['standalone', 'till', 'backOffice'] as const
export const OperationMode = z.enum(operationModes)

export const maintenanceTypes = ['none', 'corrective', 'preventive', 'full'] as const
export const MaintenanceType = z.enum(maintenanceTypes)

/** Why a licence was taken from its machine. */
export const unassignCases = ['defectivePos', 'customerChange', 'demoEnd', 'licenceEnd'] as const
export const UnassignCase = z.enum(unassignCases)
export type UnassignCase = z.infer<typeof UnassignCase>

/** A demo licence ends this many days after its first activation, or before that after its creation, at the latest. */
export const demoDays = 90

/** What happens to a licence. */
export const licenceActs = [
  'create',
  'send',
  'confirm',
  'issueKey',
  'activate',
  'move',
  'unassign',
  'deactivate',
  'reactivate',
  'expire',
  'remind',
] as const
export const LicenceEventAct = z.enum(licenceActs)

/** Who did it: a user, the end client through the mailed link, the connector, or the clock. */
export const licenceActors = ['user', 'client', 'connector', 'clock'] as const
export type LicenceActor = (typeof licenceActors)[number]
