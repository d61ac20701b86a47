import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import {
  type Answer,
  aBrowser,
  anAuthorization,
  anIdentity,
  type Browser,
  origin,
  signIn,
  tokensOf,
} from '#testkit/identity.ts'
import { mayGuess } from './attempts.ts'

const signInForm = async (browser: Browser) => (await browser.follow(await browser.get(anAuthorization().url))).at
const isIn = async (browser: Browser) => {
  const answer = await browser.follow(await browser.get(anAuthorization({ prompt: 'none' }).url))
  return new URL(answer.at).searchParams.has('code')
}
const linkIn = (text: string) => new URL(/http\S+/.exec(text)?.[0] ?? '').pathname
const next = (password: string, repeat = password) => ({ next: password, repeat })
const says = (answer: Answer) => [answer.status, answer.body] as const

test('sign-in needs an e-mail address and a password', async () => {
  const { app } = await anIdentity()
  const browser = aBrowser(app)
  const form = await signInForm(browser)
  const halves: Record<string, string>[] = [{}, { email: 'a@b.it' }, { password: 'x' }, { email: '  ', password: 'x' }]
  for (const half of halves)
    expect(says(await browser.post(form, half))).toEqual([
      422,
      expect.stringContaining('Email and password are required'),
    ])
})

test('a wrong password and an unknown e-mail address get the same answer', async () => {
  const { app, aUser } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  const form = await signInForm(browser)
  const wrong = await browser.post(form, { email: person.email, password: 'Wrong-password-1' })
  const unknown = await browser.post(form, { email: 'nobody@gettone.test', password: 'Wrong-password-1' })
  expect(says(wrong)).toEqual([401, expect.stringContaining('Wrong email or password')])
  // Each page has a challenge of its own.
  const alike = (body: string) => body.replace(/challenge&quot;:&quot;[\w-]+/, '')
  expect(alike(unknown.body).replaceAll('nobody@gettone.test', person.email)).toBe(alike(wrong.body))
  expect(await isIn(browser)).toBe(false)
})

test('an invited or suspended user, or a user of another provider, cannot sign in here', async () => {
  const { app, aUser, anInvited, database } = await anIdentity()
  const suspended = await aUser()
  const foreign = await aUser()
  const invited = await anInvited()
  await database.admin(`update users set status = 'suspended' where id = $1`, [suspended.id])
  await database.admin(`update users set issuer = 'https://login.example.com' where id = $1`, [foreign.id])
  const browser = aBrowser(app)
  const form = await signInForm(browser)
  for (const { email } of [suspended, foreign, invited])
    expect((await browser.post(form, { email, password: 'Gettone-demo-1' })).status).toBe(401)
})

test('after a few failed attempts all attempts are slowed, in every process, even with the correct password', async () => {
  const one = await anIdentity()
  const two = await anIdentity(one.database)
  const person = await one.aUser()
  const browsers = [aBrowser(one.app), aBrowser(two.app)] as const
  const forms = [await signInForm(browsers[0]), await signInForm(browsers[1])] as const
  const guess = async (at: 0 | 1, password: string) =>
    (await browsers[at].post(forms[at], { email: person.email, password })).status
  const tried = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => guess(at as 0 | 1, 'Wrong-password-1')))
  expect(tried).toEqual([401, 401, 401, 401, 401, 401])
  // The wait of five seconds is longer than a slow machine's next try.
  await one.database.admin(`update identity_attempts set blocked_until = blocked_until + interval '1 minute'`)
  expect(await guess(0, person.password)).toBe(429)
  expect(await guess(1, person.password)).toBe(429)

  // Another user at the same address can sign in, and the wait ends.
  const other = await one.aUser()
  await signIn(aBrowser(one.app), other)
  await one.database.admin(`update identity_attempts set blocked_until = now() - interval '1 second'`)
  expect(await guess(0, person.password)).toBe(303)
})

test('the wait doubles, and an account as a whole is never blocked for long', async () => {
  const database = await aDatabase()
  let now = Date.now()
  const guess = (email: string, address: string) =>
    database.withSystem('identity', (db) => mayGuess(db, { email, address, now: new Date(now) }))
  const wait = async (bucket: string) => {
    const [row] = await database.admin<{ seconds: number }>(
      `select extract(epoch from blocked_until - last_at)::float8 as seconds
         from identity_attempts where bucket like $1 order by failures desc limit 1`,
      [`${bucket}:%`],
    )
    return row?.seconds
  }
  const waits = []
  for (let tries = 0; tries < 8; tries += 1) {
    now += 901_000
    await guess('a@b.it', '192.0.2.1')
    waits.push(await wait('pair'))
  }
  expect(waits.slice(4)).toEqual([null, 5, 10, 20])
  expect(await guess('a@b.it', '192.0.2.1')).toBeUndefined()
  for (let tries = 0; tries < 40; tries += 1) {
    now += 61_000
    expect(await guess('c@d.it', `198.51.100.${tries}`)).toBe('unknown')
  }
  expect(await wait('account')).toBe(60)

  // A whole IPv6 network counts as one guesser.
  for (let tries = 0; tries < 6; tries += 1) await guess('e@f.it', `2001:db8:1:2::${tries}`)
  expect(await guess('e@f.it', '2001:db8:1:2:ffff::1')).toBeUndefined()
  expect(await guess('e@f.it', '2001:db8:1:3::1')).toBe('unknown')
})

test('guessing from many addresses does not lock the owner out of an address with an earlier sign-in', async () => {
  const { accounts, aUser, database } = await anIdentity()
  const person = await aUser()
  let now = Date.now()
  const home = { address: '203.0.113.7', email: person.email, password: person.password }
  const signsIn = (guess: typeof home) => accounts.signIn({ ...guess, now: new Date(now) })
  expect(await signsIn(home)).toHaveProperty('account')
  for (let tries = 0; tries < 40; tries += 1) {
    now += 61_000
    const guess = { email: person.email, address: `198.51.100.${tries}`, now: new Date(now) }
    await database.withSystem('identity', (db) => mayGuess(db, guess))
  }
  // The account waits, even for a stranger with the correct password; its owner at a known address does not.
  expect(await signsIn({ ...home, address: '192.0.2.9' })).toEqual({ refused: 'tooMany' })
  expect(await signsIn(home)).toHaveProperty('account')
  // Guesses at a known place are slowed too.
  for (let tries = 0; tries < 6; tries += 1) await signsIn({ ...home, password: 'Wrong-password-1' })
  expect(await signsIn(home)).toEqual({ refused: 'tooMany' })
})

test('sixty wrong passwords from one address lock out no user who signed in there or in this browser before', async () => {
  const { app, aUser, database } = await anIdentity()
  const owner = await aUser()
  const colleague = await aUser()
  const newcomer = await aUser()
  const knownBrowser = aBrowser(app)
  await signIn(knownBrowser, owner)
  await signIn(aBrowser(app), colleague)
  // All from one address, as behind one router: twelve at the owner's account, the others at other accounts.
  const wrong = (email: string) =>
    database.withSystem('identity', (db) => mayGuess(db, { email, address: '127.0.0.1', now: new Date() }))
  for (let tries = 0; tries < 80; tries += 1) await wrong(tries % 5 === 0 ? owner.email : `${tries}@gettone.test`)
  await database.admin(`update identity_attempts set blocked_until = blocked_until + interval '1 minute'`)
  const isBlocked = async (email: string) => (await wrong(email)) === undefined
  expect([await isBlocked('one-more@gettone.test'), await isBlocked(owner.email)]).toEqual([true, true])

  const tries = async (browser: Browser, { email, password }: typeof owner) =>
    (await browser.post(await signInForm(browser), { email, password })).status
  knownBrowser.cookies.delete('gettone_session')
  expect(await tries(knownBrowser, owner)).toBe(303)
  expect(await tries(aBrowser(app), colleague)).toBe(303)
  // Neither sign-in frees the guesser, and a new user waits like all others at this address.
  expect([await isBlocked('one-more@gettone.test'), await isBlocked(owner.email)]).toEqual([true, true])
  expect(await tries(aBrowser(app), newcomer)).toBe(429)
})

test('a known browser may guess a few times only, and is known only for accounts that signed in with it', async () => {
  const { app, aUser, database } = await anIdentity()
  const owner = await aUser()
  const other = await aUser()
  const browser = aBrowser(app)
  await signIn(browser, owner)
  expect(browser.cookies.get('gettone_browser')?.path).toBe('/identity')
  browser.cookies.delete('gettone_session')
  const form = await signInForm(browser)
  for (const { email } of [owner, other]) {
    const tried = []
    for (let tries = 0; tries < 6; tries += 1)
      tried.push((await browser.post(form, { email, password: 'Wrong-password-1' })).status)
    expect(tried).toEqual([401, 401, 401, 401, 401, 401])
  }
  const blocked = await database.admin<{ kind: string }>(
    `select split_part(bucket, ':', 1) as kind from identity_attempts where blocked_until is not null order by 1`,
  )
  expect(blocked.map(({ kind }) => kind)).toEqual(['browser', 'pair'])
})

test('guessing at many accounts from one address slows that address for all of them', async () => {
  const database = await aDatabase()
  const now = new Date()
  const guess = (name: number, address: string) =>
    database.withSystem('identity', (db) => mayGuess(db, { email: `${name}@b.it`, address, now }))
  const tried = await Promise.all(Array.from({ length: 80 }, (_, name) => guess(name, '192.0.2.1')))
  expect(tried.filter(Boolean)).toHaveLength(61)
  expect(await guess(100, '192.0.2.1')).toBeUndefined()
  expect(await guess(100, '192.0.2.2')).toBe('unknown')
})

test('a password is changed with the current one, and other sessions end', async () => {
  const { app, aUser, mailTo } = await anIdentity()
  const person = await aUser({ language: 'de' })
  const here = aBrowser(app)
  const elsewhere = aBrowser(app)
  await signIn(here, person)
  await signIn(elsewhere, person)

  const form = await here.get('/identity/password')
  expect(form.body).toContain(`value="${person.email}"`)
  expect(
    says(await here.post('/identity/password', { current: 'Wrong-1-password', ...next('New-password-1') })),
  ).toEqual([401, expect.stringContaining('Wrong current password')])
  expect(says(await here.post('/identity/password', { current: person.password, ...next('New-password-1') }))).toEqual([
    200,
    expect.stringContaining('Your password has been changed'),
  ])
  expect(await isIn(here)).toBe(true)
  expect(await isIn(elsewhere)).toBe(false)
  expect((await mailTo(person.email)).subject).toBe('Ihr Passwort wurde geändert')
  await signIn(elsewhere, { ...person, password: 'New-password-1' })
})

test('signed-out users can also change a password with their e-mail address', async () => {
  const { app, aUser } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  const change = (email: string) =>
    browser.post('/identity/password', { email, current: person.password, ...next('New-password-1') })
  expect(says(await change('nobody@gettone.test'))).toEqual([
    401,
    expect.stringContaining('Wrong email or current password'),
  ])
  expect((await change(person.email)).status).toBe(200)
})

test('a new password that breaks a rule, or differs from its repetition, is refused', async () => {
  const { app, aUser } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  const weak = 'at least 8 characters with an uppercase'
  const cases = [
    ['Short-1', 'Short-1', weak],
    ['no-uppercase-1', 'no-uppercase-1', weak],
    ['No-number-here', 'No-number-here', weak],
    ['NoSpecial123', 'NoSpecial123', weak],
    ['Good-password-1', 'Good-password-2', 'The two passwords do not match'],
    [`Long-1${'x'.repeat(300)}`, `Long-1${'x'.repeat(300)}`, 'The password is too long'],
  ] as const
  for (const [password, repeat, sentence] of cases) {
    const change = { email: person.email, current: person.password, ...next(password, repeat) }
    expect(says(await browser.post('/identity/password', change))).toEqual([422, expect.stringContaining(sentence)])
  }
  await signIn(browser, person)
})

test('a forgotten password is reset by a link that works once', async () => {
  const { app, aUser, mailTo } = await anIdentity()
  const person = await aUser({ language: 'it' })
  const browser = aBrowser(app)
  const stolen = aBrowser(app)
  await signIn(stolen, person)
  expect(says(await browser.post('/identity/forgot', { email: person.email }))).toEqual([
    200,
    expect.stringContaining('we have sent a link'),
  ])
  const mail = await mailTo(person.email)
  expect(mail.subject).toBe('Scegli una nuova password')
  const link = linkIn(mail.text)

  // Opening the link does not use it up, nor does a password that breaks the rules.
  expect((await browser.get(link)).status).toBe(200)
  expect((await browser.post(link, next('weak'))).status).toBe(422)
  expect(says(await browser.post(link, next('New-password-1')))).toEqual([
    200,
    expect.stringContaining('Your password has been saved'),
  ])
  expect(says(await browser.post(link, next('Other-password-1')))).toEqual([
    410,
    expect.stringContaining('This link is not valid'),
  ])
  expect((await browser.get(link)).status).toBe(410)
  expect(await isIn(stolen)).toBe(false)
  await signIn(browser, { ...person, password: 'New-password-1' })
})

test('if two users use a link at once, one succeeds', async () => {
  const { accounts, aUser } = await anIdentity()
  const person = await aUser()
  const reset = await accounts.requestReset(person.email, new Date())
  const use = (password: string) =>
    accounts.setPasswordByLink({ token: reset?.token ?? '', purpose: 'reset', next: password, now: new Date() })
  expect((await Promise.all([use('New-password-1'), use('New-password-2')])).sort()).toEqual(['done', 'ended'])
})

test('a reset link ends after an hour, with a newer link, and with a changed password', async () => {
  const { accounts, aUser } = await anIdentity()
  const person = await aUser()
  const now = new Date()
  const ask = async () => (await accounts.requestReset(person.email, now))?.token ?? ''
  const owner = (token: string, at: Date) => accounts.ownerOfLink(token, 'reset', at)
  const first = await ask()
  expect(await owner(first, new Date(now.getTime() + 3_599_000))).toBeDefined()
  expect(await owner(first, new Date(now.getTime() + 3_601_000))).toBeUndefined()
  const second = await ask()
  expect(await owner(first, now)).toBeUndefined()
  await accounts.changePassword({
    email: person.email,
    current: person.password,
    next: 'New-password-1',
    address: '192.0.2.1',
    keepSession: undefined,
    now,
  })
  expect(await owner(second, now)).toBeUndefined()
})

test('a reset request does not reveal whether an account exists, and mails are rate-limited', async () => {
  const { app, aUser, mailTo, mailCount, anInvited } = await anIdentity()
  const person = await aUser()
  const invited = await anInvited()
  const browser = aBrowser(app)
  const ask = async (email: string) => (await browser.post('/identity/forgot', { email })).body.replaceAll(email, '')
  const answerForOwner = await ask(person.email)
  expect(await ask('nobody@gettone.test')).toBe(answerForOwner)
  expect(await ask(invited.email)).toBe(answerForOwner)
  for (let tries = 0; tries < 5; tries += 1) await ask(person.email)
  await mailTo(person.email)
  await new Promise((done) => setTimeout(done, 300))
  expect(await mailCount(person.email)).toBe(3)
  expect(await mailCount(invited.email)).toBe(0)
})

test('an invitation is accepted once, and links the user to this provider', async () => {
  const { app, anInvited, invitations, mailTo, database } = await anIdentity()
  const person = await anInvited('merchantUser')
  await invitations.send(person.id)
  const mail = await mailTo(person.email)
  expect(mail.text).toContain('merchant user')
  const browser = aBrowser(app)
  const link = linkIn(mail.text)
  expect((await browser.get(link)).body).toContain('Welcome, Anna')
  expect(await browser.post(link, next('New-password-1'))).toMatchObject({
    status: 303,
    location: `${origin}/dashboard`,
  })
  const [row] = await database.admin('select issuer, subject, status from users where id = $1', [person.id])
  expect(row).toMatchObject({ issuer: 'urn:gettone:identity', status: 'active', subject: expect.any(String) })
  await signIn(aBrowser(app), { email: person.email, password: 'New-password-1' })
  expect((await browser.post(link, next('Other-password-1'))).status).toBe(410)
})

test('who accepts an invitation is signed in, in place of whom the browser had signed in before', async () => {
  const { app, aUser, anInvited, invitations, mailTo } = await anIdentity()
  const person = await anInvited('merchantUser')
  await invitations.send(person.id)
  const link = linkIn((await mailTo(person.email)).text)
  const browser = aBrowser(app)
  await signIn(browser, await aUser())
  await browser.post(link, next('New-password-1'))
  const request = anAuthorization()
  const code = new URL((await browser.follow(await browser.get(request.url))).at).searchParams.get('code') ?? ''
  const { tokens } = await tokensOf(browser, { code, verifier: request.verifier })
  expect(decodeJwt(tokens.id_token)).toMatchObject({ email: person.email, amr: ['pwd'] })
})

test('who needs a second factor accepts an invitation, and sets the factor up at the sign-in', async () => {
  const { app, anInvited, invitations, mailTo } = await anIdentity(undefined, undefined, { isForSuperAdmins: true })
  const person = await anInvited('superAdmin')
  await invitations.send(person.id)
  const browser = aBrowser(app)
  const answer = await browser.post(linkIn((await mailTo(person.email)).text), next('New-password-1'))
  expect(answer.body).toContain('You are all set')
  const form = await browser.follow(await browser.get(anAuthorization().url))
  expect(form.body).toContain('Sign in')
})

test('an invitation names the merchants and the role as they are when it is sent, and when it is opened', async () => {
  const { app, anInvited, invitations, mailTo, database } = await anIdentity()
  const person = await anInvited('merchantAdmin')
  const join = async (name: string) => {
    const { id } = await aMerchant(database, { name })
    await database.admin('insert into user_merchants (user_id, merchant_id, all_groups) values ($1, $2, true)', [
      person.id,
      id,
    ])
  }
  await join('Caffè Aurora')
  await invitations.send(person.id)
  const { text } = await mailTo(person.email)
  expect(text).toContain('You have been invited to Caffè Aurora on Gettone as merchant admin.')
  await join('Bar Centrale')
  await database.admin(`update users set role = 'groupAdmin' where id = $1`, [person.id])
  const { body } = await aBrowser(app).get(linkIn(text))
  expect(body).toContain('You join Bar Centrale and Caffè Aurora as group admin.')
})

test('a repeated invitation replaces the previous one, and an invitation is not a reset', async () => {
  const { anInvited, accounts } = await anIdentity()
  const { id } = await anInvited()
  const now = new Date()
  const first = (await accounts.invite(id, now))?.token ?? ''
  const second = (await accounts.invite(id, now))?.token ?? ''
  expect(await accounts.ownerOfLink(first, 'invitation', now)).toBeUndefined()
  expect(await accounts.ownerOfLink(second, 'reset', now)).toBeUndefined()
  expect(await accounts.ownerOfLink(second, 'invitation', new Date(now.getTime() + 8 * 86_400_000))).toBeUndefined()
  expect(await accounts.ownerOfLink(second, 'invitation', now)).toMatchObject({ id })
})

test('a form from another site is refused', async () => {
  const { app, aUser } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  const form = await signInForm(browser)
  const login = { email: person.email, password: person.password }
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
    expect((await browser.post(form, login, headers)).status).toBe(403)
  expect((await browser.post(form, login)).status).toBe(303)
})

test('the language of pages is the page’s choice, the portal’s, or the browser’s', async () => {
  const { app } = await anIdentity()
  const browser = aBrowser(app)
  const german = { 'accept-language': 'de-AT,de;q=0.9' }
  expect((await browser.get('/identity/forgot', german)).body).toContain('<html lang="de">')
  const form = await browser.follow(await browser.get(anAuthorization({ ui_locales: 'fr' }).url))
  expect(form.body).toContain('Se connecter')
  expect((await browser.get(`${form.at}?language=it`, german)).body).toContain('<html lang="it">')
  expect((await browser.get('/identity/forgot', german)).body).toContain('<html lang="it">')
})

test('typed text is shown as text', async () => {
  const { app } = await anIdentity()
  const browser = aBrowser(app)
  const form = await signInForm(browser)
  const { body } = await browser.post(form, { email: '"><script>alert(1)</script>', password: 'x' })
  expect(body).not.toContain('<script>alert')
})

test('the development mailbox shows sent mails', async () => {
  const { app, aUser, mailTo } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  expect((await browser.get('/mailbox')).body).toContain('No emails yet')
  await browser.post('/identity/forgot', { email: person.email })
  await mailTo(person.email)
  const list = await browser.get('/mailbox')
  expect(list.body).toContain(person.email)
  const path = /href="(\/mailbox\/[^"]+)"/.exec(list.body)?.[1] ?? ''
  expect((await browser.get(path)).body).toContain('/identity/reset/')
  expect((await browser.get(`${path}/html`)).headers['content-security-policy']).toContain("default-src 'none'")
  expect((await browser.get('/mailbox/nothing')).location).toBe('/mailbox')
})
