import { type RawBuilder, sql } from 'kysely'
import type { RolloutDirection } from '#contract/updates/rollout-kind.ts'
import type { RolloutState } from '#contract/updates/rollout-state.ts'
import { among, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { TenantDb } from '../frame/tenant.ts'

type RuleTable = 'firmware_rules' | 'cash_database_rules'

const ofRollout =
  <T>(table: RuleTable, what: RawBuilder<T>) =>
  (db: TenantDb) =>
    sql<T>`(select ${what} from rollouts r
    where r.merchant_id = ${sql.ref(`${table}.merchant_id`)} and r.id = ${sql.ref(`${table}.id`)} and ${db.own('r')})`

/** Machines of a rule's rollout; on the way back, machines that return. */
const counted = (table: RuleTable, condition: RawBuilder<unknown>) => (db: TenantDb) =>
  sql<number>`(select count(*)::int from rollout_machines rm
    join rollouts r on r.merchant_id = rm.merchant_id and r.id = rm.rollout_id and ${db.own('r')}
    where rm.merchant_id = ${sql.ref(`${table}.merchant_id`)} and rm.rollout_id = ${sql.ref(`${table}.id`)}
      and ${db.own('rm')} and (r.direction = 'forward' or rm.direction = 'back') and ${condition})`

const isBad = sql`rm.state in ('failed', 'silent', 'alarmed')`

const besideOf = (table: RuleTable) => ({
  release: ofRollout(table, sql<string>`r.release`),
  peripheral: ofRollout(table, sql<string | null>`r.peripheral`),
  device_types: ofRollout(table, sql<string[]>`r.device_types`),
  state: ofRollout(table, sql<RolloutState>`r.state`),
  direction: ofRollout(table, sql<RolloutDirection>`r.direction`),
  machines: counted(table, sql`rm.state not in ('current', 'left')`),
  confirmed: counted(table, sql`rm.state = 'confirmed'`),
  bad: counted(table, isBad),
})

const conditions = (
  table: RuleTable,
  db: TenantDb,
  { states, hasBad }: { states?: string[] | undefined; hasBad?: boolean | undefined },
) => {
  const id = sql.ref(`${table}.id`)
  const merchant = sql.ref(`${table}.merchant_id`)
  return [
    when(
      states,
      (some) => sql<boolean>`exists (select 1 from rollouts r where r.merchant_id = ${merchant} and r.id = ${id}
        and ${db.own('r')} and ${among('r.state', some, 'text')})`,
    ),
    when(
      hasBad,
      (
        expected,
      ) => sql<boolean>`exists (select 1 from rollout_machines rm where rm.merchant_id = ${merchant} and rm.rollout_id = ${id}
          and ${db.own('rm')} and ${isBad}) = ${expected}`,
    ),
  ]
}

const listed = <T extends RuleTable>(table: T) => ({
  table,
  where: (db: TenantDb, filters: Parameters<typeof conditions>[2]) => conditions(table, db, filters),
  beside: besideOf(table),
})

export const firmwareRuleList = recordList({ list: 'firmwareRules', ...listed('firmware_rules') })
export const cashDatabaseRuleList = recordList({ list: 'cashDatabaseRules', ...listed('cash_database_rules') })
