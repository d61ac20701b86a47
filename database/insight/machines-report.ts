import { type RawBuilder, sql } from 'kysely'
import type {
  MachinesReportFilters,
  MachinesReportRow,
  machinesReportOrds,
  ReportDimension,
} from '#contract/insight/machines-report.ts'
import { withoutDataDefault } from '#contract/machines/machine.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { cappedAt, countLimit, countRows, limitedTo, orderOf, type Page, type Sorted } from '../frame/list.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { isWithoutData, onDays, warrantyOf } from '../machines/machine.ts'

export type ReportRecord = RowOf<typeof MachinesReportRow>

/** The SQL of each dimension. */
const dimensions = {
  firmware: sql`machines.firmware_version`,
  connection: sql`machines.connection`,
  warranty: warrantyOf,
} satisfies Record<ReportDimension, RawBuilder<unknown>>

type Ord = (typeof machinesReportOrds)[number]

/** The rows of the report, unsorted: groups of the scope's machines that are not hidden. */
export function machinesReportRows(db: TenantDb, filters: MachinesReportFilters): RawBuilder<ReportRecord> {
  const { by = 'firmware', search, startDate, endDate, withoutDataDays = withoutDataDefault } = filters
  const valueOf = (dimension: ReportDimension, type: string) =>
    dimension === by ? dimensions[dimension] : sql`null::${sql.raw(type)}`
  return sql<ReportRecord>`
    select machines.merchant_id, merchants.name as merchant_name, merchants.time_zone, machines.device_type,
      ${valueOf('firmware', 'text')} as firmware_version, ${valueOf('connection', 'smallint')} as connection,
      ${valueOf('warranty', 'text')} as warranty, count(*)::int as machines,
      count(*) filter (where ${onDays('machines.created_at', { startDate, endDate })})::int as created,
      count(*) filter (where ${isWithoutData('machines', withoutDataDays)})::int as without_data,
      max(machines.last_seen_at) as last_seen_at
    from machines join merchants on merchants.id = machines.merchant_id
    where ${db.narrow('machines')} and not machines.hidden
      and ${anyOf('machines.device_type', filters.deviceTypes, 'text')}
      and ${anyOf('machines.connection', filters.connections, 'int')}
      and ${when(filters.warranties, (some) => sql<boolean>`${warrantyOf} = any(${some}::text[])`)}
      and ${holds(sql`merchants.name`, search)}
    group by 1, 2, 3, 4, 5, 6, 7`
}

/** By default the largest groups first. */
export const machinesReportOrdering = orderOf<Ord>({
  by: {
    merchant: sql`lower(r.merchant_name)`,
    deviceType: sql`r.device_type`,
    dimension: sql`coalesce(r.firmware_version, r.connection::text, r.warranty)`,
    machines: sql`r.machines`,
    created: sql`r.created`,
    withoutData: sql`r.without_data`,
    lastSeenAt: sql`r.last_seen_at`,
  },
  first: 'machines',
  falling: 'all',
  ties: sql`lower(r.merchant_name), r.merchant_id, r.device_type, r.firmware_version, r.connection, r.warranty`,
})

type Totals = Record<'machines' | 'created' | 'withoutData', number>

/** A page of the report, its number of rows, and the sums of all rows: the machines are grouped once for both. */
export async function listMachinesReport(db: TenantDb, query: MachinesReportFilters & Page & Sorted<Ord>) {
  const report = machinesReportRows(db, query)
  const { rows } = await sql<ReportRecord & { total: number; all: Totals }>`
    select r.*, (count(*) over ())::int as total, jsonb_build_object('machines', sum(r.machines) over (), 'created', sum(r.created) over (),
      'withoutData', sum(r.without_data) over ()) as all from (${report}) as r order by ${machinesReportOrdering(query)}
    ${limitedTo(query)}`.execute(db.query)
  if (rows.length === 0 && query.page > 1)
    return { ...(await countRows(db.query, sql`select 1 from (${report}) as r`)), rows, totals: undefined }
  return { ...cappedAt(countLimit, rows[0]?.total ?? 0), rows, totals: rows[0]?.all }
}
