import { type RawBuilder, sql } from 'kysely'
import type { ExportOrder } from '#contract/export.ts'
import { type Currency } from '#contract/vocabulary/currencies.ts'
import { exportTypes } from '#contract/vocabulary/export.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { alarmCodes } from '#database/export/alarms.ts'
import type { FileColumn } from '#database/export/column.ts'
import type { ExportSource } from '#database/export/source.ts'
import type { Doors, TenantDb } from '#database/tenant.ts'
import { wordsIn } from '../words.ts'
import { csvOf } from './csv.ts'
import { sources } from './sources.ts'
import { speechOf } from './speech.ts'
import { xlsxOf } from './xlsx.ts'

export interface ExportFile {
  /** How many rows there are to write. */
  count(): Promise<number>
  /** The file piece by piece; of its rows the first `limit`. `watch` is called with how many are written, between two pieces. */
  write(options?: { limit?: number; watch?: (written: number) => Promise<void> }): AsyncIterable<string | Uint8Array>
  name: string
  type: string
}

/** A list as a file, inside a transaction whose scope it stays in. The order has been found sound. */
export async function fileOf(
  db: TenantDb,
  order: ExportOrder,
  { isAll, reader, doors, now }: { isAll: boolean; reader: Role; doors: Doors; now: Date },
): Promise<ExportFile> {
  // The order's list says which source is meant, which the compiler cannot follow through the table.
  const source = sources[order.list] as unknown as ExportSource<'machines'>
  const columns = chosenColumns(source, order, isAll)
  const needsAlarms = columns.some(({ kind }) => kind === 'alarm')
  const speech = speechOf(order.language, needsAlarms ? await alarmCodes(db) : [])
  const merchant = isAll ? undefined : await homeOfScope(db)
  const home = merchant && { ...merchant, timeZone: source.timeZone ?? merchant.timeZone }
  const named = columns.map((column) => ({ ...column, name: headingOf(column, order, home) }))
  const rows = await source.open(db, order as ExportOrder & { list: 'machines' }, { role: reader, doors })
  const say = wordsIn(order.language, 'export')
  const format =
    order.format === 'csv'
      ? csvOf(named, source.home, speech, order.language)
      : xlsxOf(named, source.home, speech, order.language, say(`lists.${order.list}`))
  return {
    count: async () => (await rows.count.execute(db.query)).rows[0]?.n ?? 0,
    write: async function* ({ limit, watch } = {}) {
      // Only now: what the database said until here was read by programs.
      await sql`${sql.raw(format.setting)}`.execute(db.query)
      let written = 0
      yield* format.write(
        db,
        (what) => rows.select(what, limit),
        async (more) => {
          written += more
          await watch?.(written)
        },
      )
    },
    name: `${order.list}-${now.toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}.${order.format}`,
    type: exportTypes[order.format],
  }
}

/** The file's columns, each once, in the screen's order; of many merchants each row says whose it is. */
function chosenColumns(source: ExportSource<'machines'>, order: ExportOrder, isAll: boolean): FileColumn[] {
  const chosen = new Map<string, FileColumn>()
  if (isAll && source.merchant)
    chosen.set('merchant', { heading: 'export:column.merchant', kind: 'text', sql: source.merchant })
  for (const id of order.columns as (keyof typeof source.columns)[]) {
    for (const [part, column] of Object.entries(source.columns[id])) if (!chosen.has(part)) chosen.set(part, column)
  }
  const has = (kind: FileColumn['kind']) => [...chosen.values()].some((column) => column.kind === kind)
  const plain = (heading: string, value: RawBuilder<unknown>): FileColumn => ({ heading, kind: 'text', sql: value })
  if (isAll && has('amount')) chosen.set('currency', plain('export:column.currency', source.home.currency))
  if (isAll && has('instant')) chosen.set('zone', plain('export:column.zone', source.zone))
  return [...chosen.values()]
}

interface ScopeHome {
  currency: Currency
  timeZone: string
}

async function homeOfScope(db: TenantDb): Promise<ScopeHome | undefined> {
  const merchant = await db.from('merchants').select(['merchants.currency', 'merchants.time_zone']).executeTakeFirst()
  return merchant && { currency: merchant.currency as Currency, timeZone: merchant.time_zone }
}

function headingOf({ heading, kind }: FileColumn, { language }: ExportOrder, home: ScopeHome | undefined): string {
  const [feature = '', key = ''] = heading.split(':')
  const name = wordsIn(language, feature)(key)
  if (home && kind === 'instant') return `${name} (${home.timeZone})`
  if (home && kind === 'amount') return `${name} (${home.currency})`
  return name
}
