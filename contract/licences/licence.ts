import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { recordOf } from '../frame/record-of.ts'
import { Day, Instant, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { demoLicenceExpires } from '../rules/licence.ts'
import { Email } from '../rules/text.ts'
import {
  LicenceFeature,
  LicenceStatus,
  LicenceType,
  MaintenanceType,
  OperationMode,
  UnassignCase,
} from '../vocabulary/licence.ts'
import { Language } from '../vocabulary/world/languages.ts'

const line = (max: number) => LineText.trim().min(1).max(max)

/** What people fill in. */
export const LicenceFields = z
  .strictObject({
    /** The end client's company. */
    organization: line(120),
    establishmentName: line(120),
    contactName: line(120).nullable().default(null),
    /** Gets the mail with the data to confirm, and the reminders. */
    clientEmail: Email,
    /** Of mails to the end client. */
    language: Language,
    type: LicenceType,
    features: z
      .array(LicenceFeature)
      .max(LicenceFeature.options.length)
      .refine((features) => new Set(features).size === features.length),
    operationMode: OperationMode,
    maintenanceType: MaintenanceType,
    installedOn: Day.nullable().default(null),
    /** The last day, in the merchant's zone. */
    expiresOn: Day.nullable().default(null),
    note: Text.trim().min(1).max(500).nullable().default(null),
  })
  .check(demoLicenceExpires)
export type LicenceFields = z.output<typeof LicenceFields>

/** A licence for one machine. */
export const NewLicence = LicenceFields.safeExtend({ posId: ids.posId })
export type NewLicence = z.output<typeof NewLicence>

/** Machines of one order of licences. */
export const mostNewLicences = 200

/** The same licence for many machines, one each. */
export const NewLicences = LicenceFields.safeExtend({
  posIds: z
    .array(ids.posId)
    .min(1)
    .max(mostNewLicences)
    .refine((ids) => new Set(ids).size === ids.length),
})
export type NewLicences = z.output<typeof NewLicences>

/** A licence of the connector application. */
export const Licence = recordOf(LicenceFields, {
  /** Its public number, such as LIC-7K3F9Q2M. */
  name: z.string(),
  status: LicenceStatus,
  /** Its machine; of an unassigned licence the last one. */
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  deviceType: z.string(),
  sentAt: Instant.nullable(),
  confirmedAt: Instant.nullable(),
  activatedAt: Instant.nullable(),
  firstActivatedAt: Instant.nullable(),
  unassignCase: UnassignCase.nullable(),
  /** The last letters of the licence key. */
  keyHint: z.string().nullable(),
  /** The board of the computer that runs the connector. */
  boardSerial: z.string().nullable(),
  connectorVersion: z.string().nullable(),
  lastBeatAt: Instant.nullable(),
  /** By how much the connector's clock is ahead of the server's. */
  clockDriftSeconds: z.int().nullable(),
})
export type Licence = z.infer<typeof Licence>

export const LicenceFilters = z.strictObject({
  /** Search in number, organization, establishment, contact and email. */
  search: Search.optional(),
  statuses: oneOrMany(z.coerce.number().pipe(LicenceStatus)),
  types: oneOrMany(LicenceType),
  features: oneOrMany(LicenceFeature),
  posIds: oneOrMany(ids.pastPosId),
  /** Licences in use that end within this many days. */
  endsWithin: z.coerce.number().int().min(0).max(366).optional(),
})
export type LicenceFilters = z.infer<typeof LicenceFilters>

export const licenceColumns = {
  name: { kind: 'text', heading: 'licence:column.name' },
  status: { kind: 'word', heading: 'licence:column.status', of: 'licenceStatus' },
  establishmentName: { kind: 'text', heading: 'licence:field.establishmentName' },
  organization: { kind: 'text', heading: 'licence:field.organization' },
  posName: { kind: 'text', heading: 'licence:column.posName' },
  posSerial: { kind: 'serial', heading: 'licence:column.posSerial' },
  merchant: { kind: 'text', heading: 'licence:column.merchant' },
  type: { kind: 'word', heading: 'licence:field.type', of: 'licenceType' },
  features: { kind: 'words', heading: 'licence:field.features', of: 'licenceFeature' },
  operationMode: { kind: 'word', heading: 'licence:field.operationMode', of: 'operationMode' },
  maintenanceType: { kind: 'word', heading: 'licence:field.maintenanceType', of: 'maintenanceType' },
  installedOn: { kind: 'day', heading: 'licence:field.installedOn' },
  activatedAt: { kind: 'instant', heading: 'licence:column.activatedAt' },
  expiresOn: { kind: 'day', heading: 'licence:field.expiresOn' },
  lastBeatAt: { kind: 'instant', heading: 'licence:column.lastBeatAt' },
  contactName: { kind: 'text', heading: 'licence:field.contactName' },
  clientEmail: { kind: 'text', heading: 'licence:field.clientEmail' },
  deviceType: { kind: 'word', of: 'deviceType', heading: 'licence:column.deviceType' },
  boardSerial: { kind: 'text', heading: 'licence:column.boardSerial' },
  connectorVersion: { kind: 'text', heading: 'licence:column.connectorVersion' },
  unassignCase: { kind: 'word', heading: 'licence:column.unassignCase', of: 'unassignCase' },
  createdAt: { kind: 'instant', heading: 'licence:column.createdAt' },
  id: { kind: 'plain', heading: 'licence:column.id' },
} as const satisfies ListColumns

export const licenceOrds = ordsOf(licenceColumns, 'createdAt')

const list = '/merchants/{merchantId}/service-manager/licences' as const
const one = `${list}/{licenceId}` as const
const reads = { method: 'GET', needs: 'license.write', topics: ['licence'] } as const
const refusals = ['LicenceAlreadyExists', 'ProductFamilyNotEnabled', 'LicenceEndNotPossible'] as const

/** The service manager: licences of a merchant. */
export const licences = {
  listLicences: endpoint({
    ...reads,
    path: list,
    summary: 'List licences of the connector application',
    query: LicenceFilters.extend(paged(licenceOrds)),
    ok: pageOf(Licence),
    fails: ['MachineNotFound'],
  }),
  getLicence: endpoint({ ...reads, path: one, summary: 'Get a licence', ok: Licence, fails: ['LicenceNotFound'] }),
  createLicence: endpoint({
    method: 'POST',
    path: list,
    summary: 'Create a licence for a machine',
    needs: 'license.write',
    body: NewLicence,
    ok: Licence,
    status: 201,
    fails: ['MerchantNotSelected', 'MachineNotFound', ...refusals],
  }),
  createLicences: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/service-manager/licences-of-machines',
    summary: 'Create a licence for each of several machines: for all of them or, if one is refused, for none',
    needs: 'license.write',
    body: NewLicences,
    ok: z.strictObject({ items: z.array(Licence) }),
    status: 201,
    fails: ['MerchantNotSelected', 'MachineNotFound', ...refusals],
  }),
  updateLicence: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a licence; move-pos changes its machine',
    needs: 'license.write',
    body: editOf(LicenceFields),
    ok: Licence,
    fails: ['LicenceNotFound', 'EditConflict', ...refusals],
  }),
  deleteLicence: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a licence that was never sent',
    needs: 'license.write',
    fails: ['LicenceNotFound', 'LicenceInUse'],
  }),
}

/** The list as a file. */
export const exportedLicences = {
  row: licences.listLicences,
  filters: LicenceFilters,
  ords: licenceOrds,
  columns: licenceColumns,
} as const satisfies ExportedList
