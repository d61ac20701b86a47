import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { type ExportedList, noFilters } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, paged, pageOf } from '../frame/shapes.ts'
import { AuditOrigin, AuditPort } from '../vocabulary/audit.ts'
import {
  ConfigurationEdit,
  ConfigurationSync,
  isManagedParameter,
  mostWantedParameters,
  ParameterName,
  Parameters,
  ParameterValue,
} from '../vocabulary/configuration.ts'
import { RemoteCommandResult, RemoteCommandStatus } from '../vocabulary/remote-command.ts'

/** A configuration as its machine reported it. */
export const ConfigRow = z.strictObject({
  id: z.uuid(),
  posId: z.uuid(),
  merchantId: z.uuid(),
  readAt: Instant,
  /** When the machine last reported the same values. */
  confirmedAt: Instant,
  machineTime: z.string().nullable(),
  origin: AuditOrigin,
  port: AuditPort,
  parameters: z.int(),
  /** Changes since the previous configuration; null for the oldest one. */
  changes: z.strictObject({ added: z.int(), removed: z.int(), changed: z.int() }).nullable(),
})
export type ConfigRow = z.infer<typeof ConfigRow>

export const Config = ConfigRow.extend({
  /** The previous configuration; null for the oldest one. */
  beforeId: z.uuid().nullable(),
  content: Parameters,
})
export type Config = z.infer<typeof Config>

/** One parameter of the target configuration. */
export const WantedParameter = z.strictObject({ name: ParameterName, value: ParameterValue })
/** A parameter that users edit; those of a no-vend profile or screen configuration change with it. */
const OwnParameter = WantedParameter.refine(({ name }) => !isManagedParameter(name), {
  ...saying('managed'),
  path: ['name'],
})
/** A merchant's target for a machine, with unique names, within the maximum size of a command. */
export const WantedParameters = z
  .array(OwnParameter)
  .max(mostWantedParameters)
  .refine((parameters) => new Set(parameters.map(({ name }) => name)).size === parameters.length, saying('choice'))

/** A merchant's target for one machine, and whether the machine has applied it. */
export const CustomConfig = z.strictObject({
  posId: z.uuid(),
  merchantId: z.uuid(),
  timeZone: z.string(),
  /** 0 before anything was saved. */
  version: z.int().min(0),
  parameters: WantedParameters,
  /** Parameters of the machine's no-vend profile, which are part of the target. */
  managed: z.array(WantedParameter),
  editedAt: Instant.nullable(),
  editedBy: z.string().nullable(),
  sync: ConfigurationSync,
  /** The origin of a pending difference. */
  editedOn: ConfigurationEdit.nullable(),
  /** Names of wanted parameters that the machine has otherwise or not at all. */
  differing: z.array(z.string()),
  /** The command that carried it last. */
  command: z
    .strictObject({
      id: z.uuid(),
      version: z.int(),
      createdAt: Instant,
      createdBy: z.string().nullable(),
      status: RemoteCommandStatus,
      result: RemoteCommandResult.nullable(),
      resultInfo: z.string().nullable(),
      executedAt: Instant.nullable(),
    })
    .nullable(),
  /** The machine's last report. */
  reported: z
    .strictObject({
      id: z.uuid(),
      readAt: Instant,
      confirmedAt: Instant,
      origin: AuditOrigin,
      port: AuditPort,
      content: Parameters,
    })
    .nullable(),
})
export type CustomConfig = z.infer<typeof CustomConfig>

/** A change names the version that it is based on, 0 for the first. */
export const CustomConfigEdit = z.strictObject({ version: z.int().min(0), parameters: WantedParameters })
export type CustomConfigEdit = z.infer<typeof CustomConfigEdit>

export const configurationColumns = {
  readAt: { kind: 'instant', as: 'minute', heading: 'configuration:column.readAt' },
  changes: {
    sort: false,
    heading: 'configuration:column.changes',
    facts: {
      added: { kind: 'number', heading: 'export:column.parametersAdded' },
      removed: { kind: 'number', heading: 'export:column.parametersRemoved' },
      changed: { kind: 'number', heading: 'export:column.parametersChanged' },
    },
  },
  origin: { sort: false, kind: 'word', heading: 'configuration:column.origin', of: 'auditOrigin' },
  port: { sort: false, kind: 'word', heading: 'configuration:column.port', of: 'auditPort' },
  confirmedAt: { sort: false, kind: 'instant', as: 'minute', heading: 'configuration:column.confirmedAt' },
  parameters: { sort: false, kind: 'number', heading: 'configuration:column.parameters' },
} as const satisfies ListColumns

export const configurationOrds = ordsOf(configurationColumns, 'readAt')

export const configurations = {
  listConfigs: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/configs',
    summary: 'List configurations of a point of sale',
    needs: 'config.read',
    topics: ['configuration'],
    feature: 'remoteConfigurations',
    query: z.strictObject(paged(configurationOrds)),
    ok: pageOf(ConfigRow),
    fails: ['MachineNotFound'],
  }),
  getConfig: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/configs/{configId}',
    summary: 'Get a configuration of a point of sale',
    needs: 'config.read',
    topics: ['configuration'],
    feature: 'remoteConfigurations',
    ok: Config,
    fails: ['MachineNotFound', 'ConfigurationNotFound'],
  }),
  getCustomConfig: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/custom-configs',
    summary: 'Get the target configuration of a point of sale and its sync state',
    needs: 'config.read',
    finds: ['posId'],
    topics: ['configuration', 'command'],
    feature: 'remoteConfigurations',
    ok: CustomConfig,
    fails: ['MachineNotFound'],
  }),
  updateCustomConfig: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/pos/{posId}/custom-configs',
    summary: 'Save the target configuration of a point of sale without sending it',
    needs: 'config.write',
    feature: 'remoteConfigurations',
    body: CustomConfigEdit,
    ok: CustomConfig,
    fails: ['MachineNotFound', 'EditConflict'],
  }),
  sendCustomConfig: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/pos/{posId}/custom-configs/send',
    summary: 'Send the target configuration to a point of sale as a command',
    needs: 'config.write',
    feature: 'remoteConfigurations',
    body: z.strictObject({ version: z.int().min(1) }),
    ok: CustomConfig,
    status: 201,
    fails: ['MachineNotFound', 'EditConflict', 'NothingToSend', 'PayloadTooLarge', 'RemoteCommandPending'],
  }),
}

/** The list as a file. */
export const exportedConfigurations = {
  row: configurations.listConfigs,
  filters: noFilters,
  ords: configurationOrds,
  columns: configurationColumns,
} as const satisfies ExportedList
