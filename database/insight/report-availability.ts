import { sql } from 'kysely'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { anyOf } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { wasAt } from '../sales/terms-of-day.ts'
import { stretchesOfPlaces } from './report-events.ts'
import { groupedSums, type ReportOrder } from './report-grouping.ts'

/** How long selections were in service and sold out on the ended days of the period. */
export async function availabilityByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const { by, startDate, endDate, posIds } = order
  const isOfDay = (await stretchesOfPlaces(db, order)).length > 0
  const day = sql`d.day`
  const ofProducts = by.includes('stockProduct')
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select d.merchant_id, d.machine_id, d.day, to_char(d.day, 'YYYYMM') as month, ${
          ofProducts
            ? sql`each.product_id, coalesce(product.name, gone.name) as product,
              each.product_id is not null and product.id is null as product_is_gone, each.minutes, each.sold_out`
            : sql`d.service_minutes as minutes, d.sold_out_minutes as sold_out`
        }
        from machine_service_days d
        ${
          ofProducts
            ? sql`cross join lateral unnest(d.product_ids, d.minutes, d.sold_out) each (product_id, minutes, sold_out)
              left join products product on ${db.own('product')} and product.merchant_id = d.merchant_id and product.id = each.product_id
              left join deleted_products gone on ${db.own('gone')} and gone.merchant_id = d.merchant_id and gone.id = each.product_id`
            : sql``
        }
        where ${db.narrow('machine_service_days', 'd')} and ${hasFeature(db, 'productStock', 'd')}
          and d.day between ${startDate}::date and ${endDate}::date and ${anyOf('d.machine_id', posIds, 'uuid')}
          and ${wasAt(db, order, { merchantId: sql`d.merchant_id`, machineId: sql`d.machine_id`, day })}`,
      sums: { serviceMinutes: sql`sum(x.minutes)::bigint`, soldOutMinutes: sql`sum(x.sold_out)::bigint` },
    },
    { limit, isOfDay },
  )
}
