import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import S3rver from 's3rver'
import type { BucketAddress } from '#server/files/blob-address.ts'

/** The only account of the server of buckets. */
export const bucketKey = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export interface TestBucket {
  address: BucketAddress
  /** The address as `BLOB_URL` says it. */
  url: string
  /** The service is away: connections end, new ones are refused at once. */
  setAway(isAway: boolean): void
  /** Ends the connection of each of the next downloads after so many bytes from the service. */
  cutDownloads(afterBytes: number, times: number): void
  stop(): Promise<void>
}

/** A server of S3's protocol with an empty bucket, behind a line that can be cut. Sets this process' credentials for it. */
export async function openBucket(name = 'gettone-files'): Promise<TestBucket> {
  Object.assign(process.env, bucketKey)
  const folder = mkdtempSync(join(tmpdir(), 'gettone-bucket-'))
  const service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name, configs: [] }],
  })
  answerWhenWritten(service.store)
  const { port: servicePort } = await service.run()
  const line = openLine(servicePort)
  const port = await line.listen()
  const address: BucketAddress = {
    bucket: name,
    prefix: 'files/',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
  }
  return {
    address,
    url: `s3://${name}/files?endpoint=${address.endpoint}`,
    setAway: line.setAway,
    cutDownloads: line.cut,
    stop: async () => {
      line.stop()
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The server answers once it has received an object, and writes it a moment later: a reader in between gets half of it or nothing. S3 shows an
 * object only as a whole, so the answer waits until all of it is in the file.
 */
function answerWhenWritten(store: S3rver['store']): void {
  const putObject = store.putObject.bind(store)
  store.putObject = async (object) => {
    const answer = await putObject(object)
    await untilWritten(store.getResourcePath(object.bucket, object.key, 'object'), answer.size)
    return answer
  }
  const putPart = store.putPart.bind(store)
  store.putPart = async (bucket, uploadId, part, content) => {
    const answer = await putPart(bucket, uploadId, part, content)
    await untilWritten(join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(part)), answer.size)
    return answer
  }
}

async function untilWritten(path: string, size: number): Promise<void> {
  while ((await stat(path)).size < size) await pause(1)
}

/** Carries connections to a port. */
function openLine(to: number) {
  let isAway = false
  let cuts = { afterBytes: 0, left: 0 }
  const open = new Set<Socket>()
  const server: Server = createServer((near) => {
    if (isAway) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    let received = 0
    far.on('data', (bytes) => {
      received += bytes.length
      if (cuts.left > 0 && received > cuts.afterBytes) {
        cuts.left--
        near.destroy()
        far.destroy()
      } else if (!near.write(bytes)) {
        far.pause()
        near.once('drain', () => far.resume())
      }
    })
    near.pipe(far)
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(side)
      side.on('error', () => {})
      side.on('close', () => {
        open.delete(side)
        other.destroy()
      })
    }
  })
  return {
    listen: () =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : 0)
        })
      }),
    setAway: (away: boolean) => {
      isAway = away
      if (away) for (const socket of open) socket.destroy()
    },
    cut: (afterBytes: number, times: number) => {
      cuts = { afterBytes, left: times }
    },
    stop: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
