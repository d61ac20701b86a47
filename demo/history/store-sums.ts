import { noGroup, wholeMerchantGroup } from '#database/frame/tenant.ts'
import { amounts } from '#database/sums/group-hours.ts'
import { type Packed, packedColumns, packedRows, packedTable } from '#database/sums/packing.ts'

/*
 * Sums of sales as the gateway and the worker write them, but of many days at once. `hours` is a relation with the columns of sales_hourly.
 */

/** Runs SQL as the owner. */
interface Owner {
  query(text: string): Promise<unknown>
}

const kinds = 'type, media_type, media_source'
const products = `${kinds}, price_table, product`
const names = amounts.join(', ')
const sums = amounts.map((name) => `sum(s.${name})::bigint as ${name}`).join(', ')
const of = (columns: string) => columns.replaceAll(/\w+/g, 's.$&')

/** The hours of all groups and merchants of machines' hours, in the columns of group_sales_hourly. */
const groupHours = (hours: string) => `(
  select s.merchant_id, g.id as group_id, s.day, s.hour, ${of(kinds)}, 0::smallint as slot, ${sums}
  from ${hours} s join machines p on p.merchant_id = s.merchant_id and p.id = s.machine_id
  cross join lateral (values (coalesce(p.group_id, '${noGroup}')), ('${wholeMerchantGroup}'::uuid)) g (id)
  group by s.merchant_id, g.id, s.day, s.hour, ${of(kinds)})`

const pack = (owner: Owner, kind: Packed, hours: string) =>
  owner.query(
    `insert into ${packedTable(kind)} (${packedColumns(kind).join(', ')}) ${packedRows(kind, hours)} order by 1, 2, 3`,
  )

const addDays = (owner: Owner, table: string, codes: string, from: string) =>
  owner.query(`insert into ${table} (merchant_id, day, ${codes}, ${names})
    select s.merchant_id, s.day, ${of(codes)}, ${sums} from ${from} s group by s.merchant_id, s.day, ${of(codes)}
    order by s.merchant_id, s.day, ${of(codes)}`)

/** Stores hours of ended days by machine, packed, with their days. None may exist yet. */
export async function storeEndedMachineSums(owner: Owner, hours: string): Promise<void> {
  await pack(owner, 'machine', hours)
  await addDays(owner, 'sales_daily', `machine_id, ${kinds}`, hours)
}

/** The same of ended days by group, and by product of whole merchants: of all their machines. */
export async function storeEndedGroupSums(owner: Owner, hours: string): Promise<void> {
  await pack(owner, 'group', groupHours(hours))
  await addDays(owner, 'group_sales_daily', `group_id, ${kinds}`, groupHours(hours))
  await addDays(owner, 'merchant_products_daily', products, hours)
}

/** Stores hours of days that have not ended, by machine. None may exist yet. */
export const storeOpenMachineSums = (owner: Owner, hours: string) =>
  owner.query(`insert into open_sales_hourly (merchant_id, day, machine_id, hour, ${products}, ${names})
    select s.merchant_id, s.day, s.machine_id, s.hour, ${of(products)}, ${of(names)} from ${hours} s order by 1, 2, 3, 4`)

/** The same by group and merchant. */
export const storeOpenGroupSums = (owner: Owner, hours: string) =>
  owner.query(`insert into open_group_sales_hourly (merchant_id, group_id, day, hour, ${kinds}, slot, ${names})
    select * from ${groupHours(hours)} s`)
