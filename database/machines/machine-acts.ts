import { sql } from 'kysely'
import type { MachineFilters } from '#contract/machines/machine.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { repairAlarms } from '../alarms/alarm-repair.ts'
import { forgetPriceSights, losePlannedPrices } from '../catalogue/price-sight.ts'
import { cancelRemoteCommands } from '../commands/remote-command.ts'
import { forgetVp } from '../configurations/vp-forget.ts'
import { among } from '../frame/conditions.ts'
import { heldApart } from '../frame/held-apart.ts'
import { type Chosen, chosenOf, type Selection } from '../frame/selection.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'
import { noteLastPlaces } from '../sales/former-terms.ts'
import { forgetReports } from '../stock/manage.ts'
import { skipStopsOfMachine } from '../stock/round-stop.ts'
import { endAbsences } from './absence.ts'
import { filteredMachines } from './machine.ts'

/** A machine locked for an action. */
export interface HeldMachine {
  merchant_id: string
  id: string
  serial: string
  name: string
  group_id: string | null
  client_id: string | null
  hidden: boolean
  manage_stock: boolean
  stock_counted_by: string
  reassociation_until: Date | null
}

/** The ids of the selected machines. */
export const machinesChosen = (db: TenantDb, selection: Selection<MachineFilters>): Promise<Chosen> =>
  chosenOf(db, 'machines', selection, (filters) => filteredMachines(db, filters))

/** Machines of the scope, locked until the transaction ends. */
export const holdForAct = (db: TenantDb, ids: readonly string[]): Promise<HeldMachine[]> =>
  heldApart(db, 'machines', ids, (of) =>
    of
      .from('machines')
      // An empty list selects no machine.
      .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
      .select([
        'merchant_id',
        'id',
        'serial',
        'name',
        'group_id',
        'client_id',
        'hidden',
        'manage_stock',
        'stock_counted_by',
      ])
      .select('reassociation_until')
      .orderBy('machines.id')
      .forUpdate('machines')
      .execute(),
  )

/** The keys of machines of the scope, for locking their journals. */
export const machineKeys = (db: TenantDb, ids: readonly string[]): Promise<{ merchantId: string; id: string }[]> =>
  db
    .from('machines')
    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
    .select(['machines.merchant_id as merchantId', 'machines.id'])
    .execute()

/** Columns by which machines are assigned to records, beside the fields of their form. */
export type AssignedColumn = 'planogram_id' | 'no_vend_profile_id'

/** Writes edits of locked machines and increments their versions. */
export async function writeActs(
  db: TenantDb,
  ids: readonly string[],
  set: { hidden?: boolean; reassociation_until?: Date | null } & {
    [Column in AssignedColumn]?: string | null
  },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  await db.query
    .updateTable('machines')
    .set({ ...set, updated_at: now, version: sql<number>`version + 1` })
    .where(db.narrow('machines'))
    .where(among('machines.id', ids, 'uuid'))
    .execute()
}

/** The columns that a machine reports, as they are right after association. */
const nothingReported = {
  board_serial: null,
  board_manufacturer: null,
  board_model: null,
  board_version: null,
  modem_manufacturer: null,
  modem_model: null,
  modem_version: null,
  ethernet_manufacturer: null,
  ethernet_model: null,
  ethernet_version: null,
  mac_address: null,
  sim_iccid: null,
  sim_imsi: null,
  sim_operator: null,
  imei: null,
  public_ip: null,
  network_type: null,
  telemetry_board_type: null,
  telemetry_board_version: null,
  firmware_version: null,
  signal_percent: null,
  temperature_celsius: null,
  clock_drift_seconds: null,
  cash_in_box: null,
  cash_box_capacity: null,
  last_boot_at: null,
} as const

interface By {
  id: string
  name: string
  at: Date
}

/** Closes a machine's open alarms as repaired by hand and cancels its commands that have not started. Returns their numbers. */
async function endWhatIsOpen(db: TenantDb, machineId: string, by: By) {
  const alarms = await db
    .from('alarms')
    .where('machine_id', '=', machineId)
    .where('status', 'in', ['active', 'notification'])
    .select('id')
    .orderBy('id')
    .execute()
  const repaired = await repairAlarms(db, alarms.map(({ id }) => id).concat(nothing), { ...by, note: undefined })
  await db.query
    .deleteFrom('alarm_rule_states')
    .where(db.narrow('alarm_rule_states'))
    .where('machine_id', '=', machineId)
    .execute()
  const waiting = await db
    .from('remote_commands')
    .where('machine_id', '=', machineId)
    .where('status', 'in', [0, 1])
    .select('id')
    .execute()
  const cancelled = await cancelRemoteCommands(
    db,
    waiting.map(({ id }) => id),
  )
  return { alarms: repaired.length, commands: cancelled.size }
}

/** Keeps a list of ids from being empty, which would mean "no filter". */
const nothing = '00000000-0000-0000-0000-000000000000'

/**
 * Clears the reported state of a machine, of which journal and row are locked, closes its alarms and cancels its commands. Its connection, secret, journal and history
 * stay. Returns how many alarms and commands were ended.
 */
export async function resetMachine(db: TenantDb, machine: HeldMachine, by: By) {
  const ended = await endWhatIsOpen(db, machine.id, by)
  await db.query
    .deleteFrom('machine_sensors')
    .where(db.narrow('machine_sensors'))
    .where('machine_id', '=', machine.id)
    .execute()
  await forgetReports(db, machine.id)
  await forgetPriceSights(db, machine.id)
  await db.query
    .updateTable('machines')
    .set({ ...nothingReported, updated_at: by.at, version: sql<number>`version + 1` })
    .where(db.narrow('machines'))
    .where('machines.id', '=', machine.id)
    .execute()
  return ended
}

/**
 * Deletes a machine. Its sales, reports and commands stay under its name and group. Its secret and journal are removed, so that no more
 * data is accepted and its serial can be associated again. Undefined outside the scope.
 */
export async function deleteMachine(db: TenantDb, merchantId: string, id: string, by: By) {
  // Writers of the machine's data lock its journal first and then the machine; keep that order.
  await lockJournals(db, [{ merchantId, id }])
  const [machine] = await holdForAct(db, [id])
  if (!machine) return undefined
  const ended = await endWhatIsOpen(db, id, by)
  const isOnRound = await skipStopsOfMachine(db, merchantId, id, by)
  await endAbsences(db, [{ merchantId, machineId: id, at: by.at }], by.at)
  await db.query
    .deleteFrom('machine_supplies')
    .where(db.narrow('machine_supplies'))
    .where('machine_id', '=', id)
    .execute()
  await losePlannedPrices(db, id)
  await noteLastPlaces(db, merchantId, [id], by.at)
  await forgetVp(db, id)
  await db.query
    .deleteFrom('machine_secrets')
    .where(db.narrow('machine_secrets'))
    .where('machine_id', '=', id)
    .execute()
  await db.query
    .deleteFrom('machine_journals')
    .where(db.narrow('machine_journals'))
    .where('machine_id', '=', id)
    .execute()
  await db.query
    .updateTable('machines')
    .set({
      hidden: true,
      deleted_at: by.at,
      updated_at: by.at,
      client_id: null,
      planogram_id: null,
      no_vend_profile_id: null,
      connection: connections.offline,
      version: sql<number>`version + 1`,
    })
    .where(db.narrow('machines'))
    .where('machines.id', '=', id)
    .execute()
  return { machine, isOnRound, ...ended }
}
