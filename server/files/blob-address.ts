import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where a bucket is, and how its objects are encrypted. */
export interface BucketAddress {
  bucket: string
  /** Goes before each key; empty or with a slash at its end. */
  prefix: string
  region: string
  /** The address of a service other than AWS. */
  endpoint?: string | undefined
  /** Encryption by the service: with its own key, or with one of its key management. */
  encryption?: 'AES256' | 'aws:kms' | undefined
  kmsKey?: string | undefined
}

export type BlobAddress = { folder: string } | BucketAddress

export const blobAddressRule =
  'must read like s3://bucket/folder?region=eu-south-1&endpoint=https://s3.example.com&encryption=AES256 (all after the bucket is optional), or file:///folder'

const known = ['region', 'endpoint', 'encryption', 'kmsKey']
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const folderName = /^([\w.-]+(\/[\w.-]+)*)?$/

/**
 * Reads `BLOB_URL`: a bucket (`s3://bucket/folder?…`) or a folder (`file:///folder`). Undefined if it is neither. Credentials are no part of
 * it: they come from where the AWS tools look for them.
 */
export function blobAddressOf(text: string): BlobAddress | undefined {
  const url = URL.parse(text)
  if (url?.protocol === 'file:' && !url.host && !url.search) return { folder: resolve(fileURLToPath(url)) }
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return undefined
  const options = Object.fromEntries(url.searchParams)
  if (Object.keys(options).some((name) => !known.includes(name))) return undefined
  const { region = 'us-east-1', endpoint, encryption, kmsKey } = options
  const folder = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (!bucketName.test(url.hostname) || !folderName.test(folder) || folder.includes('..')) return undefined
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return undefined
  if (encryption !== undefined && encryption !== 'AES256' && encryption !== 'aws:kms') return undefined
  if (kmsKey !== undefined && encryption !== 'aws:kms') return undefined
  return { bucket: url.hostname, prefix: folder && `${folder}/`, region, endpoint, encryption, kmsKey }
}

/** Where files are by default. */
export const defaultFolder = (dataDir: string): BlobAddress => ({ folder: join(dataDir, 'blobs') })
