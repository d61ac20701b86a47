import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type {
  DiskFigure,
  PlatformFigure,
  platformStatusRows,
  SlowStatements,
  Watched,
  WatchedState,
} from '#contract/platform/platform-status.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { diskSamples, platformFigures } from '#database/platform/platform-figures.ts'
import { slowStatements } from '#database/platform/slow-statements.ts'
import { type DiskSample, daysUntil, growthPerDay } from '#domain/frame/disk-forecast.ts'
import { openBackupStore } from '#server/backup/store.ts'
import type { Config } from '#server/config.ts'
import { openBlobsAt } from '#server/files/open-blobs.ts'
import type { Handlers } from '#server/http/handler.ts'
import { storeSlow } from '#server/watching/slow-statements.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** From which values on somebody should look, and act at once. */
const limits: { readonly [W in Watched]?: readonly [warning: number, critical: number] } = {
  jobs: [200, 2_000],
  failedJobs: [1, 50],
  mails: [1, 100],
  webhookMessages: [1_000, 10_000],
  failingWebhooks: [1, Number.POSITIVE_INFINITY],
  exports: [20, 200],
  failedExports: [1, 20],
  deadLetters: [1, 1_000],
  daysToSum: [2_000, 10_000],
  longestStatement: [60, 600],
}

const stateOf = (name: Watched, value: number): WatchedState => {
  const [warning, critical] = limits[name] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  return value >= critical ? 'critical' : value >= warning ? 'warning' : 'ok'
}

const figure = (
  name: Watched,
  kind: PlatformFigure['kind'],
  count: number | null,
  more: Partial<PlatformFigure> = {},
): PlatformFigure => ({
  name,
  kind,
  count,
  state: count === null ? 'unknown' : stateOf(name, count),
  text: null,
  since: null,
  ...more,
})

/** Where a small value is the bad one. */
const falling = (value: number, warning: number, critical: number): WatchedState =>
  value <= critical ? 'critical' : value <= warning ? 'warning' : 'ok'

const text = (name: Watched, value: string): PlatformFigure => figure(name, 'text', null, { state: 'ok', text: value })

/** Days for which the certificate of the broker is valid. */
async function certificateFigure({ MQTT_TLS_CERT_FILE: file }: Config, now: Date): Promise<PlatformFigure> {
  if (!file) return figure('certificate', 'days', null)
  const until = await readFile(file).then(
    (pem) => new Date(new X509Certificate(pem).validTo),
    () => undefined,
  )
  if (!until) return figure('certificate', 'days', null)
  const days = Math.floor((until.getTime() - now.getTime()) / dayMs)
  return figure('certificate', 'days', days, { state: falling(days, 30, 7) })
}

/** The age of the last complete copy, in seconds. */
async function backupFigure({ BACKUP_URL: url, BACKUP_RECIPIENTS, BACKUP_HOURS }: Config, now: Date) {
  if (!url) return figure('backup', 'seconds', null)
  try {
    const blobs = await openBlobsAt(url, 'BACKUP_URL')
    try {
      const store = openBackupStore(blobs, { recipients: BACKUP_RECIPIENTS })
      const ends: number[] = []
      for (const system of await store.systems())
        for (const { endedAt } of await store.bases(system)) ends.push(Date.parse(endedAt))
      if (ends.length === 0) return figure('backup', 'seconds', null, { state: 'critical' })
      const last = new Date(Math.max(...ends))
      const seconds = Math.round((now.getTime() - last.getTime()) / 1000)
      const late = BACKUP_HOURS * 3_600
      const state = seconds > 3 * late ? 'critical' : seconds > 1.5 * late ? 'warning' : 'ok'
      return figure('backup', 'seconds', seconds, { state, since: toWire(last) })
    } finally {
      blobs.close()
    }
  } catch {
    return figure('backup', 'seconds', null, { state: 'critical' })
  }
}

function diskFigure(place: string, samples: readonly DiskSample[]): DiskFigure[] {
  const last = samples.at(-1)
  if (!last) return []
  const share = last.used / last.total
  const days90 = daysUntil(samples, 0.9) ?? null
  const isClose = days90 !== null && days90 < 14
  return [
    {
      place,
      state: share >= 0.9 ? 'critical' : share >= 0.8 || isClose ? 'warning' : 'ok',
      used: last.used,
      total: last.total,
      perDay: growthPerDay(samples) ?? null,
      days80: daysUntil(samples, 0.8) ?? null,
      days90,
      at: toWire(last.at),
    },
  ]
}

async function slowOf(doors: Doors, fromMs: number): Promise<SlowStatements> {
  await storeSlow(doors)
  const { source, statements } = await slowStatements(doors, fromMs)
  return {
    source,
    fromMs,
    statements: statements.map(({ text, count, totalMs, maximumMs, last }) => ({
      text,
      count,
      meanMs: totalMs / count,
      maximumMs,
      last: toWireOrNull(last),
    })),
  }
}

export const platformStatusHandlers: Handlers<typeof platformStatusRows> = {
  getPlatformStatus: async ({ doors, config, now }) => {
    const figures = await platformFigures(doors, now)
    const since = (at: Date | null) => ({ since: toWireOrNull(at) })
    const isLate = (at: Date | null, minutes: number) =>
      at !== null && now.getTime() - at.getTime() > minutes * minuteMs
    return {
      figures: [
        figure('jobs', 'count', figures.jobs, {
          ...since(figures.oldestJob),
          ...(isLate(figures.oldestJob, 10) && { state: 'warning' }),
        }),
        figure('failedJobs', 'count', figures.failedJobs),
        figure('mails', 'count', figures.mails, since(figures.oldestMail)),
        figure('webhookMessages', 'count', figures.webhookMessages),
        figure('failingWebhooks', 'count', figures.failingWebhooks),
        figure('exports', 'count', figures.exports, since(figures.oldestExport)),
        figure('failedExports', 'count', figures.failedExports),
        figure('deadLetters', 'count', figures.deadLetters),
        figure('daysToSum', 'count', figures.daysToSum),
        figure('monthsAhead', 'count', figures.monthsAhead, { state: falling(figures.monthsAhead, 0, -1) }),
        figure('longestStatement', 'seconds', Math.round(figures.longestStatement)),
        figure('workers', 'count', figures.workers, { state: figures.workers === 0 ? 'critical' : 'ok' }),
        await certificateFigure(config, now),
        await backupFigure(config, now),
        text('gettone', config.version),
        text('postgres', figures.postgres),
        text('node', process.versions.node),
        text('schema', figures.schema),
      ],
      disks: [...(await diskSamples(doors))].flatMap(([place, samples]) => diskFigure(place, samples)),
      slow: await slowOf(doors, config.SLOW_STATEMENT_MS),
    }
  },
}
