import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { spreadOf, turnOf } from '#domain/audits/audit-schedule.ts'
import { insertRemoteCommands } from '../commands/remote-command.ts'
import type { Doors } from '../frame/tenant.ts'

const readAudit = remoteCommandTypes.readAudit

/** Machines of a merchant per pass; a pass runs every minute. */
const machinesPerPass = 200

/** The name under which scheduled commands are stored. */
const orderedBy = 'Gettone'

/**
 * Requests audits at their merchant's frequency, in periods of the merchant's local time. Each machine has its own minute in the period.
 * Machines that were read or requested in the period are skipped; offline machines are requested when they are back, while the period
 * lasts. Returns the machines by merchant.
 */
export async function scheduleAudits(doors: Doors, at: Date): Promise<{ merchantId: string; machineId: string }[]> {
  const merchants = await doors.withSystem(
    'audit intervals',
    (db) =>
      db
        .selectFrom('merchants')
        .innerJoin('merchant_settings', 'merchant_settings.merchant_id', 'merchants.id')
        .where('merchant_settings.scheduled_audit_minutes', '>', 0)
        .select(['merchants.id', 'merchants.time_zone as zone', 'merchant_settings.scheduled_audit_minutes as every'])
        .orderBy('merchants.id')
        .execute(),
    'single statement',
  )
  const requested: { merchantId: string; machineId: string }[] = []
  for (const merchant of merchants) requested.push(...(await requestAudits(doors, merchant, at)))
  return requested
}

async function requestAudits(doors: Doors, merchant: { id: string; zone: string; every: number }, at: Date) {
  const { id: merchantId, zone, every } = merchant
  const turn = turnOf(at.getTime(), zone, every)
  const began = new Date(turn)
  const minutesIn = Math.floor((at.getTime() - turn) / 60_000)
  const expiresAt = new Date(at.getTime() + Math.min(every * 60, commandLifetime.defaultSeconds) * 1000)
  return doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const machines = await db
      .from('machines')
      .where('merchant_id', '=', merchantId)
      .where('hidden', '=', false)
      .where('connection', '=', connections.online)
      .where(sql<boolean>`(last_audit_at is null or last_audit_at < ${began})`)
      .where(sql<boolean>`mod(hashtext(id::text)::bigint + 2147483648, ${spreadOf(every)}::int) <= ${minutesIn}::int`)
      .where(
        sql<boolean>`not exists (select 1 from remote_commands requested where ${db.own('requested')} and requested.merchant_id = machines.merchant_id
          and requested.machine_id = machines.id and requested.type = ${readAudit} and requested.created_at >= ${began})`,
      )
      .select('id')
      .orderBy('id')
      .limit(machinesPerPass)
      .execute()
    if (machines.length === 0) return []
    const orderId = randomUUIDv7()
    const commands = machines.map(({ id }) => ({
      merchant_id: merchantId,
      id: randomUUIDv7(),
      order_id: orderId,
      machine_id: id,
      type: readAudit,
      parameters: '{}',
      created_at: at,
      created_by: null,
      created_by_name: orderedBy,
      not_before: at,
      expires_at: expiresAt,
    }))
    const stored = await insertRemoteCommands(db, commands)
    return commands.filter(({ id }) => stored.has(id)).map((command) => ({ merchantId, machineId: command.machine_id }))
  })
}
