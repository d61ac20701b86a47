import type pg from 'pg'
import { type Packed, packedColumns, packedTable } from '#database/sums/packing.ts'

/** Copies the packed days of the last `stepDays` days back in time, `from` to `to` times; of one merchant, or of all. */
export async function copyPackedDays(
  owner: pg.Client,
  kind: Packed,
  { stepDays, from, to, merchantId }: { stepDays: number; from: number; to: number; merchantId?: string },
): Promise<void> {
  const columns = packedColumns(kind)
  const earlier = columns.map((name) => {
    if (name === 'day') return `day - age * ${stepDays}`
    return name === 'starts_at' ? `starts_at - age * interval '${stepDays} days'` : name
  })
  await owner.query(
    `insert into ${packedTable(kind)} (${columns.join(', ')})
     select ${earlier.join(', ')} from ${packedTable(kind)} cross join generate_series($1::int, $2::int) age
     where day between current_date - ${stepDays} and current_date - 1 and ($3::uuid is null or merchant_id = $3) on conflict do nothing`,
    [from, to, merchantId ?? null],
  )
}
