import { type RawBuilder, sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import type { Closing } from '#contract/people/user.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { SecondFactorRule } from '#domain/people/second-factor.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { Doors, Scope } from '../frame/tenant.ts'

/** The user behind a request: role, assigned merchants and groups, from the database. */
export interface PrincipalRecord {
  id: string
  version: number
  email: string
  name: string
  role: Role
  language: string | null
  allowLicensing: boolean
  status: 'invited' | 'active' | 'suspended'
  /** Tokens issued before are refused. */
  sessionsValidFrom: Date | null
  /** Whether the given session is open; true without a session. */
  isSessionOpen: boolean
  assigned: Scope
  /** Assigned merchants that only the provider sees, with the reason. */
  closed: { merchantId: string; code: Closing }[]
  everyMerchant: string[]
  /** Merchants of the user that count blind. */
  countedBlind: string[]
  /** Rules of assigned merchants on second factors. */
  secondFactorRules: (SecondFactorRule & { merchantId: string })[]
}

/** As JSON brings it: `since` in milliseconds since 1970. */
interface RuleRow {
  merchantId: string
  roles: string[]
  since: number | null
}
type PrincipalRow = Omit<PrincipalRecord, 'secondFactorRules'> & { secondFactorRules: RuleRow[] }
const ruleOf = ({ since, ...rule }: RuleRow) => ({ ...rule, since: since === null ? null : new Date(since) })

type SystemDoor = Pick<Doors, 'withSystem'>

/** The user of an identity, in one statement; users are identified by issuer and subject, never by their e-mail address alone. */
export const findPrincipal = (doors: SystemDoor, issuer: string, subject: string, sessionId?: string) =>
  principalWhere(doors, sql<boolean>`u.issuer = ${issuer} and u.subject = ${subject}`, sessionId)

/** The same for a known user id. */
export const findPrincipalById = (doors: SystemDoor, id: string) =>
  principalWhere(doors, sql<boolean>`u.id = ${id}::uuid`)

async function principalWhere(
  doors: SystemDoor,
  isMeant: RawBuilder<boolean>,
  sessionId: string | null = null,
): Promise<PrincipalRecord | undefined> {
  return doors.withSystem(
    'resolve principal',
    async (db) => {
      const [user] = await preparedRows(
        db,
        sql<PrincipalRow>`
        select u.id, u.version, u.email, u.name, u.role, u.language, u.status,
          u.allow_licensing as "allowLicensing",
          u.sessions_valid_from as "sessionsValidFrom",
          (${sessionId}::uuid is null or exists (select 1 from identity_sessions o
            where o.id = ${sessionId}::uuid and o.user_id = u.id)) as "isSessionOpen",
          coalesce((select json_agg(json_build_object('merchantId', a.merchant_id, 'groups',
              case when a.all_groups then to_json('all'::text) else coalesce((select json_agg(g.group_id) from user_groups g
                where g.user_id = a.user_id and g.merchant_id = a.merchant_id), '[]'::json) end))
            from user_merchants a where a.user_id = u.id), '[]'::json) as assigned,
          coalesce((select json_agg(json_build_object('merchantId', m.id, 'code', why.code))
            from user_merchants a join merchants m on m.id = a.merchant_id,
              lateral (select case when demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone) then 'DemoExpired'
                when not m.web_portal then 'WebPortalNotIncluded' end as code) why
            where a.user_id = u.id and why.code is not null), '[]'::json) as closed,
          coalesce((select json_agg(json_build_object('merchantId', m.id, 'roles', m.second_factor_roles,
              'since', extract(epoch from m.second_factor_since) * 1000))
            from user_merchants a join merchants m on m.id = a.merchant_id
            where a.user_id = u.id and m.second_factor_roles <> '{}'), '[]'::json) as "secondFactorRules",
          array(select id::text from merchants where u.role = any(${rolesThatMay('merchant.readAll')}::text[])) as "everyMerchant",
          array(select m.id::text from merchants m where m.counts_blind and (u.role = any(${rolesThatMay('merchant.readAll')}::text[])
            or exists (select 1 from user_merchants a where a.user_id = u.id and a.merchant_id = m.id))) as "countedBlind"
        from users u where ${isMeant}`,
      )
      return user && { ...user, secondFactorRules: user.secondFactorRules.map(ruleOf) }
    },
    'single statement',
  )
}
