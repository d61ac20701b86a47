import { type Config, ConfigError } from '../config.ts'
import { type BlobAddress, defaultFolder } from './blob-address.ts'
import type { Blobs } from './blobs.ts'
import { folderBlobs } from './folder-blobs.ts'

/** The files at the address of a setting. Throws a ConfigError for a bucket that refuses us. The client of S3 is loaded only for a bucket. */
export async function openBlobsAt(address: BlobAddress, setting = 'BLOB_URL'): Promise<Blobs> {
  if ('folder' in address) return folderBlobs(address.folder)
  const { bucketBlobs } = await import('./s3-blobs.ts')
  const blobs = bucketBlobs(address)
  const fault = await blobs.fault(setting)
  if (!fault) return blobs
  blobs.close()
  throw new ConfigError([fault])
}

/**
 * The files of this deployment: the folder or bucket of `BLOB_URL`, or a folder beside the database. Throws a ConfigError for a bucket that refuses us; one
 * that is away for now is opened, and its calls fail until it returns.
 */
export const openBlobs = ({ BLOB_URL, DATA_DIR }: Pick<Config, 'BLOB_URL' | 'DATA_DIR'>): Promise<Blobs> =>
  openBlobsAt(BLOB_URL ?? defaultFolder(DATA_DIR))
