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
