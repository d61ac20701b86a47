import { sql } from 'kysely'
import type { OfferedProduct } from '#contract/key-portal/machine-page.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { RowOf } from '../frame/row.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** Which machine a QR code names. */
export async function placeOfCode(
  doors: Doors,
  code: string,
): Promise<{ merchantId: string; machineId: string } | undefined> {
  return doors.withSystem(
    'machine codes',
    (db) =>
      db
        .selectFrom('machine_directory')
        .where('code', '=', code)
        .select(['merchant_id as merchantId', 'machine_id as machineId'])
        .executeTakeFirst(),
    'single statement',
  )
}

/** The codes in machines' QR images, by serial. A machine that was never associated has none. */
export async function codesOfMachines(doors: Doors, serials: readonly string[]): Promise<Map<string, string>> {
  const rows = await doors.withSystem(
    'machine codes',
    (db) =>
      db
        .selectFrom('machine_directory')
        .where(sql<boolean>`serial = any(${serials}::text[])`)
        .select(['serial', 'code'])
        .execute(),
    'single statement',
  )
  return new Map(rows.map(({ serial, code }) => [serial, code]))
}

/** The code in a machine's QR image. */
export const codeOfMachine = async (doors: Doors, serial: string): Promise<string | undefined> =>
  (await codesOfMachines(doors, [serial])).get(serial)

/** Machines by their ids; `isShown`: their merchant's portal is published, and shows machines that are not hidden. */
export async function machinesToLabel(
  db: TenantDb,
  machineIds: readonly string[],
): Promise<{ id: string; serial: string; name: string; merchantName: string; isShown: boolean }[]> {
  const { rows } = await sql<{ id: string; serial: string; name: string; merchantName: string; isShown: boolean }>`
    select machine.id, machine.serial, machine.name, m.name as "merchantName",
      not machine.hidden and portal.merchant_id is not null and not demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone) as "isShown"
    from machines machine
    join merchants m on m.id = machine.merchant_id
    left join portal_settings portal on ${db.own('portal')} and portal.merchant_id = machine.merchant_id and portal.is_published
    where ${db.narrow('machines', 'machine')} and machine.id = any(${[...machineIds]}::uuid[])`.execute(db.query)
  return rows
}

/** A machine as customers may know it. */
export interface PublicMachine {
  id: string
  serial: string
  name: string
  address: string | null
  isOnline: boolean
  currency: Currency
  hasMedia: boolean
  slug: string
  merchantName: string
}

/** Undefined: it is hidden or deleted, or its merchant's portal is not published. */
export async function publicMachine(
  db: TenantDb,
  merchantId: string,
  machineId: string,
): Promise<PublicMachine | undefined> {
  const { rows } = await sql<PublicMachine>`select machine.id, machine.serial, machine.name, machine.address,
      machine.connection = ${sql.lit(connections.online)} as "isOnline", m.currency, coalesce('customerMedia' = any(f.features), false) as "hasMedia",
      portal.slug, portal.name as "merchantName"
    from machines machine
    join merchants m on m.id = machine.merchant_id
    join portal_settings portal on ${db.own('portal')} and portal.merchant_id = machine.merchant_id and portal.is_published
    left join merchant_features f on ${db.own('f')} and f.merchant_id = machine.merchant_id
    where ${db.narrow('machines', 'machine')} and machine.merchant_id = ${merchantId} and machine.id = ${machineId}
      and not machine.hidden and not demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone)`.execute(db.query)
  return rows[0]
}

type OfferRow = RowOf<typeof OfferedProduct>

const most = 300

/**
 * What a machine sells: the prices that it reported or charged and the selections of its stock, with the product of its planogram, or else of the same name. Prices without
 * cash are those of table 6, and of table 2, in this order.
 */
export async function offerOf(db: TenantDb, merchantId: string, machineId: string): Promise<OfferRow[]> {
  const { rows } = await sql<OfferRow>`
    with price as (
      select p.selection, max(p.product) as product,
        max(coalesce(p.price, p.charged)) filter (where p.price_table = 1) as cash,
        max(coalesce(p.price, p.charged)) filter (where p.price_table = 2) as key,
        max(coalesce(p.price, p.charged)) filter (where p.price_table = 6) as cashless
      from machine_prices p
      where ${db.narrow('machine_prices', 'p')} and p.merchant_id = ${merchantId} and p.machine_id = ${machineId} and not p.gone
      group by p.selection
    ), stock as (
      select s.selection, s.product, s.level from machine_stock s
      where ${db.narrow('machine_stock', 's')} and s.merchant_id = ${merchantId} and s.machine_id = ${machineId} and not s.gone
        and s.stock_type is distinct from ${stockTypes.hotTotal}
    ), planned as (
      select line.selection, line.product_id from machines machine
      join planogram_lines line on ${db.own('line')} and line.merchant_id = machine.merchant_id
        and line.planogram_id = machine.planogram_id
      where ${db.narrow('machines', 'machine')} and machine.merchant_id = ${merchantId} and machine.id = ${machineId}
    ), offered as (
      select coalesce(price.selection, stock.selection) as selection, coalesce(price.product, stock.product) as product,
        price.cash, coalesce(price.cashless, price.key, price.cash) as cashless, stock.level
      from price full join stock on stock.selection = price.selection
    )
    select offered.selection, coalesce(product.name, offered.product) as name, product.description,
      coalesce(product.allergens, '{}') as allergens, product.thumbnail, offered.cash as price, offered.cashless as cashless_price,
      coalesce(offered.level <= 0, false) as is_sold_out
    from offered
    left join planned on planned.selection = offered.selection
    left join lateral (select w.name, w.description, w.allergens, w.thumbnail from products w
      where ${db.own('w')} and w.merchant_id = ${merchantId}
        and (w.id = planned.product_id or (planned.product_id is null and lower(w.name) = lower(offered.product)))
      order by w.id limit 1) product on true
    where offered.selection is not null
    order by length(offered.selection), offered.selection limit ${most}`.execute(db.query)
  return rows
}
