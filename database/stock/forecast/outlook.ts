import { type RawBuilder, sql } from 'kysely'
import type { Outlook } from '#domain/stock/supply.ts'

/** The forecast of a selection as its row has it. */
export interface StoredOutlook {
  /** An ordinary week; null: never computed. */
  usual: number[] | null
  forecast: number[] | null
  forecastFrom: string | null
}

/** The columns of `StoredOutlook`. */
export const outlookColumns = (alias: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${alias}.usual`)}, ${sql.ref(`${alias}.forecast`)}, ${sql.ref(`${alias}.forecast_from`)}::text as "forecastFrom"`

/** What a selection is expected to sell; null: nothing is known. Before its first forecast only its week is known. */
export const outlookOf = ({ usual, forecast, forecastFrom }: StoredOutlook): Outlook | null =>
  usual && { usual, days: forecast ?? [], firstDay: forecastFrom }
