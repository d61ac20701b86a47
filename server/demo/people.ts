import type pg from 'pg'
import { roles } from '#contract/vocabulary/roles.ts'
import type { Doors } from '#database/tenant.ts'
import { openAccounts } from '../identity/accounts.ts'
import type { DemoAccount } from '../identity/pages.ts'
import { demoMerchants } from './merchants.ts'

const [superAdmin, merchantAdmin, groupAdmin, merchantUser] = roles
const [aurora, , praha] = demoMerchants

/** Which of its merchants' groups somebody sees; all of them where nothing is said. */
type Reach = { merchantId: string; groups?: readonly string[] }

const whole = (merchant: { id: string } | undefined): Reach[] => (merchant ? [{ merchantId: merchant.id }] : [])

/** The demo's people. A super admin sees every merchant without being assigned one. */
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
] satisfies { id: string; name: string; account: string; role: (typeof roles)[number]; reach: Reach[] }[]

const emailOf = (account: string) => `${account}@gettone.test`

/** What the sign-in page offers. */
export const demoAccounts: readonly DemoAccount[] = demoPeople.map(({ account, role }) => ({
  email: emailOf(account),
  password: 'Gettone-demo-1',
  role,
}))

/** Stores the people and what they may see. `groupIds` finds a group by merchant and name. */
export async function insertPeople(
  client: pg.Client,
  groupIds: ReadonlyMap<string, string>,
  createdAt: Date,
): Promise<void> {
  for (const { id, name, account, role, reach } of demoPeople) {
    await client.query(
      `insert into users (id, email, name, role, status, created_at, receive_notifications)
       values ($1, $2, $3, $4, 'active', $5, $6)`,
      [id, emailOf(account), name, role, createdAt, role === merchantAdmin || role === groupAdmin],
    )
    for (const { merchantId, groups } of reach as Reach[]) {
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

/** Gives every person of the demo the public password, where none has been given yet; one that was changed stays. */
export async function givePasswords({ withSystem }: Doors, now: Date): Promise<void> {
  const accounts = openAccounts({ withSystem })
  const known = await withSystem('demo data', (db) =>
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
  const hasOne = new Set(known.map((row) => row.user_id))
  for (const [index, { id }] of demoPeople.entries()) {
    const password = demoAccounts[index]?.password
    if (password && !hasOne.has(id)) await accounts.givePassword(id, password, now)
  }
}
