import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { selectionOf } from '../frame/selection.ts'
import { Flag, Instant, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { MachineState } from '../machines/machine-state.ts'
import { ConfigurationEdit, ConfigurationSync } from '../vocabulary/configuration.ts'
import { Connection, VpDeviceType } from '../vocabulary/device.ts'
import { RemoteCommandResult, RemoteCommandStatus } from '../vocabulary/remote-command.ts'
import { VpDocument, vpDocumentBytes } from './vp-document.ts'

const Name = LineText.trim().min(1).max(120)
/** The version of a model's schema. A version that the product does not ship can be read and not sent. */
const SchemaVersion = z
  .string()
  .regex(/^\d{1,3}\.\d{1,3}$/, saying('format'))
  .max(7)

/** What people fill in. */
const Written = z.strictObject({
  name: Name,
  deviceType: VpDeviceType,
  schemaVersion: SchemaVersion,
  document: VpDocument,
})

/** Without a document, the configuration starts with the defaults of the model's current schema. A draft may break its schema. */
export const NewVpConfiguration = Written.partial({ schemaVersion: true, document: true })
export type NewVpConfiguration = z.output<typeof NewVpConfiguration>

/** The fields of an edit; the model never changes. */
export const VpConfigurationFields = Written.omit({ deviceType: true })
export type VpConfigurationFields = z.output<typeof VpConfigurationFields>

/** A value that breaks its schema: where, and which rule. */
export const VpProblem = z.strictObject({
  path: z.string(),
  rule: z.string(),
  values: z.record(z.string(), z.unknown()).optional(),
})
export type VpProblem = z.infer<typeof VpProblem>

export const VpConfiguration = recordOf(Written, {
  /** Values that break the schema; drafts may have some. */
  problems: z.int(),
  /** The first of them. */
  firstProblems: z.array(VpProblem),
  /** Machines of the reader's groups with it as their target, and how many of them report it. */
  machines: z.int(),
  machinesInSync: z.int(),
  /** Whether the product still ships the schema version. */
  isSchemaKnown: z.boolean(),
  /** The version that the product ships for this model. */
  currentSchemaVersion: z.string(),
  /** SHA-256 of the document in its canonical form (RFC 8785). */
  sha256: z.string(),
  updatedAt: Instant,
})
export type VpConfiguration = z.infer<typeof VpConfiguration>

export const VpConfigurationRow = VpConfiguration.omit({
  document: true,
  firstProblems: true,
  isSchemaKnown: true,
  currentSchemaVersion: true,
  sha256: true,
})
export type VpConfigurationRow = z.infer<typeof VpConfigurationRow>

export const VpConfigurationFilters = z.strictObject({
  search: Search.optional(),
  deviceTypes: oneOrMany(VpDeviceType),
  isValid: Flag.optional(),
  hasMachines: Flag.optional(),
})
export type VpConfigurationFilters = z.infer<typeof VpConfigurationFilters>

export const vpConfigurationColumns = {
  name: { kind: 'text', heading: 'vp-configuration:field.name' },
  merchant: { kind: 'text', heading: 'vp-configuration:column.merchant' },
  deviceType: { kind: 'word', heading: 'vp-configuration:field.deviceType', of: 'deviceType' },
  problems: { kind: 'number', heading: 'vp-configuration:column.problems' },
  machines: { kind: 'number', heading: 'vp-configuration:column.machines' },
  machinesInSync: { kind: 'number', heading: 'vp-configuration:column.machinesInSync' },
  schemaVersion: { kind: 'plain', heading: 'vp-configuration:column.schemaVersion' },
  createdAt: { kind: 'instant', heading: 'vp-configuration:column.created' },
  updatedAt: { kind: 'instant', heading: 'vp-configuration:column.updated' },
  id: { kind: 'plain', heading: 'vp-configuration:column.id' },
} as const satisfies ListColumns

export const vpConfigurationOrds = ordsOf(vpConfigurationColumns, 'name')

/** A configuration as a file. */
export const VpFile = z.strictObject({
  format: z.literal('gettone-vp'),
  name: Name,
  deviceType: Text.max(10),
  schemaVersion: SchemaVersion,
  document: VpDocument,
})
export type VpFile = z.infer<typeof VpFile>

/** The last way of a document to a machine. */
const VpCommand = z.strictObject({
  id: z.uuid(),
  status: RemoteCommandStatus,
  result: RemoteCommandResult.nullable(),
  createdAt: Instant,
  executedAt: Instant.nullable(),
})

/** A machine of the configuration's model. */
export const VpMachine = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  name: z.string(),
  serial: z.string(),
  groupName: z.string().nullable(),
  state: MachineState,
  connection: Connection,
  /** `none`: this configuration is not its target. */
  sync: ConfigurationSync,
  editedOn: ConfigurationEdit.nullable(),
  /** Its target, if that is another configuration. */
  otherTarget: z.string().nullable(),
  /** The version that was sent to it last. */
  sentVersion: z.int().nullable(),
  reportedAt: Instant.nullable(),
  command: VpCommand.nullable(),
})
export type VpMachine = z.infer<typeof VpMachine>

/** What a machine reported last, for a comparison. Without a document, the machine sent only its hash. */
export const VpMachineReport = VpMachine.extend({
  /** The document that was sent to it last. */
  sent: VpDocument.nullable(),
  reported: z
    .strictObject({
      at: Instant,
      name: z.string().nullable(),
      schemaVersion: z.string().nullable(),
      sha256: z.string(),
      document: VpDocument.nullable(),
    })
    .nullable(),
})
export type VpMachineReport = z.infer<typeof VpMachineReport>

/** `targets`: only machines whose target it is, or only the others. */
export const VpMachineFilters = z.strictObject({
  search: Search.optional(),
  targets: z.enum(['own', 'others']).optional(),
})
export type VpMachineFilters = z.infer<typeof VpMachineFilters>

export const vpMachineColumns = {
  name: { kind: 'text', heading: 'vp-configuration:column.name' },
  sync: { kind: 'own', heading: 'vp-configuration:column.sync' },
  sentVersion: { kind: 'text', heading: 'vp-configuration:column.sent' },
  command: { kind: 'own', heading: 'vp-configuration:column.command' },
  reportedAt: { kind: 'instant', heading: 'vp-configuration:column.reported' },
  connection: { kind: 'status', heading: 'vp-configuration:column.connection', of: 'connection' },
  serial: { kind: 'text', heading: 'vp-configuration:column.serial' },
  groupName: { kind: 'text', heading: 'vp-configuration:column.group' },
} as const satisfies ListColumns

export const vpMachineOrds = ordsOf(vpMachineColumns, 'name', 'state')

/** Why a machine gets no configuration; the other machines get theirs. */
export const vpSendRefusals = ['SendVpConfigNotAllowed', 'RemoteCommandPending'] as const

export const VpSendOutcome = z.strictObject({
  orderId: z.uuid(),
  sent: z.array(z.uuid()),
  refused: z.array(z.strictObject({ posId: z.uuid(), posName: z.string(), code: z.enum(vpSendRefusals) })),
})
export type VpSendOutcome = z.infer<typeof VpSendOutcome>

/** At most so many of the machines that block a deletion are named; all are counted. */
export const mostVpBlockers = 20

/** Facts of `VpConfigurationInUse`. Machines outside the reader's groups are only said to exist. */
export const VpConfigurationBlockers = z.strictObject({
  machines: z.int(),
  firstMachines: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  hasOthers: z.boolean(),
})
export type VpConfigurationBlockers = z.infer<typeof VpConfigurationBlockers>

const path = '/merchants/{merchantId}/vp/configurations' as const
const one = '/merchants/{merchantId}/vp/configurations/{vpConfigurationId}' as const
/** A body is larger than its document: the name and the JSON around it. */
const longestBody = vpDocumentBytes + 64 * 1024
const feature = 'remoteConfigurations'
const topics = ['vpConfiguration', 'machine', 'configuration', 'command'] as const

export const vpConfigurations = {
  listVpConfigurations: endpoint({
    method: 'GET',
    path,
    summary: 'List configurations of the visual programmer',
    needs: 'vpConfiguration.read',
    feature,
    topics,
    query: VpConfigurationFilters.extend(paged(vpConfigurationOrds)),
    ok: pageOf(VpConfigurationRow).extend(withOptionalTotals),
  }),
  getVpConfiguration: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a configuration of the visual programmer, with what breaks its schema',
    needs: 'vpConfiguration.read',
    feature,
    topics,
    ok: VpConfiguration,
    fails: ['VpConfigurationNotFound'],
  }),
  createVpConfiguration: endpoint({
    method: 'POST',
    path,
    summary: 'Create a configuration of the visual programmer; a draft may break its schema',
    needs: 'vpConfiguration.write',
    feature,
    body: NewVpConfiguration,
    ok: VpConfiguration,
    status: 201,
    fails: ['MerchantNotSelected', 'VpConfigurationNameAlreadyExists', 'VpSchemaGone'],
    longestBody,
  }),
  updateVpConfiguration: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a configuration of the visual programmer; nothing is sent, and a draft may break its schema',
    needs: 'vpConfiguration.write',
    feature,
    body: editOf(VpConfigurationFields),
    ok: VpConfiguration,
    fails: ['VpConfigurationNotFound', 'VpConfigurationNameAlreadyExists', 'VpSchemaGone', 'EditConflict'],
    longestBody,
  }),
  deleteVpConfiguration: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a configuration of the visual programmer that is no machine’s target',
    needs: 'vpConfiguration.write',
    feature,
    fails: ['VpConfigurationNotFound', 'VpConfigurationInUse'],
  }),
  downloadVpConfiguration: endpoint({
    method: 'GET',
    path: `${one}/download`,
    summary: 'Get a configuration of the visual programmer as a file',
    needs: 'vpConfiguration.read',
    feature,
    finds: ['vpConfigurationId'],
    ok: VpFile,
    fails: ['VpConfigurationNotFound'],
  }),
  uploadVpConfiguration: endpoint({
    method: 'PUT',
    path: `${one}/upload`,
    summary: 'Update the document of a configuration from a valid file of the same model',
    needs: 'vpConfiguration.write',
    feature,
    finds: ['vpConfigurationId'],
    body: editOf(z.strictObject({ file: VpFile })),
    ok: VpConfiguration,
    fails: [
      'VpConfigurationNotFound',
      'VpConfigOfOtherType',
      'VpConfigNotValidException',
      'VpSchemaGone',
      'EditConflict',
    ],
    longestBody,
  }),
  sendVpConfiguration: endpoint({
    method: 'POST',
    path: `${one}/send`,
    summary:
      'Send a valid configuration to machines of its model; refused machines are listed with the reason, and if all are refused the first reason is the error',
    needs: 'vpConfiguration.write',
    feature,
    finds: ['vpConfigurationId'],
    body: z.strictObject({ version: z.int().min(1), machines: selectionOf(ids.posId, VpMachineFilters, 2000) }),
    ok: VpSendOutcome,
    status: 201,
    fails: [
      'VpConfigurationNotFound',
      'MachineNotFound',
      'SelectionChanged',
      'EditConflict',
      'VpConfigNotValidException',
      'VpSchemaGone',
      ...vpSendRefusals,
    ],
    timeOut: 'large',
  }),
  listVpMachines: endpoint({
    method: 'GET',
    path: `${one}/pos`,
    summary: 'List points of sale of a configuration’s model with their sync state',
    needs: 'vpConfiguration.read',
    feature,
    finds: ['vpConfigurationId'],
    topics,
    query: VpMachineFilters.extend(paged(vpMachineOrds)),
    ok: pageOf(VpMachine),
    fails: ['VpConfigurationNotFound'],
  }),
  getVpMachine: endpoint({
    method: 'GET',
    path: `${one}/pos/{posId}`,
    summary: 'Get what a point of sale reported, to compare it with a configuration',
    needs: 'vpConfiguration.read',
    feature,
    finds: ['vpConfigurationId', 'posId'],
    topics,
    ok: VpMachineReport,
    fails: ['VpConfigurationNotFound', 'MachineNotFound'],
  }),
}

/** The list as a file. */
export const exportedVpConfigurations = {
  row: vpConfigurations.listVpConfigurations,
  filters: VpConfigurationFilters,
  ords: vpConfigurationOrds,
  columns: vpConfigurationColumns,
} as const satisfies ExportedList
