import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Doors } from '#database/frame/tenant.ts'
import { probeDatabase } from '#database/platform/write-probe.ts'
import type { Blobs } from '../files/blobs.ts'

/** What a server writes to. */
export type Place = 'database' | 'files'

/** Why a place cannot be written to; `slow`: the write has not ended in time. */
export type Refusal = 'disk full' | 'read only' | 'no permission' | 'slow' | 'unavailable'

export interface Unwritable {
  place: Place
  reason: Refusal
}

/** Codes of PostgreSQL, of the operating system, and names of errors of S3. Others, such as a lost connection, count as unavailable. */
const refusals: Record<string, Refusal> = {
  '53100': 'disk full',
  ENOSPC: 'disk full',
  EDQUOT: 'disk full',
  '25006': 'read only',
  EROFS: 'read only',
  '42501': 'no permission',
  EACCES: 'no permission',
  EPERM: 'no permission',
  AccessDenied: 'no permission',
  InvalidAccessKeyId: 'no permission',
  SignatureDoesNotMatch: 'no permission',
  ExpiredToken: 'no permission',
  QuotaExceeded: 'disk full',
  XMinioStorageFull: 'disk full',
}

const timedOut = Symbol('timed out')

/** A success is trusted for so long, a failure shorter: a server returns soon after its disk has space. */
const trustedMillis = { writable: 10_000, unwritable: 2_000 }
const patienceMillis = 5_000
/** More than fits into the space that a file system keeps beside the names of files. */
const fileBytes = 64 * 1024

interface Probed {
  doors: Doors
  /** Only for roles that write files. */
  blobs?: Blobs | undefined
  log: Logger
  /** Milliseconds of a clock that never goes back. */
  clock?: () => number
}

/**
 * Returns a function that names the places that cannot be written to. It writes at most every ten seconds, every two after a failure, once
 * for all simultaneous callers.
 */
export function openWriteProbe({
  doors,
  blobs,
  log,
  clock = () => performance.now(),
}: Probed): () => Promise<Unwritable[]> {
  const writes: Record<Place, (() => Promise<unknown>) | undefined> = {
    database: () => probeDatabase(doors, new Date()),
    files: blobs && (() => writeFile(blobs)),
  }
  const places = Object.entries(writes).flatMap(([place, write]) => (write ? [{ place: place as Place, write }] : []))
  /** A write that hangs is not joined by another one. */
  const hanging = new Map<Place, Promise<unknown>>()

  async function attempt(place: Place, write: () => Promise<unknown>): Promise<Unwritable[]> {
    const running = hanging.get(place) ?? write()
    hanging.set(place, running)
    const forget = () => {
      if (hanging.get(place) === running) hanging.delete(place)
    }
    running.then(forget, forget)
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(reject, patienceMillis, timedOut)
    try {
      await Promise.race([running, late])
      return []
    } catch (error) {
      const { code = '', name = '' } = error as { code?: string; name?: string }
      const reason = error === timedOut ? 'slow' : (refusals[code] ?? refusals[name] ?? 'unavailable')
      log.warn({ place, reason, err: error === timedOut ? undefined : error }, 'A place cannot be written to')
      return [{ place, reason }]
    } finally {
      clearTimeout(timer)
    }
  }

  const probe = async () => (await Promise.all(places.map(({ place, write }) => attempt(place, write)))).flat()

  let last: { until: number; result: Promise<Unwritable[]> } | undefined
  return () => {
    if (last && clock() < last.until) return last.result
    const result = probe()
    const current = { until: Number.POSITIVE_INFINITY, result }
    last = current
    return result.then((unwritable) => {
      current.until = clock() + (unwritable.length > 0 ? trustedMillis.unwritable : trustedMillis.writable)
      return unwritable
    })
  }
}

/** The key of this process: several may share a folder. In containers that share the host's name each is process 1. */
export const probeKey = `probes/${hostname().replaceAll(/[^\w-]/g, '-')}-${process.pid}-${randomBytes(4).toString('hex')}`

async function writeFile(blobs: Blobs): Promise<void> {
  await blobs.put(probeKey, [Buffer.alloc(fileBytes, 1)], { isDurable: true })
  await blobs.remove(probeKey)
}
