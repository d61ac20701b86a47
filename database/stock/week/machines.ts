import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { Outlook } from '#domain/stock/supply.ts'
import { anyOf } from '../../frame/conditions.ts'
import type { TenantDb } from '../../frame/tenant.ts'
import { firstPriceOf, joinFirstPrice } from '../first-price.ts'
import { usualDays } from '../usual-sales.ts'

/** A machine with what decides when it is visited. */
export interface WeekMachine {
  id: string
  name: string
  serial: string
  address: string | null
  latitude: number | null
  longitude: number | null
  cashInBox: number | null
  cashBoxCapacity: number | null
  /** Minor units of cash of an average day. */
  cashPerDay: number
  /** Turnover of a usual day. */
  usualPerDay: number
}

/** The machines of the scope, or of some groups. `today`: the merchant's day. */
export async function weekMachines(
  db: TenantDb,
  today: string,
  groupIds: readonly string[] | undefined,
): Promise<WeekMachine[]> {
  const { rows } = await sql<WeekMachine>`
    select m.id, m.name, m.serial, m.address, m.latitude, m.longitude, m.cash_in_box as "cashInBox",
      m.cash_box_capacity as "cashBoxCapacity", coalesce(paid.value, 0)::float8 / ${usualDays}::int as "cashPerDay",
      coalesce(usual.per_day, 0) as "usualPerDay"
    from machines m
    left join machine_usual_sales usual on ${db.own('usual')} and usual.merchant_id = m.merchant_id and usual.machine_id = m.id
    left join (
      select sold.merchant_id, sold.machine_id, sum(sold.cash_value) as value from sales_daily sold
      where ${db.own('sold')} and sold.day >= ${today}::date - ${usualDays}::int and sold.day < ${today}::date
      group by 1, 2
    ) paid on paid.merchant_id = m.merchant_id and paid.machine_id = m.id
    where ${db.narrow('machines', 'm')} and not m.hidden and ${anyOf('m.group_id', groupIds, 'uuid')}
    order by m.id`.execute(db.query)
  return rows
}

/** A selection with what decides when it is empty. */
export interface WeekSelection {
  machineId: string
  level: number
  /** Filled up to it; null: unknown. */
  target: number | null
  stockType: number | null
  price: number | null
  isManaged: boolean
  /** The days from today on; null: nothing is known. */
  outlook: Outlook | null
}

/** Rows that are read at once. */
const batch = 5_000

/**
 * The selections of the machines of the scope, or of some groups, machine by machine, each with so many days of its forecast from today on. Forecasts are
 * read as bytes: as text or arrays they would take most of the time.
 */
export async function* weekSelections(
  db: TenantDb,
  { today, days }: { today: string; days: number },
  groupIds: readonly string[] | undefined,
): AsyncIterable<WeekSelection[]> {
  const first = sql`${today}::date - stock.forecast_from`
  const query = sql`
    select stock.machine_id, stock.level, least(coalesce(line.refill_value, stock.capacity), coalesce(line.capacity, stock.capacity)),
      stock.stock_type, ${firstPriceOf('price', 'line')}, m.manage_stock,
      array_send(stock.forecast[greatest(1, ${first} + 1) : ${first} + ${days}::int]),
      -- Only where the forecast ends before.
      case when stock.forecast is null or ${first} + ${days}::int > cardinality(stock.forecast) then array_send(stock.usual) end
    from machine_stock stock
    join machines m on ${db.narrow('machines', 'm')} and m.merchant_id = stock.merchant_id and m.id = stock.machine_id
    left join planogram_lines line on ${db.own('line')} and line.merchant_id = m.merchant_id and line.planogram_id = m.planogram_id
      and line.selection = stock.selection
    ${joinFirstPrice(db, 'stock', 'price')}
    where ${db.own('stock')} and not stock.gone and not m.hidden and ${anyOf('m.group_id', groupIds, 'uuid')}
    order by stock.machine_id, stock.selection`
  for await (const rows of db.batches(query, batch))
    yield rows.map((row) => {
      // Cast: the columns of the query, in their order.
      const [machineId, level, target, stockType, price, isManaged, forecast, usual] = row as Columns
      const known = forecast === null && usual === null ? null : { days: realsOf(forecast), usual: realsOf(usual) }
      const outlook = isManaged && known ? { ...known, firstDay: today } : null
      return { machineId, level, target, stockType, price, isManaged, outlook }
    })
}
type Columns = [string, number, number | null, number | null, number | null, boolean, Buffer | null, Buffer | null]

/** The values of an array of `real` as PostgreSQL sends it: a header of 20 bytes, then the length and the value of each. */
function realsOf(bytes: Buffer | null): number[] {
  const values: number[] = []
  if (bytes) for (let at = 24; at < bytes.length; at += 8) values.push(bytes.readFloatBE(at))
  return values
}

/** The total of a machine's hot drinks: of no use where its selections are known. */
export const isHotTotal = ({ stockType }: Pick<WeekSelection, 'stockType'>) => stockType === stockTypes.hotTotal
