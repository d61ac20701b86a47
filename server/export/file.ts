import { type RawBuilder, sql } from 'kysely'
import type { ExportOrder } from '#contract/export/export.ts'
import { type ExportList, exportLists } from '#contract/export/export-lists.ts'
import { featureOfColumn } from '#contract/frame/of-feature.ts'
import { exportTypes } from '#contract/vocabulary/export.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { alarmCodes } from '#database/export/alarms.ts'
import { eachOf } from '#database/frame/apart/apart.ts'
import type { FileColumn } from '#database/frame/export/column.ts'
import { countSelected, type ExportSource, selectedRows } from '#database/frame/export/source.ts'
import { withinMerchantOf } from '#database/frame/reach.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import { enabledIn } from '../http/features.ts'
import { wordsIn } from '../words/words.ts'
import { csvOf } from './csv.ts'
import { speechOf } from './speech.ts'
import { xlsxOf } from './xlsx.ts'

export interface ExportFile {
  /** The number of rows to write. */
  count(): Promise<number>
  /** The file in pieces, with its first `limit` rows. Between two pieces, `watch` receives the number of rows written. */
  write(options?: { limit?: number; watch?: (written: number) => Promise<void> }): AsyncIterable<string | Uint8Array>
  name: string
  type: string
}

/** Where the rows of each list come from. */
export type ExportSources = { readonly [L in ExportList]: ExportSource<L> }

interface Context {
  sources: ExportSources
  /** The file covers all merchants of its reader. */
  isAll: boolean
  reader: Role
  doors: Doors
  now: Date
}

/** A list as a file, within a transaction and its scope. The order has been validated. */
export async function fileOf(
  whole: TenantDb,
  order: ExportOrder,
  { sources, isAll, reader, doors, now }: Context,
): Promise<ExportFile> {
  // A list of one machine is its merchant's.
  const db = 'posId' in order ? await withinMerchantOf(whole, [['pastPosId', order.posId]]) : whole
  // Cast: the order's list determines the source, which the compiler cannot follow through the table.
  const source = sources[order.list] as unknown as ExportSource<'machines'>
  const columns = chosenColumns(await gatedSource(db, source, order), order, isAll)
  const needsAlarms = columns.some(({ kind }) => kind === 'alarm')
  const speech = speechOf(order.language, needsAlarms ? await alarmCodes(db) : [])
  const merchant = isAll ? undefined : await homeOfScope(db)
  const home = merchant && {
    timeZone: source.timeZone ?? merchant.timeZone,
    currency: source.hasOwnCurrencies ? undefined : merchant.currency,
  }
  const named = columns.map((column) => ({ ...column, name: headingOf(column, order, home) }))
  const rows = await source.open(db, order as ExportOrder & { list: 'machines' }, { role: reader, doors })
  const title = wordsIn(order.language, 'export')(`lists.${order.list}`)
  const format =
    order.format === 'csv'
      ? csvOf(named, source.home, speech, order.language)
      : xlsxOf(named, source.home, speech, { language: order.language, title, currency: home?.currency })
  return {
    count: () => countSelected(db, rows),
    write: async function* ({ limit, watch } = {}) {
      let written = 0
      yield* format.write(
        rows.order ? eachOf(db) : db,
        (what, dateStyle) => selectedRows(db, rows, what, { limit, dateStyle }),
        async (more) => {
          written += more
          await watch?.(written)
        },
      )
    },
    name: fileName(title, order, now, home?.timeZone),
    type: exportTypes[order.format],
  }
}

/** The source with empty values in columns of features that a row's merchant lacks. */
async function gatedSource(
  db: TenantDb,
  source: ExportSource<'machines'>,
  { list, columns }: ExportOrder,
): Promise<ExportSource<'machines'>> {
  const { row } = exportLists[list]
  const features = new Map(columns.map((id) => [id as string, featureOfColumn(row, id)]))
  const named = [...features.values()].filter((feature) => feature !== undefined)
  if (named.length === 0) return source
  const enabled = await enabledIn(db, named)
  const gated = Object.entries(source.columns).map(([id, parts]) => {
    const feature = features.get(id)
    const able = feature && enabled.get(feature)
    if (!able || db.scope.every((pair) => able.has(pair.merchantId))) return [id, parts]
    const { merchantId } = source
    if (!merchantId) throw new Error(`Rows of ${list} have no merchant, so their columns cannot depend on a feature.`)
    const only = (value: RawBuilder<unknown>) =>
      sql`case when ${merchantId} = any(${[...able]}::uuid[]) then ${value} end`
    const emptied = Object.entries(parts).map(([part, column]) => [
      part,
      {
        ...column,
        sql: only(column.sql),
        ...('spreadsheetText' in column && column.spreadsheetText && { spreadsheetText: only(column.spreadsheetText) }),
      },
    ])
    return [id, Object.fromEntries(emptied)]
  })
  return { ...source, columns: Object.fromEntries(gated) as typeof source.columns }
}

/** Named after the list and the minute in the merchant's local time. For several merchants in UTC, which the name contains. */
function fileName(title: string, { format }: ExportOrder, now: Date, timeZone: string | undefined): string {
  const { day, time } = wallAt(now, timeZone ?? 'UTC')
  return `${title} ${day} ${time.replace(':', '.')}${timeZone ? '' : ' UTC'}.${format}`
}

/** The file's columns, each once, in the screen's order. With several merchants, each row names its merchant. */
function chosenColumns(source: ExportSource<'machines'>, order: ExportOrder, isAll: boolean): FileColumn[] {
  const columns = new Map<string, FileColumn>()
  if (isAll && source.merchant)
    columns.set('merchant', { heading: 'export:column.merchant', kind: 'text', sql: source.merchant })
  for (const id of order.columns as (keyof typeof source.columns)[]) {
    for (const [part, column] of Object.entries(source.columns[id])) if (!columns.has(part)) columns.set(part, column)
  }
  const has = (kind: FileColumn['kind']) => [...columns.values()].some((column) => column.kind === kind)
  const plain = (heading: string, value: RawBuilder<unknown>): FileColumn => ({ heading, kind: 'text', sql: value })
  if ((isAll || source.hasOwnCurrencies) && has('amount'))
    columns.set('currency', plain('export:column.currency', source.home.currency))
  if (isAll && has('instant')) columns.set('zone', plain('export:column.zone', source.zone))
  return [...columns.values()]
}

interface ScopeHome {
  currency: Currency
  timeZone: string
}

async function homeOfScope(db: TenantDb): Promise<ScopeHome | undefined> {
  const merchant = await db.from('merchants').select(['merchants.currency', 'merchants.time_zone']).executeTakeFirst()
  return merchant && { currency: merchant.currency as Currency, timeZone: merchant.time_zone }
}

/** A column's heading, with the time zone, currency or unit of its values. */
export function headingOf(
  column: FileColumn,
  { language }: Pick<ExportOrder, 'language'>,
  home: Partial<ScopeHome> | undefined,
): string {
  const [feature = '', key = ''] = column.heading.split(':')
  const name = wordsIn(language, feature)(key)
  const unit = unitOf(column, language, home)
  return unit ? `${name} (${unit})` : name
}

function unitOf(column: FileColumn, language: Language, home: Partial<ScopeHome> | undefined): string | undefined {
  switch (column.kind) {
    case 'instant':
      return home?.timeZone
    case 'amount':
      return home?.currency
    case 'percent':
      return '%'
    case 'number':
      return column.unit && wordsIn(language, 'export')(`unit.${column.unit}`)
    default:
      return undefined
  }
}
