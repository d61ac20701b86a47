import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, LineText, Text } from '../frame/shapes.ts'

/** The protocol that the storage answered. */
export const storageProtocols = ['webdav', 'https'] as const
export const StorageProtocol = z.enum(storageProtocols)
export type StorageProtocol = z.infer<typeof StorageProtocol>

/** Why a storage is refused. */
export const storageFaults = [
  'RepositoryAuthenticationFailed',
  'RepositoryNotReachable',
  'RepositoryAddressRefused',
  'RepositoryRedirects',
  'RepositoryNoStorage',
] as const
export type StorageFault = (typeof storageFaults)[number]

/** Why a file is not in the storage. `RepositoryRefusesFiles`: it does not keep the file, or not whole. */
export const copyFaults = [
  'RepositoryAuthenticationFailed',
  'RepositoryNotReachable',
  'RepositoryAddressRefused',
  'RepositoryRedirects',
  'RepositoryRefusesFiles',
] as const
export type CopyFault = (typeof copyFaults)[number]

/** The merchant's storage for screen content. The password is never sent back. */
export const ScreenStorage = z.strictObject({
  merchantId: z.uuid(),
  username: z.string(),
  url: z.string(),
  hasPassword: z.boolean(),
  protocol: StorageProtocol.nullable(),
  /** The last successful try; null without a storage. */
  testedAt: Instant.nullable(),
  /** 0 without a storage. */
  version: z.int().min(0),
  /** What machines were sent: files in the storage, files that it lacks, and why the last attempt failed. Machines get the latter from the portal. */
  copies: z.strictObject({
    copied: z.int(),
    waiting: z.int(),
    fault: z.enum(copyFaults).nullable(),
    failedAt: Instant.nullable(),
  }),
})
export type ScreenStorage = z.infer<typeof ScreenStorage>

const isAddress = (text: string) => {
  // A URL parser drops line breaks, so the stored text would be another address than the tried one.
  if (/[\s\\]/.test(text)) return false
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && url.username + url.password === ''
}

/** An http or https address without a user name; in production https only. */
export const StorageAddress = Text.trim().min(1).max(2048).refine(isAddress, saying('url'))

/** Without a password the stored one is kept, if the address and the user name are unchanged. */
export const UpdateScreenStorage = z.strictObject({
  version: z.int().min(0),
  username: LineText.trim().min(1).max(200),
  password: Text.min(1).max(500).optional(),
  url: StorageAddress,
})
export type UpdateScreenStorage = z.infer<typeof UpdateScreenStorage>

const feature = 'screenConfigurationManagement' as const
const path = '/merchants/{merchantId}/screen-configuration-storage' as const

export const screenStorage = {
  getScreenStorage: endpoint({
    method: 'GET',
    path,
    summary: 'Get the storage of screen content, without its password',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration'],
    ok: ScreenStorage,
    fails: ['MerchantNotFoundException'],
  }),
  updateScreenStorage: endpoint({
    method: 'PUT',
    path,
    summary: 'Set the storage of screen content; the server signs in to it first',
    needs: 'screen.write',
    feature,
    limit: 'storageTry',
    body: UpdateScreenStorage,
    ok: ScreenStorage,
    fails: ['MerchantNotFoundException', 'EditConflict', 'ValidationFailed', ...storageFaults],
  }),
  deleteScreenStorage: endpoint({
    method: 'DELETE',
    path,
    summary: 'Remove the storage of screen content',
    needs: 'screen.write',
    feature,
    fails: ['MerchantNotFoundException'],
  }),
}
