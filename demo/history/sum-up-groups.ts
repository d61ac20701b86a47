import { noGroup, wholeMerchantGroup } from '#database/frame/tenant.ts'
import { amounts } from '#database/sums/group-hours.ts'

/** Runs SQL as the owner. */
interface Owner {
  query(text: string): Promise<unknown>
}
const levels = {
  hour: { from: 'sales_hourly', into: 'group_sales_hourly', slot: ', slot', zero: ', 0' },
  day: { from: 'sales_daily', into: 'group_sales_daily', slot: '', zero: '' },
} as const

/** Writes all sums by group and merchant for the matching hours or days of machines `s`. None may exist yet. */
export async function sumUpGroups(owner: Owner, level: keyof typeof levels, where: string): Promise<void> {
  const { from, into, slot, zero } = levels[level]
  await owner.query(`
    insert into ${into} (merchant_id, group_id, ${level}, type, media_type, media_source${slot}, ${amounts.join(', ')})
    select s.merchant_id, g.id, s.${level}, s.type, s.media_type, s.media_source${zero}, ${amounts.map((name) => `sum(s.${name})`).join(', ')}
    from ${from} s join machines p on p.merchant_id = s.merchant_id and p.id = s.machine_id
    cross join lateral (values (coalesce(p.group_id, '${noGroup}')), ('${wholeMerchantGroup}'::uuid)) g (id)
    where ${where} group by 1, 2, 3, 4, 5, 6`)
}
