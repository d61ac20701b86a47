import { randomUUIDv7 } from 'node:crypto'
import { ReportDefinition, type ReportSchedule } from '#contract/insight/report.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { countReports, insertReport } from '#database/insight/report.ts'
import { nextSend } from '#domain/insight/report-schedule.ts'
import { demoPeople } from '../operators/people.ts'

interface DemoReport {
  name: string
  definition: Partial<ReportDefinition>
  schedule: ReportSchedule | null
  isShared: boolean
}

/** The merchant's admin. */
const [, owner] = demoPeople

/** A report by a parameter of products, mailed each Monday, and a shared one of the groups. */
const reports: readonly DemoReport[] = [
  {
    name: 'Vendite per fornitore',
    definition: {
      type: 'products',
      by: ['parameter'],
      parameter: 'Fornitore',
      preset: 'previousWeek',
      compare: 'previous',
    },
    schedule: { every: 'week', day: 1, hour: 7 },
    isShared: false,
  },
  {
    name: 'Gruppi e clienti, mese scorso',
    definition: { type: 'groups', by: ['group', 'client'], preset: 'previousMonth', compare: 'usual' },
    schedule: null,
    isShared: true,
  },
]

/** Adds saved reports of the merchant's admin, unless there are some. */
export async function addReports(doors: Doors, merchantId: string, now: Date): Promise<void> {
  if (!owner) return
  await doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    if ((await countReports(db, owner.id)) > 0) return
    const { time_zone } = await db.from('merchants').select('merchants.time_zone').executeTakeFirstOrThrow()
    for (const { name, definition, schedule, isShared } of reports) {
      await insertReport(db, {
        merchant_id: merchantId,
        id: randomUUIDv7(),
        owner_id: owner.id,
        owner_name: owner.name,
        name,
        is_shared: isShared,
        definition: ReportDefinition.parse(definition),
        schedule,
        next_at: schedule && nextSend(schedule, now, time_zone),
        created_at: now,
      })
    }
  })
}
