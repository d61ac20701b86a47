import { toWire } from '#contract/frame/instant.ts'
import { ListedMachine, Machine, MachineRow, type MapCluster, MapPoint } from '#contract/machines/machine.ts'
import {
  daysShown,
  type listAllMachines,
  type MachineRecord,
  type SalesOfMachine,
  type UsualSales,
} from '#database/machines/machine.ts'
import { type Cluster, worstOf } from '#domain/machines/map-clusters.ts'
import { wireOf } from '#server/http/wire.ts'

/** Database instants inside JSON carry their offset. */
const since = (text: string) => toWire(new Date(text))

type ListedRecord = Awaited<ReturnType<typeof listAllMachines>>['rows'][number]
export const presentListedMachine = (machine: ListedRecord): ListedMachine => wireOf(ListedMachine, machine)

const besideRow = (machine: MachineRecord, sales: SalesOfMachine | undefined) => ({
  posStatus: machine.shown_pos_status,
  worstAlarm: machine.worst_alarm && { code: machine.worst_alarm.code, since: since(machine.worst_alarm.since) },
  salesToday: sales?.value.at(-1) ?? 0,
  vendsToday: sales?.vends.at(-1) ?? 0,
  salesByDay: sales?.value ?? (new Array(daysShown).fill(0) as number[]),
})

export const presentMachineRow = (machine: MachineRecord, sales: SalesOfMachine | undefined): MachineRow =>
  wireOf(MachineRow, machine, besideRow(machine, sales))

export const presentMachine = (
  machine: MachineRecord,
  sales: SalesOfMachine | undefined,
  usual: UsualSales,
  now: Date,
): Machine =>
  wireOf(Machine, machine, {
    ...besideRow(machine, sales),
    noVendProfileInSync: machine.is_no_vend_in_sync,
    usualSalesToday: usual.value,
    usualDays: usual.days,
    reassociationUntil:
      machine.reassociation_until && machine.reassociation_until > now ? toWire(machine.reassociation_until) : null,
  })

/** The only machine of a cell of the map. */
export const presentMapMachine = (
  cell: Cluster & { id: string; merchant_id: string; name: string; state: string },
): MapPoint =>
  MapPoint.parse({
    id: cell.id,
    merchantId: cell.merchant_id,
    name: cell.name,
    state: cell.state,
    posStatus: worstOf(cell),
    latitude: cell.latitude,
    longitude: cell.longitude,
  })

export const presentMapCluster = (cluster: Cluster): MapCluster => ({
  count: cluster.count,
  critical: cluster.critical,
  warning: cluster.warning,
  posStatus: worstOf(cluster),
  latitude: cluster.latitude,
  longitude: cluster.longitude,
  west: cluster.west,
  south: cluster.south,
  east: cluster.east,
  north: cluster.north,
})
