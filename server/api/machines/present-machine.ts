import { toWire } from '#contract/frame/instant.ts'
import { ListedMachine, Machine, MachineRow } from '#contract/machines/machine.ts'
import {
  daysShown,
  type listAllMachines,
  type MachineRecord,
  type SalesOfMachine,
  type UsualSales,
} from '#database/machines/machine.ts'
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
