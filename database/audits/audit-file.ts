import { sql } from 'kysely'
import { among } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The machines of a merchant within the scope that have some serials, in capitals, or some ids. */
export const machinesOfFiles = (
  db: TenantDb,
  merchantId: string,
  { serials, ids }: { serials: readonly string[]; ids: readonly string[] },
) =>
  db
    .from('machines')
    .where('machines.merchant_id', '=', merchantId)
    .where(({ or }) =>
      or([sql<boolean>`upper(machines.serial) = any(${[...serials]}::text[])`, among('machines.id', ids, 'uuid')]),
    )
    .select(['machines.id', 'machines.serial', 'machines.name'])
    .execute()

/** What names in files mean; null: the name of two machines. */
export async function chosenNames(
  db: TenantDb,
  merchantId: string,
  names: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ name: string; machine_id: string | null }>`
    select name, machine_id from audit_file_names
    where merchant_id = ${merchantId} and name = any(${[...names]}::text[])`.execute(db.query)
  return new Map(rows.map(({ name, machine_id }) => [name, machine_id]))
}

/** Stores what names mean from now on. A name that another machine has already names none of the two. */
export async function storeNames(db: TenantDb, merchantId: string, names: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, machineId] of [...names].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await sql`insert into audit_file_names (merchant_id, name, machine_id) values (${merchantId}, ${name}, ${machineId})
      on conflict (merchant_id, name) do update set machine_id =
        case when audit_file_names.machine_id = excluded.machine_id then excluded.machine_id end`.execute(db.query)
}

/** Audits that are stored already, as `machine sha256`. */
export async function storedFiles(
  db: TenantDb,
  merchantId: string,
  files: readonly { machineId: string; sha256: Buffer }[],
): Promise<Set<string>> {
  if (files.length === 0) return new Set()
  const machineIds = [...new Set(files.map(({ machineId }) => machineId))]
  const rows = await db
    .from('audits')
    .where('audits.merchant_id', '=', merchantId)
    .where(among('audits.machine_id', machineIds, 'uuid'))
    .where(
      'audits.sha256',
      'in',
      files.map(({ sha256 }) => sha256),
    )
    .select(['audits.machine_id', 'audits.sha256'])
    .execute()
  return new Set(rows.map(({ machine_id, sha256 }) => fileKey(machine_id, sha256)))
}

export const fileKey = (machineId: string, sha256: Buffer) => `${machineId} ${sha256.toString('hex')}`
