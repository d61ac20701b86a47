import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'

/** The price at which a selection's sales are estimated: of the first price table. */
export const firstPrice = (db: TenantDb, stock: string) => sql<number | null>`coalesce(
  (select coalesce(price.price, price.wanted) from machine_prices price where ${db.own('price')}
    and price.merchant_id = ${sql.ref(`${stock}.merchant_id`)} and price.machine_id = ${sql.ref(`${stock}.machine_id`)}
    and price.selection = ${sql.ref(`${stock}.selection`)} and price.price_table = 1 and not price.gone),
  (select (line.prices ->> '1')::bigint from planogram_lines line join machines planned on planned.merchant_id = line.merchant_id
      and planned.planogram_id = line.planogram_id
    where ${db.own('line')} and ${db.own('planned')} and line.merchant_id = ${sql.ref(`${stock}.merchant_id`)}
      and planned.id = ${sql.ref(`${stock}.machine_id`)} and line.selection = ${sql.ref(`${stock}.selection`)}))`

/** The same for many selections at once, joined to them; `lines` are their lines of the planogram. */
export const firstPriceOf = (prices: string, lines: string) =>
  sql<
    number | null
  >`coalesce(${sql.ref(`${prices}.price`)}, ${sql.ref(`${prices}.wanted`)}, (${sql.ref(`${lines}.prices`)} ->> '1')::bigint)`
export const joinFirstPrice = (db: TenantDb, stock: string, prices: string) =>
  sql`left join machine_prices ${sql.ref(prices)} on ${db.own(prices)} and ${sql.ref(`${prices}.merchant_id`)} = ${sql.ref(`${stock}.merchant_id`)}
    and ${sql.ref(`${prices}.machine_id`)} = ${sql.ref(`${stock}.machine_id`)} and ${sql.ref(`${prices}.selection`)} = ${sql.ref(`${stock}.selection`)}
    and ${sql.ref(`${prices}.price_table`)} = 1 and not ${sql.ref(`${prices}.gone`)}`
