import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { openLog } from './open-log.ts'

test('an error of the database is logged with its constraint, and without the row that it quotes', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  const { email } = await aUser(database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const again = database.admin(
    `insert into users (id, email, name, role, status, created_at) values (gen_random_uuid(), $1, 'Anna', 'merchantUser', 'active', now())`,
    [email],
  )
  const error = await again.then(
    () => undefined,
    (refusal: { constraint?: string; detail?: string }) => refusal,
  )
  expect(error?.detail).toContain(email)
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => lines.push(line) })
  log.error({ err: error }, 'one')
  log.child({ caller: 'x' }).warn({ error }, 'two')
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toContain(String(error?.constraint))
    expect(line).not.toContain(email)
  }
})
