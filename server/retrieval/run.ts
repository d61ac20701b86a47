import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import type { RetrievalMessage } from '#contract/vocabulary/insight/data-retrieval.ts'
import { alarmCodes } from '#database/export/alarms.ts'
import { featureOfType, filesOfType } from '#database/export/retrieval-file.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import {
  beginRequest,
  endRequest,
  noteFiles,
  type RequestKey,
  type RetrievedFile,
  type StoredRequest,
} from '#database/insight/data-retrieval-request.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { ArchiveDamaged } from '../archive/read-archive.ts'
import { commonScope, ownerOf } from '../export/owner.ts'
import { speechOf } from '../export/speech.ts'
import { enabledIn } from '../http/features.ts'
import { mailReady } from './letter.ts'
import type { RetrievalServices } from './services.ts'
import { csvOfFile, type Retrieval } from './write-file.ts'
import { type ZipEntry, zipOf } from './zip.ts'

/** Ends a run whose request was deleted, or taken by a newer run. */
class RunEnded extends Error {}

const noteEveryMillis = 1000

/** Why a request fails for good; undefined for errors after which it is tried again. */
function messageOf(error: unknown): RetrievalMessage | undefined {
  if (error instanceof ArchiveDamaged) return 'archiveDamaged'
  if (error instanceof ProductError) return error.code === 'FeatureNotEnabled' ? 'featureOff' : 'accessLost'
  return undefined
}

/**
 * Writes the file of a request from the start, with the rights that its owner has now. Lost access is the request's message. Throws on
 * other errors, so that the job is retried, unless `isLastTry`.
 */
export async function runRetrieval(
  services: RetrievalServices,
  key: RequestKey,
  { isLastTry, signal }: { isLastTry: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const { doors, blobs, log, live, config } = services
  const request = await beginRequest(doors, key)
  // Its file is complete, but the worker may have ended before the mail.
  if (!request) return mailReady(services, key)
  const blobOf = (attempt: number) => `retrievals/${request.id}-${attempt}.zip`
  const blob = blobOf(request.attempt)
  // Of earlier runs, whose processes may have died.
  for (let attempt = 1; attempt < request.attempt; attempt++) await blobs.remove(blobOf(attempt))
  try {
    const { size, files } = await writeZip(services, request, blob, signal)
    const at = new Date()
    const until = new Date(at.getTime() + config.DATA_RETRIEVAL_HOURS * 3_600_000)
    if (!(await endRequest(doors, request, { status: 'completed', files, size, blob, until }, at))) throw new RunEnded()
  } catch (error) {
    await blobs.remove(blob)
    // A newer run has removed the file of this one.
    if (error instanceof RunEnded || !(await noteFiles(doors, request, []))) return
    const message = messageOf(error) ?? (isLastTry ? 'failed' : undefined)
    if (!message) throw error
    if (!(error instanceof ProductError)) log.error({ err: error, request: request.id }, 'Data retrieval failed')
    await endRequest(doors, request, { status: 'error', message }, new Date())
    live.announce(key.merchantId, 'dataRetrievalRequest')
    return
  }
  live.announce(key.merchantId, 'dataRetrievalRequest')
  await mailReady(services, key)
}

/** The scope of a request now: what its owner might see then and may see still. */
async function scopeNow(doors: Doors, request: StoredRequest) {
  const owner = await ownerOf(doors, { user_id: request.created_by, role: request.role })
  if (!userMay(owner, 'dataRetrieval.write')) throw new ProductError('Forbidden')
  const scope = commonScope([{ merchantId: request.merchant_id, groups: request.groups }], owner.scope)
  if (scope.length === 0) throw new ProductError('MerchantNotFoundException')
  return scope
}

async function writeZip(
  { doors, blobs, live }: RetrievalServices,
  request: StoredRequest,
  blob: string,
  signal?: AbortSignal,
) {
  const scope = await scopeNow(doors, request)
  const files: RetrievedFile[] = []
  let noted = 0
  const note = async () => {
    signal?.throwIfAborted()
    if (Date.now() - noted < noteEveryMillis) return
    noted = Date.now()
    if (!(await noteFiles(doors, request, files))) throw new RunEnded()
    live.announce(request.merchant_id, 'dataRetrievalRequest')
  }
  const size = await doors.withTenant(
    scope,
    async (db) => {
      const { retrieval, isOn } = await prepare(db, { doors, blobs }, request)
      const entries = async function* (): AsyncGenerator<ZipEntry> {
        for (const file of filesOfType[request.data_type]) {
          const written: RetrievedFile = { name: file.name, rows: 0 }
          files.push(written)
          const columns = file.columns.filter(({ feature }) => isOn(feature))
          yield {
            name: `${file.name}.csv`,
            content: csvOfFile(db, file, columns, retrieval, async (rows) => {
              written.rows += rows
              await note()
            }),
          }
        }
      }
      await note()
      return blobs.put(blob, zipOf(entries(), new Date()))
    },
    'read',
  )
  return { size, files }
}

async function prepare(
  db: TenantDb,
  { doors, blobs }: Pick<RetrievalServices, 'doors' | 'blobs'>,
  { merchant_id, data_type, language, start_date, end_date, role }: StoredRequest,
) {
  const columns = filesOfType[data_type].flatMap((file) => file.columns)
  const feature = featureOfType(data_type)
  const named = [...new Set([...columns.map((column) => column.feature), feature])].filter((one) => one !== undefined)
  const enabled = named.length > 0 ? await enabledIn(db, named) : new Map<Feature, ReadonlySet<string>>()
  const isOn = (one: Feature | undefined) => one === undefined || enabled.get(one)?.has(merchant_id) === true
  if (!isOn(feature)) throw new ProductError('FeatureNotEnabled')
  const { rows } = await sql<{ timeZone: string; currency: string; from: Date; to: Date }>`
    select time_zone as "timeZone", currency, start_of_day(${start_date}::date, time_zone) as "from",
      start_of_day(${end_date}::date + 1, time_zone) as "to"
    from merchants where id = ${merchant_id} and ${db.narrow('merchants')}`.execute(db.query)
  const [home] = rows
  if (!home) throw new ProductError('MerchantNotFoundException')
  const speech = speechOf(language, columns.some(({ kind }) => kind === 'alarm') ? await alarmCodes(db) : [])
  await sql`set local timezone to 'UTC'`.execute(db.query)
  const retrieval: Retrieval = {
    blobs,
    reader: { role, doors },
    merchant: { id: merchant_id, timeZone: home.timeZone, currency: home.currency },
    days: { startDate: start_date, endDate: end_date },
    from: home.from,
    to: home.to,
    language,
    speech,
  }
  return { retrieval, isOn }
}
