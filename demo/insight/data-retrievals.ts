import type { RetrievalMessage, RetrievalStatus, RetrievalType } from '#contract/vocabulary/insight/data-retrieval.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { randomFrom } from '#simulator/random.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { demoPeople } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

const dayMs = 86_400_000

interface DemoRequest {
  dataType: RetrievalType
  status: Exclude<RetrievalStatus, 'completed'>
  message?: RetrievalMessage
  /** The request and its range, in days before now. */
  daysAgo: number
  from: number
  to: number
  rows?: number
}

/** The worker completes the created ones when the demo starts. */
const requests: readonly DemoRequest[] = [
  { dataType: 'cash', status: 'error', message: 'accessLost', daysAgo: 34, from: 60, to: 35 },
  { dataType: 'transactions', status: 'expired', daysAgo: 21, from: 50, to: 22, rows: 48_213 },
  { dataType: 'auditsParsed', status: 'created', daysAgo: 0.02, from: 14, to: 1 },
  { dataType: 'transactions', status: 'created', daysAgo: 0.01, from: 2, to: 1 },
]

const dayOf = (millis: number) => new Date(millis).toISOString().slice(0, 10)

/** Adds data retrieval requests of the first merchant, unless it has some. */
export async function addDataRetrievals(doors: Doors, { until, seed }: { until: number; seed: string }): Promise<void> {
  const [merchant] = demoMerchants
  const random = randomFrom(`${seed} data retrievals`)
  const [, user] = demoPeople
  if (!merchant || !user) return
  await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
    const existing = await db
      .from('data_retrieval_requests')
      .where('data_retrieval_requests.merchant_id', '=', merchant.id)
      .select('data_retrieval_requests.id')
      .limit(1)
      .executeTakeFirst()
    if (existing) return
    for (const { dataType, status, message, daysAgo, from, to, rows = 0 } of requests) {
      const at = new Date(until - daysAgo * dayMs)
      const ended = status === 'created' ? null : new Date(at.getTime() + 90_000)
      await db.query
        .insertInto('data_retrieval_requests')
        .values({
          merchant_id: merchant.id,
          id: uuidAt(at.getTime(), random),
          data_type: dataType,
          start_date: dayOf(until - from * dayMs),
          end_date: dayOf(until - to * dayMs),
          language: 'it',
          status,
          message: message ?? null,
          created_by: user.id,
          created_by_name: user.name,
          role: user.role,
          groups: JSON.stringify('all'),
          files: JSON.stringify(rows > 0 ? [{ name: dataType, rows }] : []),
          rows,
          created_at: at,
          ended_at: ended,
          mailed_at: at,
          expires_at: status === 'expired' ? new Date(at.getTime() + 7 * dayMs) : null,
        })
        .execute()
    }
  })
}
