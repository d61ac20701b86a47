import { randomUUIDv7 } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { startServer } from '#server/start.ts'
import { aDatabase, systemAddressOf } from '#testkit/database.ts'
import { testSecretKey } from '#testkit/fixtures.ts'
import { anotherProvider } from '#testkit/servers/other-provider.ts'
import { openMail } from '../mail/mail.ts'
import { openInvitations } from './invitations.ts'

/* Invitations with an external identity provider, against a real second provider. */

const origin = 'http://portal.test:8080'
const claim = 'MILAN=GETTONEMERCHANTADMIN'

async function aServer() {
  const database = await aDatabase()
  const other = await anotherProvider(origin)
  const config = readConfig(
    { PORT: '0', PUBLIC_URL: origin, ...other.environment },
    { production: false, keptSecret: testSecretKey },
  )
  const log = pino({ level: 'silent' })
  const { app, stop } = await startServer({
    config,
    storage: {
      doors: database,
      adminUrl: database.adminUrl,
      systemAddress: systemAddressOf(database.adminUrl),
      config,
      applied: [],
      stop: async () => {},
    },
    roles: ['api'],
    log,
    withPortal: false,
  })
  onTestFinished(stop)
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const mail = openMail({ smtpUrl: undefined, from: config.MAIL_FROM, isMailboxShown: true, doors: database })
  const invitations = openInvitations({
    doors: database,
    mail,
    origin,
    defaultLanguage: undefined,
    isExternal: true,
    log,
  })
  const mailTo = async (email: string) => {
    const query = 'select subject, body_text as text from mailbox where recipient = $1 order by at desc, id desc'
    const [message] = await database.admin<{ subject: string; text: string }>(query, [email])
    return message ?? { subject: '', text: '' }
  }

  return {
    database,
    other,
    url,
    invitations,
    mailTo,
    /** A user who exists only in the database, and the token of their mailed link. */
    async anInvited({ language = null, role = 'merchantAdmin' }: { language?: string | null; role?: string } = {}) {
      const id = randomUUIDv7()
      const email = `${id}@gettone.test`
      await database.admin(
        `insert into users (id, email, name, role, language, status, created_at) values ($1, $2, 'Anna', $3, $4, 'invited', now())`,
        [id, email, role, language],
      )
      await invitations.send(id)
      return { id, email, token: /\/invitation#([\w-]+)/.exec((await mailTo(email)).text)?.[1] ?? '' }
    },
    /** The bearer token of a user with this name at the external provider. */
    async signedIn(name: string, role: string = claim) {
      other.claims.set(name, role)
      return other.signIn(name)
    },
    async accept(bearer: string | undefined, token: string) {
      const answer = await fetch(`${url}${apiPrefix}/users/me/invitation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
        body: JSON.stringify({ token }),
      })
      return { status: answer.status, code: answer.ok ? undefined : ((await answer.json()) as { code: string }).code }
    },
    async me(bearer: string) {
      const answer = await fetch(`${url}${apiPrefix}/users/me`, { headers: { authorization: `Bearer ${bearer}` } })
      return (await answer.json()) as { id?: string; role?: string; code?: string }
    },
    stateOf: async (id: string) =>
      (await database.admin<object>('select issuer, subject, status from users where id = $1', [id]))[0],
  }
}

test('the mailed link makes the account that accepts it the invited user, whatever its address', async () => {
  const { anInvited, signedIn, accept, me, stateOf, mailTo, other } = await aServer()
  const person = await anInvited({ language: 'it' })
  const { subject, text } = await mailTo(person.email)
  expect(subject).toBe('Il tuo invito a Gettone')
  expect(text).toContain('account aziendale')
  expect(text).toContain(`${origin}/invitation#`)
  const bearer = await signedIn('anna')
  expect(await me(bearer)).toMatchObject({ code: 'UnauthorizedUserException' })
  expect(await accept(bearer, person.token)).toEqual({ status: 204, code: undefined })
  expect(await me(bearer)).toMatchObject({ id: person.id, role: 'merchantAdmin' })
  expect(await stateOf(person.id)).toEqual({ issuer: other.issuer, subject: 'anna', status: 'active' })
})

test('a link works once, and a newer link replaces it', async () => {
  const { anInvited, signedIn, accept, invitations, mailTo, stateOf } = await aServer()
  const used = await anInvited()
  expect((await accept(await signedIn('anna'), used.token)).status).toBe(204)
  const berta = await signedIn('berta')
  expect(await accept(berta, used.token)).toEqual({ status: 410, code: 'InvitationUsed' })
  const person = await anInvited()
  await invitations.send(person.id)
  const newer = /\/invitation#([\w-]+)/.exec((await mailTo(person.email)).text)?.[1] ?? ''
  expect(await accept(berta, person.token)).toEqual({ status: 410, code: 'InvitationUsed' })
  expect(await stateOf(person.id)).toMatchObject({ status: 'invited', subject: null })
  expect((await accept(berta, newer)).status).toBe(204)
})

test('an expired or unknown link, a reset link and a link of a suspended user are refused', async () => {
  const { anInvited, signedIn, accept, database, stateOf } = await aServer()
  const bearer = await signedIn('anna')
  const late = await anInvited()
  await database.admin(`update identity_links set expires_at = now() where user_id = $1`, [late.id])
  expect(await accept(bearer, late.token)).toEqual({ status: 410, code: 'InvitationExpired' })
  const unknown = { status: 404, code: 'InvitationNotFound' }
  expect(await accept(bearer, 'x'.repeat(43))).toEqual(unknown)
  const reset = await anInvited()
  await database.admin(`update identity_links set purpose = 'reset' where user_id = $1`, [reset.id])
  expect(await accept(bearer, reset.token)).toEqual(unknown)
  const suspended = await anInvited()
  await database.admin(`update users set status = 'suspended' where id = $1`, [suspended.id])
  expect(await accept(bearer, suspended.token)).toEqual(unknown)
  for (const { id } of [late, reset, suspended]) expect(await stateOf(id)).toMatchObject({ subject: null })
})

test('an account of another user is refused, and the link stays valid for the right account', async () => {
  const { anInvited, signedIn, accept, me } = await aServer()
  const first = await anInvited()
  const second = await anInvited()
  const anna = await signedIn('anna')
  await accept(anna, first.token)
  expect(await accept(anna, second.token)).toEqual({ status: 409, code: 'IdentityTaken' })
  expect(await me(anna)).toMatchObject({ id: first.id })
  expect((await accept(await signedIn('berta'), second.token)).status).toBe(204)
})

test('one link admits only one of two accounts, and one account accepts only one of two links', async () => {
  const { anInvited, signedIn, accept } = await aServer()
  const one = await anInvited()
  const bearers = [await signedIn('anna'), await signedIn('berta')]
  const race = await Promise.all(bearers.map((bearer) => accept(bearer, one.token)))
  expect(race.map(({ status }) => status).sort()).toEqual([204, 410])
  const links = [await anInvited(), await anInvited()]
  const carla = await signedIn('carla')
  const both = await Promise.all(links.map(({ token }) => accept(carla, token)))
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
})

test('an account without a role, without a token or with extra fields is refused, and the link stays valid', async () => {
  const { anInvited, signedIn, accept, url } = await aServer()
  const person = await anInvited()
  const refused = { status: 403, code: 'UnauthorizedUserException' }
  expect(await accept(await signedIn('anna', 'ROME=GETTONEMERCHANTADMIN'), person.token)).toEqual(refused)
  expect(await accept(await signedIn('berta', 'MILAN=CUSTOMER'), person.token)).toEqual(refused)
  expect(await accept(undefined, person.token)).toEqual({ status: 401, code: 'Unauthorized' })
  const more = await fetch(`${url}${apiPrefix}/users/me/invitation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await signedIn('carla')}` },
    body: JSON.stringify({ token: person.token, role: 'superAdmin' }),
  })
  expect(more.status).toBe(400)
  expect((await accept(await signedIn('anna'), person.token)).status).toBe(204)
})

test.each([
  ['MILAN=GETTONEMERCHANTUSER', 'merchantAdmin', 'merchantUser'],
  ['MILAN=GETTONESUPERADMIN', 'merchantAdmin', 'merchantAdmin'],
])('claim %s and invitation as %s: the lesser role counts, %s', async (role, invited, counts) => {
  const { anInvited, signedIn, accept, me } = await aServer()
  const person = await anInvited({ role: invited })
  const bearer = await signedIn('anna', role)
  await accept(bearer, person.token)
  expect(await me(bearer)).toMatchObject({ role: counts })
})

test('the development mailbox exists with an external provider too', async () => {
  const { anInvited, url } = await aServer()
  const { email } = await anInvited()
  expect(await (await fetch(`${url}/mailbox`)).text()).toContain(email)
})
