import { sql } from 'kysely'
import { connections } from '#contract/vocabulary/device.ts'
import { anyOf } from '../frame/conditions.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import type { MachineKey } from './stock-alarms.ts'

/** A message is sent for this long; a machine that has not named it by then does not know such messages. */
const daysSent = 7

/** A line of a message to a machine. */
export interface RefillLine extends MachineKey {
  id: string
  at: Date
  selection: string
  counted: number | null
  waste: number
  loaded: number
}

/** Machines of some or all merchants with a message that is due, as far as they are online; the others get it when they connect. */
export const machinesWithRefills = (
  doors: Doors,
  now: Date,
  limit: number,
  among?: readonly string[],
): Promise<(MachineKey & { serial: string })[]> =>
  doors.withSystem(
    'due refills',
    async (db) =>
      (
        await sql<MachineKey & { serial: string }>`
          select distinct refill.merchant_id as "merchantId", refill.machine_id as "machineId", machine.serial
          from stock_refills refill join machines machine on machine.merchant_id = refill.merchant_id
            and machine.id = refill.machine_id and machine.connection = ${connections.online}
            and ${anyOf('machine.merchant_id', among, 'uuid')}
          where ${anyOf('refill.merchant_id', among, 'uuid')} and refill.next_at <= ${now} limit ${limit}`.execute(db)
      ).rows,
    'single statement',
  )

/** A refill is sent again after a minute, then after twice as long each time, up to an hour. */
const mostDoublings = 6
/** When a refill is sent again, by how often it has been sent. */
const retries = (now: Date) =>
  Array.from({ length: mostDoublings + 1 }, (_, tries) => new Date(now.getTime() + Math.min(60, 2 ** tries) * 60_000))

/**
 * The lines to send to some machines, and notes that they are sent; the pauses grow to an hour. `isAsked`: the machine has connected or
 * requests them, so all that it has not named are sent.
 */
export async function takeRefills(
  db: TenantDb,
  machineIds: readonly string[],
  now: Date,
  { isAsked }: { isAsked: boolean },
): Promise<RefillLine[]> {
  if (machineIds.length === 0) return []
  const { rows } = await sql<RefillLine>`
    update stock_refills refill set tries = tries + 1,
      next_at = case when created_at < ${new Date(now.getTime() - daysSent * 86_400_000)} then null
        else (${retries(now)}::timestamptz[])[least(tries, ${sql.lit(mostDoublings)}) + 1] end
    where ${db.narrow('stock_refills', 'refill')} and machine_id = any(${machineIds}::uuid[]) and next_at is not null
      and (${isAsked} or tries = 0 or next_at <= ${now})
    returning merchant_id as "merchantId", machine_id as "machineId", id, at, selection, counted, waste, loaded`.execute(
    db.query,
  )
  return rows
}

/** A machine that is online over HTTP alone fetches its messages; it is looked up again after this time. */
const notReachableMs = 10 * 60_000

/** Looks for machines later that cannot be reached now. */
export async function sendLater(db: TenantDb, machineIds: readonly string[], now: Date): Promise<void> {
  if (machineIds.length === 0) return
  await sql`update stock_refills refill set next_at = ${new Date(now.getTime() + notReachableMs)}
    where ${db.narrow('stock_refills', 'refill')} and machine_id = any(${machineIds}::uuid[]) and next_at <= ${now}`.execute(
    db.query,
  )
}

/** Notes that machines have named messages in their reports: they are not sent again. */
export async function noteNamed(
  db: TenantDb,
  named: readonly (MachineKey & { id: string })[],
  now: Date,
): Promise<void> {
  if (named.length === 0) return
  await sql`update stock_refills refill set known_at = ${now}, next_at = null
    from unnest(${named.map(({ merchantId }) => merchantId)}::uuid[], ${named.map(({ machineId }) => machineId)}::uuid[],
      ${named.map(({ id }) => id)}::uuid[]) as named (merchant_id, machine_id, id)
    where ${db.own('refill')} and refill.merchant_id = named.merchant_id and refill.machine_id = named.machine_id
      and refill.id = named.id and refill.known_at is null`.execute(db.query)
}
