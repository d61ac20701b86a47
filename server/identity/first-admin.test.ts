import { expect, test } from 'vitest'
import { anIdentity } from '#testkit/identity.ts'
import { cheapHash } from '#testkit/passwords.ts'
import { inviteFirstAdmin } from './first-admin.ts'

const email = 'first@gettone.test'
const quiet = { info: () => undefined, error: () => undefined }

test('the first super admin is invited once, until the invitation expires or is accepted', async () => {
  const { database, invitations, accounts, mailCount } = await anIdentity()
  const start = () => inviteFirstAdmin({ email, doors: database, invitations, log: quiet })
  await Promise.all([start(), start()])
  await start()
  expect(await mailCount(email)).toBe(1)
  const [person, ...more] = await database.admin<{ id: string }>('select id, role, status from users')
  expect([person, ...more]).toEqual([{ id: person?.id, role: 'superAdmin', status: 'invited' }])
  await database.admin("update identity_links set expires_at = now() - interval '1 second'")
  await start()
  expect(await mailCount(email)).toBe(2)
  await accounts.givePassword(person?.id ?? '', cheapHash('Gettone-demo-1'), new Date())
  await database.admin("update identity_links set expires_at = now() - interval '1 second'")
  await start()
  expect(await mailCount(email)).toBe(2)
})

test('no second super admin is invited, and an address alone promotes no user', async () => {
  const { database, invitations, aUser, mailCount } = await anIdentity()
  await aUser({ role: 'merchantUser', email })
  const start = (to: string) => inviteFirstAdmin({ email: to, doors: database, invitations, log: quiet })
  await start(email)
  expect(await mailCount(email)).toBe(0)
  await aUser({ role: 'superAdmin' })
  await start('another@gettone.test')
  expect(await mailCount('another@gettone.test')).toBe(0)
  expect(await database.admin(`select role from users where email = $1`, [email])).toEqual([{ role: 'merchantUser' }])
})
