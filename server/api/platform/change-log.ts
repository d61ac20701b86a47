import { ProductError } from '#contract/errors.ts'
import { ChangeLogEntry, type changeLog } from '#contract/platform/change-log.ts'
import type { Doors } from '#database/frame/tenant.ts'
import {
  type ChangeRecord,
  changeChoices,
  findChange,
  listChanges,
  namesOf,
  namesOfUsers,
} from '#database/platform/change-log-list.ts'
import type { Handlers } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
type Facts = NonNullable<ChangeLogEntry['before']>

/** A list of names and values, such as a machine's configuration. */
const isNamed = (stored: unknown): stored is { name: string; value: Facts[string] }[] =>
  Array.isArray(stored) && stored.every((one) => typeof one?.name === 'string' && 'value' in one)

/** A record by its fields; any other value becomes a single field. */
export function factsOf(stored: unknown): Facts | null {
  if (stored === null || stored === undefined) return null
  if (isNamed(stored)) return Object.fromEntries(stored.map(({ name, value }) => [name, value]))
  return (typeof stored === 'object' && !Array.isArray(stored) ? stored : { value: stored }) as Facts
}

const present = (row: ChangeRecord, names: ReadonlyMap<string, string>): ChangeLogEntry =>
  wireOf(ChangeLogEntry, row, {
    userId: row.user_name === null ? null : row.user_id,
    subjectName: row.subject_type === 'user' ? (names.get(row.subject_id) ?? null) : row.subject_name,
    before: factsOf(row.before),
    after: factsOf(row.after),
  })

async function presentAll(doors: Doors, rows: readonly ChangeRecord[]): Promise<ChangeLogEntry[]> {
  const people = rows.filter((row) => row.subject_type === 'user' && uuid.test(row.subject_id))
  const names = await namesOfUsers(doors, [...new Set(people.map((row) => row.subject_id))])
  return rows.map((row) => present(row, names))
}

/** Maximum ids of one change that are looked up: slightly more than the machines that one save moves. */
const mostNamed = 2_000

/** The ids anywhere in the old and new values. */
function idsIn(value: unknown): string[] {
  const ids = new Set<string>()
  const walk = (one: unknown): void => {
    if (typeof one === 'string' && uuid.test(one)) ids.add(one)
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) walk(inner)
  }
  walk(value)
  return [...ids].slice(0, mostNamed)
}

/** The change log. */
export const changeLogHandlers: Handlers<typeof changeLog> = {
  listChangeLog: async ({ db, doors, query, user }) => {
    refuseReversed(query)
    const { rows, ...page } = await listChanges(db, query, query, seesInvisible(user))
    return { ...page, items: await presentAll(doors, rows) }
  },

  getChange: async ({ db, doors, params, user }) => {
    const row = await findChange(db, params.changeId, seesInvisible(user))
    const [change] = row ? await presentAll(doors, [row]) : []
    if (!change) throw new ProductError('NotFound')
    const names = await namesOf(db, change.merchantId, idsIn([change.before, change.after]))
    return { ...change, names: Object.fromEntries(names) }
  },

  getChangeLogChoices: ({ db, user }) => changeChoices(db, seesInvisible(user)),
}
