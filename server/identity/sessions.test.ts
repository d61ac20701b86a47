import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { purgeExpiredIdentityState } from '#database/people/identity.ts'
import { readConfig } from '#server/config.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { startServer } from '#server/start.ts'
import { aDatabase, systemAddressOf } from '#testkit/database.ts'
import { aMerchant, aUser, testSecretKey } from '#testkit/fixtures.ts'
import { aBrowser, anAuthorization, type Browser, origin, signIn, tokensOf } from '#testkit/identity.ts'
import { givePassword } from '#testkit/passwords.ts'
import { addApp, afterPassword, codeOf, confirm, securityPage } from '#testkit/second-factor/second-factor.ts'
import { openAccounts } from './accounts.ts'

/* Sessions of the embedded provider as their owner sees and ends them, through provider, API and live streams. */

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const password = 'Gettone-demo-1'

async function aServer() {
  const database = await aDatabase()
  const config = readConfig({ PORT: '0', PUBLIC_URL: origin }, { production: false, keptSecret: testSecretKey })
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
    log: pino({ level: 'silent' }),
    withPortal: false,
  })
  onTestFinished(stop)
  const merchant = await aMerchant(database)
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${apiPrefix}`

  const call = async (token: string, path: string, method: 'GET' | 'DELETE' = 'GET') => {
    const answer = await fetch(url + path, { method, headers: { authorization: `Bearer ${token}` } })
    const text = await answer.text()
    return { status: answer.status, body: text ? JSON.parse(text) : undefined }
  }

  return {
    database,
    app,
    call,
    /** A user who may sign in with a password. */
    async aUser() {
      const person = await aUser(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
      await givePassword(database, person.id, password)
      return { ...person, password }
    },
    /** A browser in which a person is signed in. */
    async signedIn(person: { email: string; password: string }, userAgent: string) {
      const browser = aBrowser(app)
      const as: Browser = {
        ...browser,
        post: (to, form, more) => browser.post(to, form, { 'user-agent': userAgent, ...more }),
      }
      return { browser, ...(await signIn(as, person)) }
    },
    /** A live stream, and whether it has ended. */
    async watching(token: string) {
      const leave = new AbortController()
      onTestFinished(() => leave.abort())
      const answer = await fetch(`${url}/users/me/live`, {
        headers: { authorization: `Bearer ${token}` },
        signal: leave.signal,
      })
      const stream = { isOver: false }
      const reader = answer.body?.getReader()
      const read = async () => {
        while (!(await reader?.read())?.done);
        stream.isOver = true
      }
      read().catch(() => undefined)
      return stream
    },
  }
}

/** Whether the provider issues a new token silently. */
async function isRenewed(browser: Browser): Promise<boolean> {
  const { at } = await browser.follow(await browser.get(anAuthorization({ prompt: 'none' }).url))
  return new URL(at).searchParams.has('code')
}

test('users see the browsers in which they are signed in, and which is the current one', async () => {
  const { aUser, signedIn, call } = await aServer()
  const person = await aUser()
  const other = await aUser()
  const phone = await signedIn(person, safari)
  const desk = await signedIn(person, firefox)
  await signedIn(other, firefox)
  const { body } = await call(desk.access_token, '/users/me/sessions')
  expect(body).toEqual({
    isKeptElsewhere: false,
    items: [
      expect.objectContaining({ browser: 'Firefox', system: 'Linux', isCurrent: true, address: '127.0.0.1' }),
      expect.objectContaining({ browser: 'Safari', system: 'iOS', isCurrent: false }),
    ],
  })
  const seenByPhone = await call(phone.access_token, '/users/me/sessions')
  expect(seenByPhone.body.items.map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([false, true])
})

test('an ended session is refused at its next request, loses its stream and is not renewed; others stay', async () => {
  const { aUser, signedIn, call, watching, database } = await aServer()
  const person = await aUser()
  const phone = await signedIn(person, safari)
  const desk = await signedIn(person, firefox)
  const onPhone = await watching(phone.access_token)
  const onDesk = await watching(desk.access_token)
  const { body } = await call(desk.access_token, '/users/me/sessions')
  const { id } = body.items.find((one: { isCurrent: boolean }) => !one.isCurrent)

  expect((await call(desk.access_token, `/users/me/sessions/${id}`, 'DELETE')).status).toBe(204)
  expect(await call(phone.access_token, '/users/me')).toMatchObject({ status: 401, body: { code: 'Unauthorized' } })
  await expect.poll(() => onPhone.isOver, { timeout: 10_000 }).toBe(true)
  expect(await isRenewed(phone.browser)).toBe(false)

  expect((await call(desk.access_token, '/users/me')).status).toBe(200)
  expect(await isRenewed(desk.browser)).toBe(true)
  expect(onDesk.isOver).toBe(false)
  expect((await call(desk.access_token, '/users/me/sessions')).body.items).toHaveLength(1)
  expect(await call(desk.access_token, `/users/me/sessions/${id}`, 'DELETE')).toMatchObject({
    status: 404,
    body: { code: 'SessionNotFound' },
  })
  const log = await database.admin('select type from session_log where user_id = $1', [person.id])
  expect(log).toEqual([{ type: 'sessionEnded' }])
})

test('a code that is used twice ends the session and its tokens', async () => {
  const { aUser, call, app } = await aServer()
  const person = await aUser()
  const browser = aBrowser(app)
  const request = anAuthorization()
  const form = await browser.follow(await browser.get(request.url))
  const done = await browser.follow(await browser.post(form.at, { email: person.email, password: person.password }))
  const exchange = { code: new URL(done.at).searchParams.get('code') ?? '', verifier: request.verifier }
  const { tokens } = await tokensOf(browser, exchange)
  expect((await call(tokens.access_token, '/users/me')).status).toBe(200)
  expect(await tokensOf(browser, exchange)).toMatchObject({ error: 'invalid_grant' })
  await expect.poll(async () => (await call(tokens.access_token, '/users/me')).status).toBe(401)
  expect(await isRenewed(browser)).toBe(false)
})

test('a new or removed second factor ends the sessions of other browsers', async () => {
  const { aUser, signedIn, call } = await aServer()
  const person = await aUser()
  const phone = await signedIn(person, safari)
  const desk = await signedIn(person, firefox)
  await confirm(desk.browser, { password: person.password })
  const { secret } = await addApp(desk.browser)
  expect((await call(phone.access_token, '/users/me')).status).toBe(401)
  expect(await isRenewed(phone.browser)).toBe(false)
  expect((await call(desk.access_token, '/users/me')).status).toBe(200)

  const { page } = await afterPassword(phone.browser, person)
  await phone.browser.follow(await phone.browser.post(page, { code: codeOf(secret, 1) }))
  expect(await isRenewed(phone.browser)).toBe(true)
  const [id = ''] = /name="id" value="([^"]+)"/.exec((await desk.browser.get(securityPage)).body)?.slice(1) ?? []
  const removed = await desk.browser.post(`${securityPage}/remove`, { id })
  expect(removed.location).toBe(`${securityPage}?said=removed`)
  expect(await isRenewed(phone.browser)).toBe(false)
  expect((await call(desk.access_token, '/users/me')).status).toBe(200)
})

test('all other sessions can be ended at once, and only by their user', async () => {
  const { aUser, signedIn, call } = await aServer()
  const person = await aUser()
  const other = await aUser()
  const phone = await signedIn(person, safari)
  const tablet = await signedIn(person, safari)
  const desk = await signedIn(person, firefox)
  const stranger = await signedIn(other, firefox)
  const [strangerSession] = (await call(stranger.access_token, '/users/me/sessions')).body.items
  expect((await call(desk.access_token, `/users/me/sessions/${strangerSession.id}`, 'DELETE')).status).toBe(404)

  expect(await call(desk.access_token, '/users/me/sessions', 'DELETE')).toMatchObject({ body: { ended: 2 } })
  for (const { access_token } of [phone, tablet]) expect((await call(access_token, '/users/me')).status).toBe(401)
  expect((await call(desk.access_token, '/users/me')).status).toBe(200)
  expect((await call(stranger.access_token, '/users/me')).status).toBe(200)
  expect(await call(desk.access_token, '/users/me/sessions', 'DELETE')).toMatchObject({ body: { ended: 0 } })
})

test('a renewed token belongs to the same session, and a token issued while its session ends is refused', async () => {
  const { aUser, signedIn, call, database } = await aServer()
  const person = await aUser()
  const desk = await signedIn(person, firefox)
  expect(await isRenewed(desk.browser)).toBe(true)
  const [session, ...more] = (await call(desk.access_token, '/users/me/sessions')).body.items
  expect(more).toEqual([])
  const [row] = await database.admin<{ uid: string }>(
    'select provider_uid as uid from identity_sessions where id = $1',
    [session.id],
  )
  await call(desk.access_token, `/users/me/sessions/${session.id}`, 'DELETE')
  const use = { providerUid: row?.uid ?? '', userId: person.id, address: '', userAgent: '', now: new Date() }
  expect(await openAccounts(database).sessionUsed(use)).not.toBe(session.id)
  expect(await database.admin('select 1 from identity_sessions where user_id = $1', [person.id])).toEqual([])
})

test.each([
  ['suspended', `update users set status = 'suspended' where id = $1`],
  ['deleted', 'delete from users where id = $1'],
])('a user who is %s is refused at the next request, and no token is renewed', async (_, change) => {
  const { aUser, signedIn, call, database } = await aServer()
  const person = await aUser()
  const desk = await signedIn(person, firefox)
  expect((await call(desk.access_token, '/users/me')).status).toBe(200)
  await database.admin(change, [person.id])
  expect(await call(desk.access_token, '/users/me')).toMatchObject({
    status: 403,
    body: { code: 'UnauthorizedUserException' },
  })
  expect(await isRenewed(desk.browser)).toBe(false)
})

test('a demoted user has the lesser role from the next request on', async () => {
  const { aUser, signedIn, call, database } = await aServer()
  const person = await aUser()
  const desk = await signedIn(person, firefox)
  await database.admin(`update users set role = 'merchantUser' where id = $1`, [person.id])
  expect((await call(desk.access_token, '/users/me')).body.role).toBe('merchantUser')
})

test('ended sessions are deleted', async () => {
  const { aUser, signedIn, database } = await aServer()
  const person = await aUser()
  await signedIn(person, firefox)
  const purge = (now: Date) => database.withSystem('identity', (db) => purgeExpiredIdentityState(db, now))
  const count = async () => (await database.admin('select 1 from identity_sessions')).length
  await purge(new Date())
  expect(await count()).toBe(1)
  await purge(new Date(Date.now() + 3 * 86_400_000))
  expect(await count()).toBe(0)
})
