import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf, Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { DeviceType } from '../vocabulary/device.ts'
import { Peripheral } from '../vocabulary/remote-command.ts'
import { FirmwareLevel } from '../vocabulary/update.ts'
import { type Language, languages } from '../vocabulary/world/languages.ts'
import { largestUpdateFile, UpdateFile, UploadQuery, uploadFaults } from './update-file.ts'

/** A firmware's version: major.minor.patch.build, such as 4.12.0.1042. */
export const FirmwareRelease = z
  .string()
  .trim()
  .min(1)
  .regex(/^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){2}\.(0|[1-9]\d{0,8})$/, saying('firmwareRelease'))

/** Text about a firmware by language; an empty text means that there is none. */
export const ReleaseNotes = z.strictObject(
  Object.fromEntries(languages.map((language) => [language, Text.trim().max(4000).default('')])) as Record<
    Language,
    z.ZodDefault<typeof Text>
  >,
)
export type ReleaseNotes = z.infer<typeof ReleaseNotes>

export const NewFirmware = z.strictObject({
  release: FirmwareRelease,
  level: FirmwareLevel.default('beta'),
  deviceTypes: z
    .array(DeviceType)
    .min(1)
    .refine((all) => new Set(all).size === all.length, saying('choice')),
  /** The part of the machine that it is for; null for the machine. */
  peripheral: Peripheral.nullable().default(null),
  notes: ReleaseNotes.prefault({}),
})
export type NewFirmware = z.output<typeof NewFirmware>
export const UpdateFirmware = editOf(NewFirmware)

/** A firmware of the provider, for all merchants. */
export const Firmware = z.strictObject({
  id: z.uuid(),
  version: Version,
  release: z.string(),
  major: z.int(),
  minor: z.int(),
  patch: z.int(),
  build: z.int(),
  level: FirmwareLevel,
  deviceTypes: z.array(DeviceType),
  peripheral: Peripheral.nullable(),
  notes: ReleaseNotes,
  /** Null until it is uploaded; without it the firmware cannot be sent. */
  file: UpdateFile.nullable(),
  createdAt: Instant,
})
export type Firmware = z.infer<typeof Firmware>

export const FirmwareFilters = z.strictObject({
  /** A part of the version. */
  search: Search.optional(),
  levels: oneOrMany(FirmwareLevel),
  deviceTypes: oneOrMany(DeviceType),
  peripherals: oneOrMany(Peripheral),
  /** Whether it is for the machine, not for a peripheral. */
  isMachines: Flag.optional(),
  hasFile: Flag.optional(),
})
export type FirmwareFilters = z.infer<typeof FirmwareFilters>

export const firmwareColumns = {
  release: { kind: 'text', heading: 'firmware:column.release' },
  level: { kind: 'plain', heading: 'firmware:column.level' },
  deviceTypes: { kind: 'words', heading: 'firmware:column.deviceTypes', of: 'deviceType' },
  peripheral: { kind: 'word', heading: 'firmware:column.peripheral', of: 'peripheral' },
  file: { kind: 'number', heading: 'firmware:column.file' },
  createdAt: { kind: 'instant', heading: 'firmware:column.created' },
  id: { kind: 'plain', heading: 'firmware:column.id' },
} as const satisfies ListColumns

export const firmwareOrds = ordsOf(firmwareColumns, 'release')

/** What keeps a firmware or database from being deleted, and its file from being replaced. */
export const UpdateUses = z.strictObject({
  /** Commands that are not ended, over all merchants. */
  commands: z.int(),
  /** Names of rules, some of them; `+2` counts two whose names the reader may not see. */
  rules: z.array(z.string()),
})
export type UpdateUses = z.infer<typeof UpdateUses>

export const firmwares = {
  listFirmwares: endpoint({
    method: 'GET',
    path: '/firmwares',
    summary: 'List firmware versions',
    needs: 'firmware.read',
    feature: 'firmwareUpdate',
    query: FirmwareFilters.extend(paged(firmwareOrds)),
    ok: pageOf(Firmware),
  }),
  getFirmware: endpoint({
    method: 'GET',
    path: '/firmwares/{firmwareId}',
    summary: 'Get a firmware version',
    needs: 'firmware.read',
    feature: 'firmwareUpdate',
    ok: Firmware,
    fails: ['FirmwareNotFound'],
  }),
  createFirmware: endpoint({
    method: 'POST',
    path: '/firmwares',
    summary: 'Create a firmware version; its file is uploaded afterwards',
    needs: 'firmware.write',
    body: NewFirmware,
    ok: Firmware,
    status: 201,
    fails: ['FirmwareAlreadyExists'],
  }),
  updateFirmware: endpoint({
    method: 'PUT',
    path: '/firmwares/{firmwareId}',
    summary: 'Update a firmware version',
    needs: 'firmware.write',
    body: UpdateFirmware,
    ok: Firmware,
    fails: ['FirmwareNotFound', 'FirmwareAlreadyExists', 'FirmwareInUseException', 'EditConflict'],
  }),
  deleteFirmware: endpoint({
    method: 'DELETE',
    path: '/firmwares/{firmwareId}',
    summary: 'Delete a firmware version that nothing uses, with its file',
    needs: 'firmware.write',
    fails: ['FirmwareNotFound', 'FirmwareInUseException'],
  }),
  uploadFirmwareFile: endpoint({
    method: 'PUT',
    path: '/firmwares/{firmwareId}/file',
    summary: 'Save the file of a firmware version, in place of the current file',
    needs: 'firmware.write',
    query: UploadQuery,
    ok: Firmware,
    takes: 'application/octet-stream',
    longestBody: largestUpdateFile,
    finds: ['firmwareId'],
    fails: ['FirmwareNotFound', 'FirmwareInUseException', ...uploadFaults],
    tooLarge: 'UpdateFileTooLarge',
  }),
}
