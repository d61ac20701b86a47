import { type RawBuilder, sql } from 'kysely'
import type { changeSubjects } from '#contract/vocabulary/change.ts'
import { type RecordNoun, recordNouns } from '#contract/vocabulary/record-nouns.ts'
import { type IsOfMerchant, ruleWithin } from './rule-sight.ts'

/** The part of an entry that a reader with some groups must see: its machine, its group, its update rule, or its merchant as a whole (most records). */
const sightOf = {
  ...(Object.fromEntries(recordNouns.map((noun) => [noun, 'merchant'])) as Record<RecordNoun, 'merchant'>),
  firmwareRule: 'rule',
  cashDatabaseRule: 'rule',
  machine: 'machine',
  customConfiguration: 'machine',
  price: 'machine',
  pricePlan: 'merchant',
  cashFloats: 'machine',
  collection: 'machine',
  media: 'merchant',
  refund: 'merchant',
  claim: 'machine',
  productCode: 'merchant',
  alarm: 'machine',
  remoteCommand: 'machine',
  note: 'machine',
  visit: 'machine',
  group: 'group',
  user: 'user',
  alarmSetting: 'merchant',
  merchantSettings: 'merchant',
  apiToken: 'merchant',
  kiosk: 'merchant',
  merchant: 'merchant',
  superAdminSettings: 'merchant',
  screenFile: 'merchant',
  whitelistEntry: 'merchant',
  screenStorage: 'merchant',
  portalSettings: 'merchant',
  view: 'merchant',
  report: 'merchant',
  // Only in the platform audit log.
  troubleshootingText: 'merchant',
  blogPost: 'merchant',
  firmware: 'merchant',
  sensorThreshold: 'merchant',
  deadLetter: 'merchant',
  webPaymentService: 'merchant',
  webPaymentConfig: 'merchant',
  webPaymentOrder: 'merchant',
  dataRetrievalRequest: 'merchant',
  import: 'merchant',
} as const satisfies Record<(typeof changeSubjects)[number], 'machine' | 'group' | 'user' | 'rule' | 'merchant'>

const ruleSubjects = Object.entries(sightOf).flatMap(([subject, by]) => (by === 'rule' ? [subject] : []))
const wholeSubjects = Object.entries(sightOf).flatMap(([subject, by]) => (by === 'merchant' ? [subject] : []))

/**
 * The condition that an entry `alias` of the log is visible with these groups of its merchant. An entry of a machine belongs to the group
 * that the machine is in now; an entry of a user to the groups named in the entry.
 */
export function changeWithin(alias: string, isOf: IsOfMerchant, groups: readonly string[]): RawBuilder<boolean> {
  const [type, subject, before, after] = (['subject_type', 'subject_id', 'before', 'after'] as const).map((column) =>
    sql.ref(`${alias}.${column}`),
  )
  const visibleGroups = JSON.stringify(groups)
  const namesOnlySeen = (facts: typeof before) => sql`(${facts} is null
    or coalesce(${facts} -> 'groups' <@ ${visibleGroups}::jsonb and ${facts} -> 'groups' <> '[]', false))`
  // Alarms repaired together are logged without their machine.
  const machine = sql`case
    when ${type} in ('machine', 'customConfiguration', 'price', 'cashFloats') then ${subject}
    when ${type} in ('remoteCommand', 'note', 'visit', 'alarm', 'collection', 'claim') then coalesce(${after} ->> 'posId', ${before} ->> 'posId',
      case when ${type} = 'alarm' then (select a.machine_id::text from alarms a
        where ${isOf(sql.ref('a.merchant_id'))} and a.id = ${subject}::uuid) end)
    end`
  return sql<boolean>`(${type} = any(${wholeSubjects}::text[])
    or ${type} = 'group' and ${subject} = any(${groups}::text[])
    or ${type} = 'user' and ${namesOnlySeen(before)} and ${namesOnlySeen(after)}
    or ${type} = any(${ruleSubjects}::text[])
      and ${ruleWithin(sql`case when ${type} = any(${ruleSubjects}::text[]) then ${subject}::uuid end`, isOf, groups)}
    or ${machine} in (select id::text from machines
      where ${isOf(sql.ref('machines.merchant_id'))} and group_id = any(${groups}::uuid[])))`
}
