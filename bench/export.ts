import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ExportJob } from '#contract/export/export.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import type { Client } from './client.ts'
import { install } from './installation.ts'
import { type Finding, type Measurement, median } from './measure.ts'
import { daysBack } from './period.ts'

const merchantId = demoMerchants[0]?.id ?? ''
/** Minimum rows for the promise. */
const enough = 100_000

/** The default columns of the list. */
const columns = ['createdAt', 'machine', 'type', 'product', 'price', 'media', 'flags', 'value'] as const

const days = 15
const rounds = 5
const longestMillis = 120_000

/** The same rows, columns, joins and order in their stored form: without words, zones, decimal marks and escaping. */
const asStored = ({ startDate, endDate }: { startDate: string; endDate: string }) => `copy (
  select t.created_at, p.name, p.serial, t.type, t.product, t.product_code, t.price_line, t.price_table, t.media_type,
    t.media_source, t.free_sale, t.error_sale, t.value
  from transactions t
  join merchants m on m.id = t.merchant_id
  join machines p on p.merchant_id = t.merchant_id and p.id = t.machine_id
  where t.merchant_id = '${merchantId}' and t.created_at >= timestamp '${startDate}' at time zone 'Europe/Rome'
    and t.created_at < (date '${endDate}' + 1)::timestamp at time zone 'Europe/Rome'
  order by t.created_at desc, t.id desc) to stdout`

/** Reads a whole COPY and discards it. Returns the milliseconds. */
async function copied(db: pg.Client, statement: string): Promise<number> {
  await db.query(`begin read only; set local app.merchant_ids = '{${merchantId}}'`)
  const startedAt = performance.now()
  for await (const _ of db.query(copyTo(statement)));
  const millis = performance.now() - startedAt
  await db.query('commit')
  return millis
}

/** Orders an export and waits for its file. Returns the finished job. `watch` is called repeatedly meanwhile. */
async function exported(client: Client, filter: object, watch: () => void): Promise<ExportJob> {
  const path = `/merchants/${merchantId}/exports`
  const order = { list: 'transactions', format: 'csv', columns: columns, filter, language: 'it', ordType: 'DESC' }
  let job = await client.post<ExportJob>(path, order)
  const givenUp = Date.now() + longestMillis
  for (let polledAt = Date.now(); job.status === 'waiting' || job.status === 'running'; ) {
    if (Date.now() > givenUp) throw new Error('The export did not end.')
    watch()
    await new Promise((resolve) => setTimeout(resolve, 100))
    // Frequent polling would load the measured process.
    if (Date.now() - polledAt < 250) continue
    polledAt = Date.now()
    job = await client.json<ExportJob>(`${path}/${job.id}`)
  }
  if (job.status !== 'done') throw new Error(`The export is ${job.status}: ${job.failure}`)
  return job
}

/** Proportional set size of a process in MB. */
const sizeOf = (pid: number) =>
  (Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1024) / 1e6

const megabytes = (size: number) => `${size.toFixed(0)} MB`

export const exporting: Measurement = {
  title: 'More than 100,000 transactions as CSV against COPY',
  about: `A merchant's transactions of ${days} days with the list's default columns, exported by the real job: ordered over HTTP, queued,
    counted, read with words, local time and decimal marks, escaped, and written to the file. The time is from the order to the end
    that the job records. The reference is a COPY of the same rows, columns, joins and order in their stored form, to a client that
    discards them. Both run alternately, ${rounds} times each; the median counts. Memory is the proportional set size (PSS) of the
    process that is API and worker: its peak during an export minus its value right before. The export with the largest growth counts.
    The last line shows the growth over all exports, for scale: V8 keeps about 64 MB of read buffers before it collects them.`,
  async run({ say }) {
    const installation = await install(say)
    const server = await installation.serve(['api', 'worker'])
    const db = await installation.asApp()
    const client = await server.signIn('merchantAdmin')
    try {
      const filter = daysBack(days)
      const statement = asStored(filter)
      await exported(client, filter, () => {})
      await copied(db, statement)
      const times: { export: number; copy: number; rows: number }[] = []
      const sizes: { before: number; peak: number }[] = []
      for (let round = 0; round < rounds; round += 1) {
        const size = { before: sizeOf(server.pid), peak: 0 }
        sizes.push(size)
        const job = await exported(client, filter, () => {
          size.peak = Math.max(size.peak, sizeOf(server.pid))
        })
        if (job.written < enough) throw new Error(`There are only ${job.written} rows.`)
        const millis = Date.parse(`${job.endedAt}Z`) - Date.parse(`${job.createdAt}Z`)
        times.push({ export: millis, copy: await copied(db, statement), rows: job.written })
      }
      const perSecond = (pick: 'export' | 'copy') => median(times.map((time) => (time.rows / time[pick]) * 1000))
      const rateText = (rows: number) => `${Math.round(rows).toLocaleString('en')} rows/s`
      const allGrown = Math.max(...sizes.map(({ peak }) => peak)) - (sizes[0]?.before ?? 0)
      const findings: Finding[] = [
        {
          what: `rows per second of a CSV of ${times[0]?.rows.toLocaleString('en')} transactions`,
          figure: rateText(perSecond('export')),
          reference: `COPY ${rateText(perSecond('copy'))}`,
          value: median(times.map((time) => time.copy / time.export)) * 100,
          promised: { atLeast: 40, unit: '%' },
        },
        {
          what: 'growth of the process during an export',
          figure: sizes.map(({ before, peak }) => megabytes(peak - before)).join(', '),
          reference: `before each ${sizes.map(({ before }) => megabytes(before)).join(', ')}`,
          value: Math.max(...sizes.map(({ before, peak }) => peak - before)),
          promised: { atMost: 64, unit: 'MB' },
        },
        {
          what: `growth over all ${rounds}`,
          figure: megabytes(allGrown),
          value: allGrown,
        },
      ]
      return findings
    } finally {
      client.close()
      await db.end()
      await server.stop()
      await installation.stop()
    }
  },
}
