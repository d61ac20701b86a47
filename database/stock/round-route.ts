import type { RoundStatus, StopStatus } from '#contract/stock/round-status.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A stop of a round with its machine's place, if it has one. */
export interface RouteStopRecord {
  round_id: string
  merchant_id: string
  name: string
  assignee_name: string | null
  status: RoundStatus
  stop_status: StopStatus
  machine_id: string
  machine_name: string
  latitude: number | null
  longitude: number | null
}

/** The most stops that a map shows. */
const mostStops = 3000

/** The stops of a day's rounds that the scope sees, round by round in driving order, without those of cancelled rounds. */
export async function stopsOfDay(db: TenantDb, day: string): Promise<RouteStopRecord[]> {
  const rows = await db
    .from('round_stops')
    .innerJoin('rounds', (join) =>
      join.onRef('rounds.merchant_id', '=', 'round_stops.merchant_id').onRef('rounds.id', '=', 'round_stops.round_id'),
    )
    .innerJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'round_stops.merchant_id')
        .onRef('machines.id', '=', 'round_stops.machine_id'),
    )
    .where('rounds.day', '=', day)
    .where('rounds.status', '<>', 'cancelled')
    .select([
      'round_stops.round_id',
      'round_stops.merchant_id',
      'rounds.name',
      'rounds.assignee_name',
      'rounds.status',
      'round_stops.status as stop_status',
      'round_stops.machine_id',
      'machines.name as machine_name',
      'machines.latitude',
      'machines.longitude',
    ])
    .orderBy('rounds.name')
    .orderBy('rounds.id')
    .orderBy('round_stops.position')
    .orderBy('round_stops.id')
    .limit(mostStops)
    .execute()
  return rows as RouteStopRecord[]
}
