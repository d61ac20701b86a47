import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { BucketAddress } from './blob-address.ts'
import { type Blobs, checkKey } from './blobs.ts'

const pieceBytes = 256 * 1024
/** Parts of 8 MB: a file has at most 10,000. Two are in memory at a time. */
const partBytes = 8 * 1024 * 1024
const partsAtOnce = 2

/** A broken download continues by range after these pauses. */
const resumeAfterMillis = [100, 400, 1500, 4000]

type Content = Parameters<Blobs['put']>[1]

/** Joins small pieces: rows of an export are short. */
async function* inPieces(content: Content, counted: (bytes: number) => void): AsyncIterable<Buffer> {
  let buffer = Buffer.allocUnsafeSlow(pieceBytes)
  let used = 0
  for await (const piece of content) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    counted(bytes.length)
    if (used + bytes.length > pieceBytes && used > 0) {
      yield buffer.subarray(0, used)
      // The sent one is still in use.
      buffer = Buffer.allocUnsafeSlow(pieceBytes)
      used = 0
    }
    if (bytes.length > pieceBytes) yield Buffer.from(bytes)
    else {
      buffer.set(bytes, used)
      used += bytes.length
    }
  }
  if (used > 0) yield buffer.subarray(0, used)
}

const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

/** Undefined for what is not there. */
const ifThere = <Found>(looking: Promise<Found>): Promise<Found | undefined> =>
  looking.catch((error: unknown) => {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined
    throw error
  })

/** Some services do not list unfinished uploads; their own rules remove them. */
const isUnsupported = (error: unknown) =>
  (error as Error).name === 'NotImplemented' || statusOf(error) === 501 || statusOf(error) === 405

/** A file was written again while it was read. */
class Replaced extends Error {
  constructor(key: string) {
    super(`${key} was replaced while it was read`)
    this.name = 'Replaced'
  }
}

export interface BucketBlobs extends Blobs {
  /** One sentence about what is wrong with the bucket of a setting or the credentials; undefined if it can be used, or is away for now. */
  fault(setting: string): Promise<string | undefined>
}

/**
 * Blobs in a bucket of S3 or a service like it. Uploads and downloads are streamed. What is complete is durable. A download that breaks is
 * continued by range; it fails if the file was replaced meanwhile.
 */
export function bucketBlobs({ bucket, prefix, region, endpoint, encryption, kmsKey }: BucketAddress): BucketBlobs {
  const client = new S3Client({
    region,
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      // A download that says nothing for so long is broken, and continues by range.
      socketTimeout: 30_000,
    },
    ...(endpoint && {
      endpoint,
      forcePathStyle: true,
      // Not every service knows the newer checksums; the signature covers the content.
      requestChecksumCalculation: 'WHEN_REQUIRED' as const,
      responseChecksumValidation: 'WHEN_REQUIRED' as const,
    }),
  })
  const Bucket = bucket
  const objectOf = (key: string) => {
    checkKey(key)
    return { Bucket, Key: prefix + key }
  }
  const head = (key: string) => ifThere(client.send(new HeadObjectCommand(objectOf(key))))

  /** The bytes from `start` to `end`, both included, of the version `tag`, else of the present version. */
  async function* download(key: string, start: number, end: number, tag?: string): AsyncIterable<Uint8Array> {
    let position = start
    let version = tag
    for (let broken = 0; position <= end; broken++) {
      try {
        const range = { Range: `bytes=${position}-${end}`, ...(version && { IfMatch: version }) }
        const { Body, ETag } = await client.send(new GetObjectCommand({ ...objectOf(key), ...range }))
        version ??= ETag
        // Some services ignore the condition.
        if (ETag !== version) throw new Replaced(key)
        for await (const piece of Body as Readable) {
          position += (piece as Uint8Array).length
          broken = 0
          yield piece as Uint8Array
        }
        if (position <= end) throw new Error('The download ended early')
      } catch (error) {
        const status = statusOf(error) ?? 0
        if (error instanceof Replaced || status === 412) throw new Replaced(key)
        const pause = resumeAfterMillis[broken]
        // Refused or missing: another attempt would end alike.
        if (pause === undefined || (status >= 400 && status < 500)) throw error
        await sleep(pause)
      }
    }
  }
  const streamOf = (content: AsyncIterable<Uint8Array>) => Readable.from(content, { objectMode: false })

  /** Uploads of objects whose names begin so. */
  async function* unfinishedUploads(Prefix: string) {
    try {
      for (let after = {}, isMore = true; isMore; ) {
        const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }))
        yield* page.Uploads ?? []
        isMore = page.IsTruncated ?? false
        after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      }
    } catch (error) {
      if (!isUnsupported(error)) throw error
    }
  }
  const keyOf = (object: string) => object.slice(prefix.length)

  return {
    async put(key, content) {
      let size = 0
      let failure: unknown
      async function* watched() {
        try {
          yield* content
        } catch (error) {
          failure = error
          throw error
        }
      }
      const pieces = inPieces(watched(), (bytes) => {
        size += bytes
      })
      const upload = new Upload({
        client,
        partSize: partBytes,
        queueSize: partsAtOnce,
        params: {
          ...objectOf(key),
          Body: streamOf(pieces),
          ...(encryption && { ServerSideEncryption: encryption }),
          ...(kmsKey && { SSEKMSKeyId: kmsKey }),
        },
      })
      try {
        await upload.done()
      } catch (error) {
        // Ending the upload may fail too, and would hide why.
        throw failure ?? error
      }
      return size
    },
    async get(key) {
      const object = await head(key)
      if (!object) return undefined
      const size = object.ContentLength ?? 0
      return { size, content: streamOf(download(key, 0, size - 1, object.ETag)) }
    },
    size: async (key) => (await head(key))?.ContentLength,
    part: (key, start, end) => streamOf(download(key, start, end)),
    async remove(key) {
      const object = objectOf(key)
      await ifThere(client.send(new DeleteObjectCommand(object)))
      for await (const { Key, UploadId } of unfinishedUploads(object.Key))
        if (Key === object.Key) await ifThere(client.send(new AbortMultipartUploadCommand({ ...object, UploadId })))
    },
    async older(folder, than) {
      const { Key } = objectOf(folder)
      const keys = new Set<string>()
      const within = { Bucket, Prefix: `${Key}/`, Delimiter: '/' }
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, within))
        for (const { Key: found, LastModified } of Contents)
          if (found && LastModified && LastModified < than) keys.add(keyOf(found))
      for await (const { Key: found, Initiated } of unfinishedUploads(`${Key}/`))
        if (found && Initiated && Initiated < than) keys.add(keyOf(found))
      return [...keys]
    },
    async *all(folder) {
      const Prefix = folder === undefined ? prefix : `${objectOf(folder).Key}/`
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key, Size = 0 } of Contents) if (Key) yield { key: keyOf(Key), size: Size }
    },
    async fault(setting) {
      try {
        await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }))
        return undefined
      } catch (error) {
        const { name, $response } = error as Error & { $response?: { headers?: Record<string, string> } }
        const home = $response?.headers?.['x-amz-bucket-region']
        if (name === 'CredentialsProviderError' || name === 'CredentialsError')
          return `No credentials for the bucket in ${setting} were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this host a role.`
        const status = statusOf(error)
        if (home && home !== region)
          return `The bucket ${bucket} in ${setting} is in the region ${home}: write ?region=${home}.`
        if (status === 301) return `The bucket ${bucket} in ${setting} is in another region than ${region}.`
        if (status === 404) return `There is no bucket ${bucket} at the address in ${setting}.`
        if (status === 401 || status === 403)
          return `The credentials are refused for the bucket ${bucket} in ${setting}.`
        return undefined
      }
    },
    close: () => client.destroy(),
  }
}
