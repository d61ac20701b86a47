import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { createLocalJWKSet, importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LicenceGrant } from '#contract/licences/connector.ts'
import { endLicenceKey } from '#server/licences/sign-licence.ts'
import { asOwner } from '#server/postgres/storage.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aLicence, licenceFields } from '#testkit/nouns/licences.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function aLicensed(with_: Record<string, unknown> = {}) {
  const { id: merchantId } = await aMerchant(api.database)
  const machine = await aMachine(api.database, merchantId)
  const licence = await aLicence(api.database, machine, { status: 2, ...with_ })
  const bodyOf = (board: string, more: object = {}) => ({
    licenceKey: licence.key,
    machine: { serial: machine.serial, boardSerial: board, connectorVersion: '2.4.1' },
    connectorTime: new Date().toISOString(),
    ...more,
  })
  const call = (name: 'activateLicence' | 'beatLicence', body: object) => api.send(name, { body })
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }], { allowLicensing: true })
  const params = { merchantId, licenceId: licence.id }
  const licenceNow = () => api.as(user).getLicence({ params })
  return { merchantId, machine, licence, bodyOf, call, licenceNow, params, as: api.as(user) }
}
const code = (answer: { json(): unknown }) => (answer.json() as { code?: string }).code

test('a licence is activated, renewed and verified offline with the public key alone', async () => {
  const { bodyOf, call, licenceNow, machine, licence } = await aLicensed({ expires_on: dayFromNow(200) })
  const activated = await call('activateLicence', bodyOf('BOARD-A'))
  expect(activated.statusCode).toBe(200)
  const grant = activated.json() as LicenceGrant
  const { keys } = (await api.send('getLicenceKeys', {})).json() as { keys: [Record<string, string>] }
  const { payload, protectedHeader } = await jwtVerify(grant.licence, createLocalJWKSet({ keys } as never), {
    audience: 'gettone-connector',
    algorithms: ['EdDSA'],
  })
  expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: keys[0].kid })
  expect(payload.sub).toBe(licence.id)
  expect(payload.licence).toMatchObject({
    type: 'cashlogy',
    features: ['Connector_Basic'],
    operationMode: 'till',
    machineSerial: machine.serial,
    boardSerial: 'BOARD-A',
  })
  // 14 days of the server's clock, without a call in between.
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(14 * 86_400)
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  const key = await importJWK(keys[0] as never, 'EdDSA')
  await expect(jwtVerify(grant.licence, key, { currentDate: later(13) })).resolves.toBeDefined()
  await expect(jwtVerify(grant.licence, key, { currentDate: later(15) })).rejects.toThrow(/exp/)
  expect(await licenceNow()).toMatchObject({ status: 3, boardSerial: 'BOARD-A', connectorVersion: '2.4.1' })
  const beat = await call('beatLicence', bodyOf('BOARD-A'))
  expect(beat.statusCode).toBe(200)
  expect(Date.parse((beat.json() as LicenceGrant).validUntil)).toBeGreaterThanOrEqual(Date.parse(grant.validUntil))
})

test('after the key that signs licences was ended, connectors need the new public key', async () => {
  const { bodyOf, call } = await aLicensed()
  const publicKeys = async () => {
    const { keys } = (await api.send('getLicenceKeys', {})).json() as { keys: [Record<string, string>] }
    return createLocalJWKSet({ keys } as never)
  }
  const { licence: former } = (await call('activateLicence', bodyOf('BOARD-A'))).json() as LicenceGrant
  const installed = await publicKeys()
  expect(await asOwner(api.database.adminUrl, endLicenceKey)).toBe(true)
  const { licence } = (await call('beatLicence', bodyOf('BOARD-A'))).json() as LicenceGrant
  await expect(jwtVerify(former, installed)).resolves.toBeDefined()
  await expect(jwtVerify(licence, installed)).rejects.toThrow('no applicable key found')
  const fetched = await publicKeys()
  await expect(jwtVerify(licence, fetched)).resolves.toBeDefined()
  await expect(jwtVerify(former, fetched)).rejects.toThrow('no applicable key found')
})

test('a changed licence is not valid, by an implementation other than ours', async () => {
  const { bodyOf, call } = await aLicensed()
  const { licence } = (await call('activateLicence', bodyOf('B'))).json() as LicenceGrant
  const { keys } = (await api.send('getLicenceKeys', {})).json() as { keys: [Record<string, string>] }
  const key = createPublicKey({ key: keys[0] as never, format: 'jwk' })
  const [head = '', body = '', signature = ''] = licence.split('.')
  const isValid = (claims: string) =>
    verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))
  expect(isValid(body)).toBe(true)
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { exp: number }
  claims.exp += 86_400 * 365
  expect(isValid(Buffer.from(JSON.stringify(claims)).toString('base64url'))).toBe(false)
})

test('of many computers at one moment exactly one activates; it may repeat the call, the others may not', async () => {
  const { bodyOf, call, licenceNow, params, as } = await aLicensed()
  const boards = Array.from({ length: 8 }, (_, at) => `BOARD-${at}`)
  const answers = await Promise.all(boards.map((board) => call('activateLicence', bodyOf(board))))
  const winners = boards.filter((_, at) => answers[at]?.statusCode === 200)
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode !== 200).map(code)).toEqual(
    Array.from({ length: 7 }, () => 'LicenceOfOtherMachine'),
  )
  const [winner = ''] = winners
  expect((await licenceNow()).boardSerial).toBe(winner)
  expect((await call('activateLicence', bodyOf(winner))).statusCode).toBe(200)
  const history = await as.listLicenceEvents({ params })
  expect(history).toMatchObject([{ act: 'activate', by: 'connector', detail: winner, byName: null }])
})

test('another machine, another board and an unknown key are refused', async () => {
  const { bodyOf, call, merchantId } = await aLicensed()
  const other = await aMachine(api.database, merchantId)
  const wrong = { machine: { serial: other.serial, boardSerial: 'B', connectorVersion: '1' } }
  expect(code(await call('activateLicence', bodyOf('B', wrong)))).toBe('LicenceOfOtherMachine')
  await call('activateLicence', bodyOf('B'))
  expect(code(await call('beatLicence', bodyOf('C')))).toBe('LicenceOfOtherMachine')
  const unknown = bodyOf('B', { licenceKey: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA' })
  expect(code(await call('activateLicence', unknown))).toBe('LicenseDoesNotExistException')
})

test('the status decides, each with its exception; an ended licence is refused before the worker has seen it', async () => {
  const refusals = { 1: 'LicenseNotAssignedYetException', 4: 'LicenseDeactivatedException' } as const
  for (const [status, exception] of Object.entries({ ...refusals, 6: 'LicenseExpiredException' })) {
    const { bodyOf, call, licence, machine } = await aLicensed()
    await api.database.admin('update licences set status = $1 where id = $2', [Number(status), licence.id])
    expect(code(await call('activateLicence', bodyOf('B')))).toBe(exception)
    expect(code(await call('beatLicence', bodyOf('B')))).toBe(exception)
    expect(machine).toBeDefined()
  }
  const { bodyOf, call } = await aLicensed({ expires_on: dayFromNow(-2) })
  expect(code(await call('activateLicence', bodyOf('B')))).toBe('LicenseExpiredException')
  const confirmed = await aLicensed()
  expect(code(await confirmed.call('beatLicence', confirmed.bodyOf('B')))).toBe('LicenseNotAssignedYetException')
  const deleted = await aLicensed()
  const off = 'update machines set deleted_at = now(), hidden = true where id = $1'
  await api.database.admin(off, [deleted.machine.id])
  expect(code(await deleted.call('activateLicence', deleted.bodyOf('B')))).toBe('LicenseNotAssignedYetException')
})

test('the server’s clock decides; a connector a year off learns its drift and gets the same licence', async () => {
  const { bodyOf, call, licenceNow } = await aLicensed()
  const off = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const grant = (await call('activateLicence', bodyOf('B', { connectorTime: off }))).json() as LicenceGrant
  expect(grant.isClockWrong).toBe(true)
  expect(Math.abs(grant.clockDriftSeconds - 365 * 86_400)).toBeLessThan(60)
  const server = Date.parse(`${grant.serverTime}Z`)
  expect(Math.abs(server - Date.now())).toBeLessThan(60_000)
  expect(Date.parse(`${grant.validUntil}Z`) - server).toBe(14 * 86_400_000)
  expect((await licenceNow()).clockDriftSeconds).toBe(grant.clockDriftSeconds)
})

test('calls from one network are limited', async () => {
  const since = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  for (const minute of [0, 1])
    await api.database.admin(
      `insert into call_counts (limit_name, network, since, calls) values ('licenceCall', '198.51.100.7', $1, 300)`,
      [new Date(since.getTime() + minute * 60_000)],
    )
  const { bodyOf } = await aLicensed()
  const answer = await api.app.inject({
    method: 'POST',
    url: '/api/v1/license/activate',
    remoteAddress: '198.51.100.7',
    payload: bodyOf('B'),
  })
  expect([answer.statusCode, code(answer)]).toEqual([429, 'TooManyRequests'])
})

/** The link of the last mail to an address. */
async function linkTo(address: string): Promise<string> {
  const [mail] = await api.database.admin<{ text: string; html: string }>(
    'select body_text as text, body_html as html from mailbox where recipient = $1 order by at desc, id desc limit 1',
    [address],
  )
  const [, token = ''] = /\/confirm-client-data\/([\w-]{43})/.exec(mail?.text ?? '') ?? []
  expect(mail?.html).toContain(token)
  return token
}

test('the client confirms the mailed data once and gets the key; used, replaced, altered and old links answer alike', async () => {
  const { id: merchantId } = await aMerchant(api.database, { name: 'Vendomat' })
  const machine = await aMachine(api.database, merchantId, { columns: { address: 'Via Appia 1' } })
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }], { allowLicensing: true })
  const as = api.as(user)
  const clientEmail = `${randomUUID()}@client.test`
  const body = { ...licenceFields, clientEmail, posId: machine.id } as never
  const { id: licenceId, name } = await as.createLicence({ params: { merchantId }, body })
  const params = { merchantId, licenceId }
  const get = (token: string) => api.send('getClientData', { params: { token } })
  const confirm = (token: string) => api.send('confirmClientData', { params: { token } })
  expect(await as.sendLicence({ params })).toMatchObject({ status: 1 })
  const first = await linkTo(clientEmail)
  await as.sendLicence({ params })
  const token = await linkTo(clientEmail)
  const stored = await api.database.admin('select * from licences where id = $1', [licenceId])
  expect(JSON.stringify(stored)).not.toContain(token)

  const response = await get(token)
  expect(response.json()).toMatchObject({
    name,
    merchantName: 'Vendomat',
    organization: 'Bar Sport srl',
    clientEmail,
    address: 'Via Appia 1',
    posName: machine.name,
    posSerial: machine.serial,
    operationMode: 'till',
    maintenanceType: 'preventive',
  })
  // Looking at it, as mail programs do, confirms nothing.
  expect((await get(token)).statusCode).toBe(200)
  const gone = [404, 'TokenNotFoundException']
  const outcomeOf = (answer: Awaited<ReturnType<typeof get>>) => [answer.statusCode, code(answer)]
  for (const wrong of [first, token.slice(0, -1), `${token}x`, token.toUpperCase(), 'x'])
    expect(outcomeOf(await get(wrong))).toEqual(gone)

  const both = await Promise.all([confirm(token), confirm(token)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  const [answer] = both.filter(({ statusCode }) => statusCode === 200)
  const licenceKey = (answer?.json() as { licenceKey: string } | undefined)?.licenceKey ?? ''
  expect(licenceKey).toMatch(/^([0-9A-Z]{5}-){4}[0-9A-Z]{5}$/)
  expect(outcomeOf(await get(token))).toEqual(gone)
  expect(await as.getLicence({ params })).toMatchObject({ status: 2, keyHint: licenceKey.slice(-5) })
  const act = { serial: machine.serial, boardSerial: 'B', connectorVersion: '1' }
  const grant = await api.send('activateLicence', {
    body: { licenceKey, machine: act, connectorTime: new Date().toISOString() },
  })
  expect(grant.statusCode).toBe(200)
  const history = await as.listLicenceEvents({ params })
  expect(history.map(({ act: one, by }) => `${one} by ${by}`)).toEqual([
    'activate by connector',
    'confirm by client',
    'send by user',
    'send by user',
    'create by user',
  ])

  const other = await aMachine(api.database, merchantId)
  const late = await aLicence(api.database, other, { status: 0, client_email: clientEmail })
  const ofLate = { merchantId, licenceId: late.id }
  await as.sendLicence({ params: ofLate })
  const old = await linkTo(clientEmail)
  await api.database.admin(`update licences set link_expires_at = now() - interval '1 second' where id = $1`, [late.id])
  expect(outcomeOf(await get(old))).toEqual(gone)
  expect(outcomeOf(await confirm(old))).toEqual(gone)
  // After a move the old link shows nothing of the other machine.
  await as.sendLicence({ params: ofLate })
  const moved = await linkTo(clientEmail)
  const target = await aMachine(api.database, merchantId)
  await as.moveLicence({ params: ofLate, body: { posId: target.id } })
  expect(outcomeOf(await get(moved))).toEqual(gone)
})
