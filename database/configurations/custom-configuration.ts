import { sql } from 'kysely'
import type { Parameters } from '#contract/vocabulary/configuration.ts'
import { lastlyBy } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The target configuration of one machine, and the command that sent it last. */
export interface CustomConfiguration {
  parameters: Parameters
  /** 0 before the first save. */
  version: number
  editedAt: Date | null
  editedBy: string | null
  editedById: string | null
  commandId: string | null
  sentVersion: number | null
}

const nothing: CustomConfiguration = {
  parameters: {},
  version: 0,
  editedAt: null,
  editedBy: null,
  editedById: null,
  commandId: null,
  sentVersion: null,
}

/** The target configuration; locked until the transaction ends if it is to be changed. */
export async function customConfiguration(
  db: TenantDb,
  machineId: string,
  access: 'read' | 'hold' = 'read',
): Promise<CustomConfiguration> {
  // Without a row to lock, the machine is locked instead.
  if (access === 'hold')
    await db.from('machines').where('id', '=', machineId).select('id').forNoKeyUpdate('machines').execute()
  const subject = {
    merchantId: sql`custom_configurations.merchant_id`,
    subjectId: sql`custom_configurations.machine_id`,
  }
  const row = await db
    .from('custom_configurations')
    .where('machine_id', '=', machineId)
    .selectAll()
    .select(lastlyBy(db, 'customConfiguration.update', 'customConfiguration', subject).as('edited_by'))
    .executeTakeFirst()
  return row
    ? {
        parameters: row.parameters as Parameters,
        version: row.version,
        editedAt: row.edited_at,
        editedBy: row.edited_by_name,
        editedById: row.edited_by,
        commandId: row.command_id,
        sentVersion: row.sent_version,
      }
    : nothing
}

/** Stores the target configuration under the next version. */
export async function saveCustomConfiguration(
  db: TenantDb,
  machine: { merchantId: string; id: string },
  edit: { parameters: Parameters; version: number; at: Date; by: string },
): Promise<void> {
  const columns = {
    parameters: JSON.stringify(edit.parameters),
    version: edit.version,
    edited_at: edit.at,
    edited_by_name: edit.by,
  }
  await db.query
    .insertInto('custom_configurations')
    .values({ merchant_id: machine.merchantId, machine_id: machine.id, ...columns })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'machine_id']).doUpdateSet(columns))
    .execute()
}

/** Stores which command sends which version. */
export async function noteSent(
  db: TenantDb,
  machine: { merchantId: string; id: string },
  sent: { commandId: string; version: number },
): Promise<void> {
  await db.query
    .updateTable('custom_configurations')
    .set({
      command_id: sent.commandId,
      sent_version: sent.version,
      // The part of the no-vend profile is sent as well.
      no_vend_command_id: sql<string | null>`case when no_vend_due is not null or no_vend_command_id is not null
        then ${sent.commandId}::uuid end`,
      no_vend_due: null,
    })
    .where('merchant_id', '=', machine.merchantId)
    .where('machine_id', '=', machine.id)
    .execute()
}
