import type { TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import { fillIntervals } from '#database/audits/audit-interval.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { sweepImports } from '#database/imports/import.ts'
import { purgeCustomerSessions } from '#database/key-portal/customer-account.ts'
import { warnOfEnds } from '#database/merchants/api-token.ts'
import { sweepMessages } from '#database/merchants/webhook-sending.ts'
import { purgeExpiredIdentityState } from '#database/people/identity.ts'
import { trimDeadLetters } from '#database/platform/dead-letters.ts'
import type { Retention } from '#domain/frame/retention.ts'
import { sources } from '../api/export-sources.ts'
import type { ExportServices } from '../export/run.ts'
import { sweepExports } from '../export/sweep.ts'
import type { PaymentDeps } from '../payments/account.ts'
import { queryDueOrders } from '../payments/query.ts'
import type { RetrievalServices } from '../retrieval/services.ts'
import { sweepRetrievals } from '../retrieval/sweep.ts'
import { nowOrLater } from '../retry/now-or-later.ts'
import { copyScreens } from '../screens/copy-screens.ts'
import { sweepUpdateFiles } from '../updates/sweep.ts'
import { watchDisk } from '../watching/disk.ts'
import { startSender } from '../webhooks/sender.ts'
import { dropExpired } from './drop-expired.ts'
import { exportTasks } from './export-tasks.ts'
import { startJobs } from './jobs.ts'
import { endLicences, remindOfEnds } from './licences.ts'
import { moveAllSums } from './move-sums.ts'
import { mailReports } from './report-mails.ts'
import { retrievalTasks } from './retrieval-tasks.ts'
import { mailHalts } from './rollout-mails.ts'
import { type RolloutDeps, runRollouts } from './rollouts.ts'
import { mailStaff } from './staff-mails.ts'
import { sumUpDays } from './sum-up-days.ts'
import {
  endReservations,
  mailAlarms,
  mailClaims,
  refreshSupplies,
  requestAudits,
  sendNoVend,
  startPrices,
  type WatchDeps,
  watchMachines,
} from './watch.ts'

/** Months of partitions created ahead of the data. */
const monthsAhead = 2

const crontab = `
17 * * * * ensurePartitions
47 * * * * dropExpired ?max=1&queue=dropExpired
*/10 * * * * purgeIdentityState
37 * * * * trimDeadLetters
*/5 * * * * sweepExports
* * * * * watchMachines ?max=1&queue=watchMachines
* * * * * mailAlarms ?max=1&queue=mailAlarms
* * * * * mailClaims ?max=1&queue=mailClaims
* * * * * requestAudits ?max=1&queue=requestAudits
* * * * * sendNoVend ?max=1&queue=sendNoVend
* * * * * startPrices ?max=1&queue=startPrices
* * * * * endReservations ?max=1&queue=endReservations
* * * * * runRollouts ?max=1&queue=runRollouts
* * * * * mailHalts ?max=1&queue=mailHalts
* * * * * refreshSupplies ?max=1&queue=refreshSupplies
29 * * * * fillIntervals ?max=1&queue=fillIntervals
* * * * * sumUpDays ?max=1&queue=sumUpDays
* * * * * moveSums ?max=1&queue=moveSums
* * * * * queryWebPayments ?max=1&queue=queryWebPayments
* * * * * endLicences ?max=1&queue=endLicences
* * * * * copyScreens ?max=1&queue=copyScreens
* * * * * remindOfEnds ?max=1&queue=remindOfEnds
* * * * * mailStaff ?max=1&queue=mailStaff
7 * * * * watchDisk ?max=1&queue=watchDisk
43 * * * * warnOfTokens ?max=1&queue=warnOfTokens
13 * * * * sweepWebhooks ?max=1&queue=sweepWebhooks
51 * * * * sweepImports ?max=1&queue=sweepImports
`

/** Reports may take seconds to write, so they do not delay the tasks above. */
const longCrontab = '* * * * * mailReports ?max=1&queue=mailReports\n'

/** Creates the partitions of this month and the next months, also at every start, since the worker may have been away. */
export const ensurePartitions = (doors: Doors) =>
  doors.withSystem('partitions', (db) =>
    sql`select ensure_partitions(now() - interval '1 month', now() + make_interval(months => ${monthsAhead}))`.execute(
      db,
    ),
  )

/** Runs long and periodic work: partitions, expiries, cleanup, daily sums, time-based alarms, alarm mails. */
export async function startWorker(
  deps: {
    adminUrl: string
  } & Omit<ExportServices, 'sources'> &
    RetrievalServices &
    WatchDeps &
    RolloutDeps &
    Pick<PaymentDeps, 'vault'> & { config: { RETENTION_MONTHS: Retention; DATA_DIR: string } } & Pick<
      PaymentDeps,
      'config'
    >,
): Promise<{ stop(): Promise<void> }> {
  const { doors, log } = deps
  const starting = nowOrLater((error) =>
    log.warn({ err: error }, 'Partitions and expired files are cared for when all database nodes are back'),
  )
  await starting.run(async () => void (await ensurePartitions(doors)))
  const tasks: TaskList = {
    ensurePartitions: async () => {
      await ensurePartitions(doors)
    },
    purgeIdentityState: async () => {
      await doors.withSystem('identity', (db) => purgeExpiredIdentityState(db, new Date()))
      await purgeCustomerSessions(doors, new Date())
    },
    dropExpired: async () => {
      const { dropped, busy, failed } = await dropExpired(deps, deps.config.RETENTION_MONTHS, new Date())
      if (dropped.length > 0) log.info({ dropped }, 'Expired months moved to the archive')
      for (const { table, error } of failed) log.error({ err: error, table }, 'A month cannot be archived; it is kept')
      if (busy.length > 0) log.warn({ busy }, 'Tables in use; their expired months are dropped later')
    },
    trimDeadLetters: () => trimDeadLetters(doors, deps.config.RETENTION_MONTHS.transactions),
    sweepExports: async () => {
      await sweepExports(deps, new Date())
      await sweepUpdateFiles(deps, new Date())
      await sweepRetrievals(deps, new Date())
    },
    watchMachines: () => watchMachines(deps, new Date()),
    mailAlarms: () => mailAlarms(deps, new Date()),
    mailClaims: () => mailClaims(deps, new Date()),
    requestAudits: () => requestAudits(deps, new Date()),
    sendNoVend: () => sendNoVend(deps, new Date()),
    startPrices: () => startPrices(deps, new Date()),
    endReservations: () => endReservations(deps, new Date()),
    runRollouts: () => runRollouts(deps, new Date()),
    mailHalts: () => mailHalts(deps, new Date()),
    refreshSupplies: () => refreshSupplies(deps, new Date()),
    fillIntervals: () => fillIntervals(doors),
    sumUpDays: async () => {
      await sumUpDays(doors, new Date())
    },
    moveSums: async () => {
      await moveAllSums(doors)
    },
    queryWebPayments: async () => {
      await queryDueOrders(deps, new Date())
    },
    endLicences: () => endLicences(deps, new Date()),
    copyScreens: () => copyScreens(deps, new Date()),
    remindOfEnds: () => remindOfEnds(deps, new Date()),
    mailStaff: () => mailStaff(deps, new Date()),
    watchDisk: () => watchDisk(doors, deps.config, new Date()),
    warnOfTokens: async () => {
      await warnOfEnds(doors, new Date())
    },
    sweepImports: () => sweepImports(doors, new Date()),
    sweepWebhooks: async () => {
      await sweepMessages(doors, new Date())
    },
  }
  const jobs = await startJobs(deps.adminUrl, log, [
    { tasks, crontab },
    {
      tasks: { ...exportTasks({ ...deps, sources }), mailReports: () => mailReports(deps, new Date()) },
      crontab: longCrontab,
    },
    { tasks: retrievalTasks(deps) },
  ])
  await starting.run(async () => {
    await sweepExports(deps, new Date())
    await sweepRetrievals(deps, new Date())
  })
  const sender = startSender(deps)
  void watchDisk(doors, deps.config, new Date()).catch((error: unknown) =>
    log.warn({ err: error }, 'The disk cannot be watched'),
  )
  return {
    stop: async () => {
      starting.stop()
      await sender.stop()
      await jobs.stop()
    },
  }
}
