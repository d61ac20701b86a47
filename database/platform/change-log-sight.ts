import { type RawBuilder, sql } from 'kysely'
import type { changeSubjects } from '#contract/vocabulary/change.ts'
import { type RecordNoun, recordNouns } from '#contract/vocabulary/change.ts'

/** By what an entry of the log is in sight of who looks at some groups: its machine, its group, or its merchant as a whole (most records). */
const sightOf = {
  ...(Object.fromEntries(recordNouns.map((noun) => [noun, 'merchant'])) as Record<RecordNoun, 'merchant'>),
  machine: 'machine',
  customConfiguration: 'machine',
  alarm: 'machine',
  remoteCommand: 'machine',
  note: 'machine',
  group: 'group',
  user: 'person',
  alarmSetting: 'merchant',
  merchantSettings: 'merchant',
  apiToken: 'merchant',
  merchant: 'merchant',
  superAdminSettings: 'merchant',
  view: 'merchant',
  // These stand in the provider's log alone.
  troubleshootingText: 'merchant',
  sensorThreshold: 'merchant',
  deadLetter: 'merchant',
} as const satisfies Record<(typeof changeSubjects)[number], 'machine' | 'group' | 'person' | 'merchant'>

const wholeSubjects = Object.entries(sightOf).flatMap(([subject, by]) => (by === 'merchant' ? [subject] : []))

/**
 * The condition that an entry `alias` of the log tells only of some groups of its merchant, or of what is the merchant's as a whole. A
 * machine counts by the group it is in now, with all that was done to it; a person by the groups that the entry itself tells.
 */
export function changeWithin(alias: string, merchantId: string, groups: readonly string[]): RawBuilder<boolean> {
  const [type, subject, before, after] = (['subject_type', 'subject_id', 'before', 'after'] as const).map((column) =>
    sql.ref(`${alias}.${column}`),
  )
  const seen = JSON.stringify(groups)
  const tellsOnly = (facts: typeof before) => sql`(${facts} is null
    or coalesce(${facts} -> 'groups' <@ ${seen}::jsonb and ${facts} -> 'groups' <> '[]', false))`
  // Alarms that are repaired together are told without their machine.
  const machine = sql`case
    when ${type} in ('machine', 'customConfiguration') then ${subject}
    when ${type} in ('remoteCommand', 'note', 'alarm') then coalesce(${after} ->> 'posId', ${before} ->> 'posId',
      case when ${type} = 'alarm' then (select a.machine_id::text from alarms a
        where a.merchant_id = ${merchantId}::uuid and a.id = ${subject}::uuid) end)
    end`
  return sql<boolean>`(${type} = any(${wholeSubjects}::text[])
    or ${type} = 'group' and ${subject} = any(${groups}::text[])
    or ${type} = 'user' and ${tellsOnly(before)} and ${tellsOnly(after)}
    or ${machine} in (select id::text from machines
      where merchant_id = ${merchantId}::uuid and group_id = any(${groups}::uuid[])))`
}
