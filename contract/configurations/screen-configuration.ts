import { z } from 'zod'
import { editOf, Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { Instant, LineText, paged, pageOf, Search } from '../frame/shapes.ts'
import { AssignedMachine } from '../machines/assigned-machine.ts'
import { failsMany, machinesChosen } from '../machines/machine-acts.ts'
import { ConfigurationEdit, ConfigurationSync } from '../vocabulary/configuration.ts'
import { RemoteCommandStatus } from '../vocabulary/remote-command.ts'
import { NewScreenConfiguration } from './screen-content.ts'

/** A screen configuration with its newest version. */
export const ScreenConfiguration = recordOf(NewScreenConfiguration, {
  /** Machines of the reader's groups that it was sent to, and those of them that show what was sent. */
  machines: z.int(),
  machinesInSync: z.int(),
  updatedAt: Instant,
})
export type ScreenConfiguration = z.infer<typeof ScreenConfiguration>

export const ScreenConfigurationFilters = z.strictObject({ search: Search.optional() })
export type ScreenConfigurationFilters = z.infer<typeof ScreenConfigurationFilters>
export const screenConfigurationColumns = {
  name: { kind: 'text', heading: 'screen-configuration:field.name' },
  merchant: { kind: 'text', heading: 'screen-configuration:column.merchant' },
  version: { kind: 'number', heading: 'screen-configuration:column.version' },
  machines: { kind: 'number', heading: 'screen-configuration:column.machines' },
  machinesInSync: { kind: 'number', heading: 'screen-configuration:column.machinesInSync' },
  updatedAt: { kind: 'instant', heading: 'screen-configuration:column.updated' },
  createdAt: { kind: 'instant', heading: 'screen-configuration:column.created' },
  id: { kind: 'plain', heading: 'screen-configuration:column.id' },
} as const satisfies ListColumns

export const screenConfigurationOrds = ordsOf(screenConfigurationColumns, 'name')

/** A saved version. */
export const ScreenVersion = z.strictObject({
  version: Version,
  savedAt: Instant,
  savedBy: z.string().nullable(),
  /** Machines of the reader's groups that this version was sent to last. */
  machines: z.int(),
})
export type ScreenVersion = z.infer<typeof ScreenVersion>
export const mostScreenVersions = 50

/** Why a machine gets no configuration; the others get theirs. */
export const screenRefusals = ['ScreenNotEnrolled', 'RemoteCommandPending', 'ScreenConfigurationNotFound'] as const
export const ScreenSent = z.strictObject({
  sent: z.int(),
  refused: z.array(z.strictObject({ posId: z.uuid(), posName: z.string(), code: z.enum(screenRefusals) })),
})
export type ScreenSent = z.infer<typeof ScreenSent>

/** A machine that a configuration was sent to. */
export const ScreenMachine = AssignedMachine.pick({
  id: true,
  merchantId: true,
  name: true,
  serial: true,
  state: true,
  hidden: true,
  groupId: true,
  groupName: true,
}).extend({
  /** The version that was sent. */
  version: Version,
  sentAt: Instant,
  sync: ConfigurationSync,
  /** The origin of a pending difference. */
  editedOn: ConfigurationEdit.nullable(),
  /** Of the command that sent it; null once the command is deleted. */
  commandStatus: RemoteCommandStatus.nullable(),
  /** The machine's own words about the command. */
  commandInfo: z.string().nullable(),
})
export type ScreenMachine = z.infer<typeof ScreenMachine>
export const ScreenMachineFilters = z.strictObject({ search: Search.optional() })
export type ScreenMachineFilters = z.infer<typeof ScreenMachineFilters>
export const screenMachineColumns = {
  name: { kind: 'text', heading: 'screen-configuration:column.machine' },
  sync: { kind: 'own', heading: 'screen-configuration:column.sync' },
  version: { kind: 'plain', heading: 'screen-configuration:column.version' },
  sentAt: { kind: 'instant', heading: 'screen-configuration:column.sent' },
  commandInfo: { kind: 'text', heading: 'screen-configuration:column.info' },
  state: { kind: 'status', heading: 'screen-configuration:column.state', of: 'machineState' },
  serial: { kind: 'text', heading: 'screen-configuration:column.serial' },
  groupName: { kind: 'text', heading: 'screen-configuration:column.group' },
} as const satisfies ListColumns

export const screenMachineOrds = ordsOf(screenMachineColumns, 'name')

const feature = 'screenConfigurationManagement' as const
const path = '/merchants/{merchantId}/screen-configurations' as const
const one = '/merchants/{merchantId}/screen-configurations/{screenConfigurationId}' as const

export const screenConfigurations = {
  listScreenConfigurations: endpoint({
    method: 'GET',
    path,
    summary: 'List screen configurations',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration', 'configuration'],
    query: ScreenConfigurationFilters.extend(paged(screenConfigurationOrds)),
    ok: pageOf(ScreenConfiguration).extend(withOptionalTotals),
  }),
  getScreenConfiguration: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a screen configuration',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration', 'configuration'],
    ok: ScreenConfiguration,
    fails: ['ScreenConfigurationNotFound'],
  }),
  createScreenConfiguration: endpoint({
    method: 'POST',
    path,
    summary: 'Create a screen configuration; an error names the duplicate name',
    needs: 'screen.write',
    feature,
    body: NewScreenConfiguration,
    ok: ScreenConfiguration,
    status: 201,
    fails: ['MerchantNotSelected', 'ScreenConfigurationAlreadyExists', 'ProductNotFound', 'ScreenFileNotFound'],
  }),
  updateScreenConfiguration: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Save a screen configuration as its next version',
    needs: 'screen.write',
    feature,
    body: editOf(NewScreenConfiguration),
    ok: ScreenConfiguration,
    fails: [
      'ScreenConfigurationNotFound',
      'ScreenConfigurationAlreadyExists',
      'ProductNotFound',
      'ScreenFileNotFound',
      'EditConflict',
    ],
  }),
  deleteScreenConfiguration: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a screen configuration that no machine shows',
    needs: 'screen.write',
    feature,
    fails: ['ScreenConfigurationNotFound', 'ScreenConfigurationInUse'],
  }),
  listScreenVersions: endpoint({
    method: 'GET',
    path: `${one}/versions`,
    summary: 'List the newest 50 versions of a screen configuration, newest first',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration'],
    ok: z.array(ScreenVersion),
    fails: ['ScreenConfigurationNotFound'],
  }),
  getScreenVersion: endpoint({
    method: 'GET',
    path: `${one}/versions/{version}`,
    summary: 'Get the content of a saved version',
    needs: 'screen.read',
    feature,
    params: { version: z.coerce.number().int().min(1) },
    ok: NewScreenConfiguration.extend({ name: LineText }),
    fails: ['ScreenConfigurationNotFound'],
  }),
  sendScreenConfiguration: endpoint({
    method: 'POST',
    path: `${one}/send`,
    summary: 'Send the saved version to machines; refused machines are listed with the reason',
    needs: 'screen.write',
    feature,
    body: z.strictObject({ version: Version, machines: machinesChosen }),
    ok: ScreenSent,
    status: 200,
    fails: ['ScreenConfigurationNotFound', 'ProductNotFound', 'ScreenFileNotFound', 'EditConflict', ...failsMany],
    timeOut: 'large',
  }),
  listScreenMachines: endpoint({
    method: 'GET',
    path: `${one}/pos`,
    summary: 'List points of sale that a screen configuration was sent to and whether they show it',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration', 'machine', 'configuration', 'command', 'group'],
    query: ScreenMachineFilters.extend(paged(screenMachineOrds)),
    ok: pageOf(ScreenMachine),
    fails: ['ScreenConfigurationNotFound'],
  }),
}

/** The list as a file. */
export const exportedScreenConfigurations = {
  row: screenConfigurations.listScreenConfigurations,
  filters: ScreenConfigurationFilters,
  ords: screenConfigurationOrds,
  columns: screenConfigurationColumns,
} as const satisfies ExportedList
