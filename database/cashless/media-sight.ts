import { insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { registerMedia, type SeenMedia } from './media.ts'

/** So many media are remembered in a process; the oldest are forgotten, and found again in the database. Media are never deleted. */
const mostKnown = 50_000
const notedSerials = new Map<string, string>()

const keyOf = (merchantId: string, serial: string) => `${merchantId} ${serial}`

function remember(merchantId: string, ids: ReadonlyMap<string, string>): void {
  for (const [serial, id] of ids) notedSerials.set(keyOf(merchantId, serial), id)
  for (const oldest of notedSerials.keys()) {
    if (notedSerials.size <= mostKnown) return
    notedSerials.delete(oldest)
  }
}

/** The ids of media that machines see, by serial; media seen for the first time are registered. Known media cost no statement. */
export async function noteMedia(
  db: TenantDb,
  merchantId: string,
  medias: readonly SeenMedia[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const fresh: SeenMedia[] = []
  for (const one of medias) {
    const id = notedSerials.get(keyOf(merchantId, one.serial))
    if (id) ids.set(one.serial, id)
    else fresh.push(one)
  }
  if (fresh.length === 0) return ids
  const registered = await registerMedia(db, merchantId, fresh)
  db.afterCommit(() => remember(merchantId, registered))
  return new Map([...ids, ...registered])
}

/** A use of a registered medium, with what its key has afterwards. */
export interface MediaUse {
  merchantId: string
  mediaId: string
  serial: string
  type: number
  posId: string
  at: number
  key: { credit: number; counter: number } | null
}

/** Notes last uses and the newest key credit of media in one statement, whatever the order in which uses arrive. */
export async function noteUses(db: TenantDb, uses: readonly MediaUse[]): Promise<void> {
  // All transactions lock rows in this order, which avoids deadlocks.
  const media = [...Map.groupBy(uses, ({ mediaId }) => mediaId)].sort(([one], [other]) => (one < other ? -1 : 1))
  if (media.length === 0) return
  const rows = media.map(([, [first, ...others]]) => {
    let last = first as MediaUse
    let read = first as MediaUse
    for (const use of others) {
      if (use.at > last.at) last = use
      if ((use.key?.counter ?? -1) > (read.key?.counter ?? -1)) read = use
    }
    return { ...last, read }
  })
  const iso = (at: number) => new Date(at).toISOString()
  await insertColumns(db.query, {
    table: 'medias',
    columns: [
      { name: 'merchant_id', type: 'uuid', values: rows.map(({ merchantId }) => merchantId) },
      { name: 'id', type: 'uuid', values: rows.map(({ mediaId }) => mediaId) },
      { name: 'serial', type: 'text', values: rows.map(({ serial }) => serial) },
      { name: 'type', type: 'smallint', values: rows.map(({ type }) => type) },
      { name: 'origin_type', type: 'text', value: 'machine' },
      { name: 'registered_at', type: 'timestamptz', values: rows.map(({ at }) => iso(at)) },
      { name: 'last_used_at', type: 'timestamptz', values: rows.map(({ at }) => iso(at)) },
      { name: 'last_pos_id', type: 'uuid', values: rows.map(({ posId }) => posId) },
      { name: 'key_credit', type: 'bigint', values: rows.map(({ read }) => read.key?.credit) },
      { name: 'key_counter', type: 'bigint', values: rows.map(({ read }) => read.key?.counter) },
      { name: 'key_read_at', type: 'timestamptz', values: rows.map(({ read }) => (read.key ? iso(read.at) : null)) },
    ],
    tail: `on conflict (merchant_id, id) do update set
      last_used_at = greatest(medias.last_used_at, excluded.last_used_at),
      last_pos_id = case when medias.last_used_at > excluded.last_used_at then medias.last_pos_id else excluded.last_pos_id end,
      ${['key_credit', 'key_counter', 'key_read_at'].map((column) => `${column} = case when excluded.key_counter >= coalesce(medias.key_counter, -1) then excluded.${column} else medias.${column} end`).join(', ')}`,
  })
}
