import { sql } from 'kysely'
import { remoteCommandResults } from '#contract/vocabulary/remote-command.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { applyNoVend, sendConfig } from './no-vend-target.ts'

/** Machines of a merchant per pass; a pass runs every minute. */
const machinesPerPass = 500
/** Machines without a planogram report new products at any time: each is computed again once in so many minutes. */
const turnMinutes = 15
/** A machine that never took the command gets the next one after this time. */
const againAfter = '24 hours'

/** The name under which these commands are stored. */
const orderedBy = { id: null, name: 'Gettone' }

/** Ends what is in flight with its command; a machine that could not be reached is due again. */
const settle = (db: TenantDb, at: Date) =>
  sql`update custom_configurations c set
      no_vend_command_id = null,
      no_vend_due = case when sent.result in (${unreached}) and c.no_vend_due is null
        then case when c.sent_version = c.version then c.version else 0 end else c.no_vend_due end
    from remote_commands sent
    where ${db.own('c')} and ${db.own('sent')} and sent.merchant_id = c.merchant_id and sent.id = c.no_vend_command_id
      and sent.status not in (0, 1)
      and (sent.result not in (${unreached}) or sent.created_at <= ${at}::timestamptz - ${againAfter}::interval)`.execute(
    db.query,
  )
const unreached = sql.join(
  [remoteCommandResults.retriesExceeded, remoteCommandResults.expired].map((result) => sql.lit(result)),
)

/** Machines whose part is due, and machines whose profile or planogram has another version than their part. */
const overtaken = (db: TenantDb) => sql<{ id: string }>`
  select c.machine_id as id from custom_configurations c
  where ${db.own('c')} and c.no_vend_due is not null and not exists (
    select 1 from remote_commands pending where ${db.own('pending')} and pending.merchant_id = c.merchant_id
      and pending.machine_id = c.machine_id and pending.type = ${sendConfig} and pending.status in (0, 1))
  union
  select m.id from machines m
  join no_vend_profiles p on p.merchant_id = m.merchant_id and p.id = m.no_vend_profile_id and ${db.own('p')}
  left join planograms g on g.merchant_id = m.merchant_id and g.id = m.planogram_id and ${db.own('g')}
  left join custom_configurations c on c.merchant_id = m.merchant_id and c.machine_id = m.id and ${db.own('c')}
  where ${db.narrow('machines', 'm')}
    and c.no_vend_basis is distinct from concat_ws(':', p.id, p.version, g.id, g.version)
  limit ${machinesPerPass}`

/** Machines whose turn has come to be compared with the products that they report. */
const reporting = (db: TenantDb, at: Date) => sql<{ id: string }>`
  select m.id from machines m
  join no_vend_profiles p on p.merchant_id = m.merchant_id and p.id = m.no_vend_profile_id and ${db.own('p')}
  where ${db.narrow('machines', 'm')} and m.planogram_id is null and p.product_ids <> '{}'
    and mod(hashtext(m.id::text)::bigint + 2147483648, ${turnMinutes}::int)
      = ${Math.floor(at.getTime() / 60_000) % turnMinutes}::int
  limit ${machinesPerPass}`

/**
 * Sends no-vend profiles that could not be sent at once, and computes those again whose planogram or reported products changed. Returns
 * the machines that changed or were sent a command.
 */
export async function sendNoVendProfiles(
  doors: Doors,
  at: Date,
): Promise<{ merchantId: string; machineId: string; isSent: boolean }[]> {
  const merchants = await doors.withSystem(
    'no-vend profiles',
    async (db) => {
      const { rows } = await sql<{ id: string }>`
        select merchant_id as id from custom_configurations where no_vend_due is not null or no_vend_command_id is not null
        union select merchant_id from machines where no_vend_profile_id is not null
        order by id`.execute(db)
      return rows
    },
    'single statement',
  )
  const changed: { merchantId: string; machineId: string; isSent: boolean }[] = []
  for (const { id: merchantId } of merchants) {
    const { written, sent } = await doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
      await settle(db, at)
      const { rows: first } = await overtaken(db).execute(db.query)
      const { rows: others } = await reporting(db, at).execute(db.query)
      const ids = new Set([...first, ...others].map(({ id }) => id))
      return applyNoVend(db, merchantId, [...ids], orderedBy, at)
    })
    const machines = new Set([...written, ...sent])
    for (const machineId of machines) changed.push({ merchantId, machineId, isSent: sent.includes(machineId) })
  }
  return changed
}
