import { sql } from 'kysely'
import type { Hello } from '#contract/device-protocol.ts'
import { mostVersions } from '#contract/updates/running-version.ts'
import type { UpdateKind } from '#contract/vocabulary/update.ts'
import { anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'

interface OfMachine {
  merchantId: string
  id: string
}

/** Stores the versions that a machine reports. `since` changes with the version only; parts it does not name keep theirs. */
export async function writeVersions(
  db: TenantDb,
  machine: OfMachine,
  { firmwareVersion, versions = [] }: Pick<Hello, 'firmwareVersion' | 'versions'>,
  now: Date,
): Promise<void> {
  const reported = new Map<string, { kind: UpdateKind; peripheral: string; version: string }>()
  const add = (kind: UpdateKind, peripheral: string, version: string) =>
    reported.set(`${kind} ${peripheral}`, { kind, peripheral, version })
  if (firmwareVersion) add('firmware', '', firmwareVersion)
  for (const { kind, peripheral = '', version } of versions) add(kind, peripheral, version)
  if (reported.size === 0) return
  await db.query
    .insertInto('machine_versions')
    .values(
      [...reported.values()].map((one) => ({
        ...one,
        merchant_id: machine.merchantId,
        machine_id: machine.id,
        since: now,
        reported_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'machine_id', 'kind', 'peripheral']).doUpdateSet({
        version: sql`excluded.version`,
        reported_at: sql`excluded.reported_at`,
        since: sql`case when machine_versions.version = excluded.version then machine_versions.since else excluded.since end`,
      }),
    )
    .execute()
}

/** Counts machines of the scope by the version that they report of one part. */
export async function countVersions(
  db: TenantDb,
  part: {
    kind: UpdateKind
    peripheral?: string | undefined
    deviceTypes?: readonly string[] | undefined
    groupIds?: readonly string[] | undefined
  },
): Promise<{ items: { version: string; machines: number }[]; unknown: number }> {
  const rows = await db
    .from('machines')
    .leftJoin('machine_versions as v', (join) =>
      join
        .onRef('v.merchant_id', '=', 'machines.merchant_id')
        .onRef('v.machine_id', '=', 'machines.id')
        .on('v.kind', '=', part.kind)
        .on('v.peripheral', '=', part.peripheral ?? ''),
    )
    .where('machines.hidden', '=', false)
    .where(anyOf('machines.device_type', part.deviceTypes, 'text'))
    .where(anyOf('machines.group_id', part.groupIds, 'uuid'))
    .groupBy('v.version')
    .select(['v.version', sql<number>`count(*)::int`.as('machines')])
    .orderBy(sql`count(*) desc, v.version`)
    .limit(mostVersions + 1)
    .execute()
  const items = rows.flatMap(({ version, machines }) => (version === null ? [] : { version, machines }))
  return {
    items: items.slice(0, mostVersions),
    unknown: rows.find(({ version }) => version === null)?.machines ?? 0,
  }
}
