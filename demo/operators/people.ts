import type pg from 'pg'
import { type Permission, roleMay } from '#contract/access.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { openAccounts } from '#server/identity/accounts.ts'
import type { DemoAccount } from '#server/identity/pages.ts'
import { hashPassword } from '#server/identity/password.ts'
import { demoMerchants } from './merchants.ts'

const [superAdmin, merchantAdmin, groupAdmin, merchantUser] = roles
const [aurora, sol, praha] = demoMerchants

/** The groups that a user sees at a merchant; all groups if undefined. */
type Reach = { merchantId: string; groups?: readonly string[] }

type Person = { id: string; name: string; role: (typeof roles)[number]; reach: Reach[] }

const whole = (merchant: { id: string } | undefined): Reach[] => (merchant ? [{ merchantId: merchant.id }] : [])

/** The users on the sign-in page. A super admin sees every merchant without an assignment. */
export const demoPeople = [
  {
    id: '018e0a3c-5c00-7b10-8000-00000000b001',
    name: 'Sara Conti',
    account: 'superadmin',
    role: superAdmin,
    reach: [],
  },
  {
    id: '018e0a3c-5c00-7b10-8000-00000000b002',
    name: 'Marco Bellini',
    account: 'merchantadmin',
    role: merchantAdmin,
    reach: [...whole(aurora), ...whole(praha)],
  },
  {
    id: '018e0a3c-5c00-7b10-8000-00000000b003',
    name: 'Giulia Ferri',
    account: 'groupadmin',
    role: groupAdmin,
    reach: whole(aurora).map((one) => ({ ...one, groups: ['Lombardia', 'Lazio'] })),
  },
  {
    id: '018e0a3c-5c00-7b10-8000-00000000b004',
    name: 'Luca Moretti',
    account: 'merchantuser',
    role: merchantUser,
    reach: whole(aurora),
  },
] satisfies (Person & { account: string })[]

const emailOf = (account: string) => `${account}@gettone.test`

const aColleague = (number: number, name: string, email: string, role: Person['role'], reach: Reach[]) => ({
  id: `018e0a3c-5c00-7b10-8000-00000000b1${String(number).padStart(2, '0')}`,
  name,
  email,
  role,
  reach,
})

/** Colleagues who write notes, repair alarms and send commands. They have no password and cannot sign in. */
const colleagues: (Person & { email: string })[] = [
  aColleague(1, 'Davide Russo', 'davide.russo@aurora.test', merchantUser, whole(aurora)),
  aColleague(2, 'Chiara Greco', 'chiara.greco@aurora.test', merchantAdmin, whole(aurora)),
  aColleague(3, 'Valeria Ortiz', 'valeria.ortiz@sol.test', merchantAdmin, whole(sol)),
  aColleague(4, 'Iván Salgado', 'ivan.salgado@sol.test', merchantUser, whole(sol)),
  aColleague(5, 'Renata Cruz', 'renata.cruz@sol.test', merchantUser, whole(sol)),
  aColleague(6, 'Jan Dvořák', 'jan.dvorak@praha.test', merchantAdmin, whole(praha)),
  aColleague(7, 'Tereza Nováková', 'tereza.novakova@praha.test', merchantUser, whole(praha)),
  aColleague(8, 'Petr Horák', 'petr.horak@praha.test', merchantUser, whole(praha)),
]

const everybody: readonly (Person & { email: string })[] = [
  ...demoPeople.map((person) => ({ ...person, email: emailOf(person.account) })),
  ...colleagues,
]

/** Users who may perform an action at a machine of a group, because they see it and have the permission. */
export const authorsAt = (
  { merchant, group }: { merchant: { id: string }; group: string },
  permission: Permission,
): { id: string; name: string }[] =>
  everybody.filter(
    ({ role, reach }) =>
      roleMay(role, permission) &&
      reach.some(({ merchantId, groups }) => merchantId === merchant.id && (groups?.includes(group) ?? true)),
  )

const publicPassword = 'Gettone-demo-1'

/** The accounts on the sign-in page. */
export const demoAccounts: readonly DemoAccount[] = demoPeople.map(({ account, role }) => ({
  email: emailOf(account),
  password: publicPassword,
  role,
}))

/** One hash for all, since all know the password: each takes half a second on a small machine. */
let publicHash: Promise<string> | undefined
const hashOfPublicPassword = () => {
  publicHash ??= hashPassword(publicPassword)
  return publicHash
}

/** Stores users and their scopes. `groupIds` finds a group by merchant and name. */
export async function insertPeople(
  client: pg.Client,
  groupIds: ReadonlyMap<string, string>,
  createdAt: Date,
): Promise<void> {
  for (const { id, name, email, role, reach } of everybody) {
    const isOffered = demoPeople.some((person) => person.id === id)
    await client.query(
      `insert into users (id, email, name, role, status, created_at, receive_notifications, allow_licensing)
       values ($1, $2, $3, $4, 'active', $5, $6, $7)`,
      [
        id,
        email,
        name,
        role,
        createdAt,
        isOffered && (role === merchantAdmin || role === groupAdmin),
        isOffered && roleMay(role, 'license.write'),
      ],
    )
    for (const { merchantId, groups } of reach) {
      await client.query('insert into user_merchants (user_id, merchant_id, all_groups) values ($1, $2, $3)', [
        id,
        merchantId,
        groups === undefined,
      ])
      for (const group of groups ?? []) {
        const groupId = groupIds.get(`${merchantId} ${group}`)
        if (!groupId) continue
        await client.query('insert into user_groups (user_id, merchant_id, group_id) values ($1, $2, $3)', [
          id,
          merchantId,
          groupId,
        ])
      }
    }
  }
}

/** Sets the public password for every demo user without one; changed passwords stay. */
export async function givePasswords({ withSystem }: Doors, now: Date): Promise<void> {
  const accounts = openAccounts({ withSystem })
  const existing = await withSystem('demo data', (db) =>
    db
      .selectFrom('identity_credentials')
      .select('user_id')
      .where(
        'user_id',
        'in',
        demoPeople.map(({ id }) => id),
      )
      .execute(),
  )
  const hasOne = new Set(existing.map((row) => row.user_id))
  for (const { id } of demoPeople)
    if (!hasOne.has(id)) await accounts.givePassword(id, await hashOfPublicPassword(), now)
}
