import { clientOrds } from '#contract/merchants/client.ts'
import { userOrds } from '#contract/people/user-edit.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { install } from './installation.ts'
import { atMostTimes, compare, type Finding, type Measurement } from './measure.ts'

const [many = '', few = ''] = demoMerchants.map(({ id }) => id)
const calls = 100
const rows = { many: 100_000, few: 100 }

/**
 * Additional rows of each kind for a merchant. The searched texts occur in ten of a hundred thousand, and in ten of a
 * hundred.
 */
const made = (merchantId: string, count: number) => {
  const word = `case when n % (${count} / 10) = 0 then 'Wanted' else 'Row' end`
  return [
    `with people as (
      insert into users (id, email, name, role, status, created_at)
      select gen_random_uuid(), 'row' || n || '.${count}@lists.test', ${word} || ' ' || md5(n::text), 'merchantUser', 'active',
        now() - n * interval '1 second' from generate_series(1, ${count}) n returning id)
    insert into user_merchants (user_id, merchant_id, all_groups) select id, '${merchantId}', true from people`,
    `insert into groups (merchant_id, id, name, created_at)
      select '${merchantId}', gen_random_uuid(), ${word} || ' ' || md5(n::text), now() from generate_series(1, ${count}) n`,
    `insert into clients (merchant_id, id, code, name, country, created_at)
      select '${merchantId}', gen_random_uuid(), 'B' || n, ${word} || ' ' || md5(n::text), 'IT', now()
      from generate_series(1, ${count}) n`,
  ]
}

const lists = [
  { name: 'users', path: '/users', ords: userOrds },
  { name: 'groups', path: '/groups/paged', ords: [] },
  { name: 'clients', path: '/clients', ords: clientOrds },
]

export const manyRows: Measurement = {
  title: 'Lists and searches of a hundred thousand against a hundred',
  about: `The first 20 users, groups and clients of a merchant with 100,000 of each, in every order and by a search, over HTTP, alternately with
    those of a merchant with 100. Users of all merchants are compared with users of the merchant with 100.`,
  async run({ say }) {
    const installation = await install(say, { historyDays: 2, machines: 20, transactions: 1_000 })
    await installation.asOwner(async (db) => {
      for (const statement of [...made(many, rows.many), ...made(few, rows.few)]) await db.query(statement)
      await db.query('vacuum analyze users, user_merchants, groups, clients')
    })
    const server = await installation.serve()
    const client = await server.signIn('superAdmin')
    const request = (path: string, query: string) => async () => {
      const { items } = await client.json<{ items: unknown[] }>(`${path}?size=20${query}`)
      if (items.length < 10) throw new Error(`${path} was answered by ${items.length} rows`)
    }
    try {
      const findings: Finding[] = []
      const held = async (what: string, query: string, against: string, path: string) => {
        const over = await compare(
          { name: 'many', once: request(path, query) },
          { name: 'few', once: request(against, query) },
          calls,
        )
        findings.push(atMostTimes(what, over, 2, 'of 100'))
      }
      for (const { name, path, ords } of lists) {
        const of = [`/merchants/${few}${path}`, `/merchants/${many}${path}`] as const
        await held(`20 ${name} of 100,000`, '', ...of)
        await held(`${name} found among 100,000`, '&search=wanted', ...of)
        for (const ord of ords) await held(`20 ${name} of 100,000 by ${ord}`, `&ord=${ord}&ordType=DESC`, ...of)
      }
      const ofAll = [`/merchants/${few}/users`, '/users'] as const
      await held('20 users of all merchants', '', ...ofAll)
      await held('users found in all merchants', '&search=wanted', ...ofAll)
      for (const ord of userOrds)
        await held(`20 users of all merchants by ${ord}`, `&ord=${ord}&ordType=DESC`, ...ofAll)
      return findings
    } finally {
      client.close()
      await server.stop()
      await installation.stop()
    }
  },
}
