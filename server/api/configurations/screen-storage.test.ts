import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v2 as webdav } from 'webdav-server'
import { isPublicAddress } from '#server/network/public-address.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { tryStorage } from './try-storage.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let dav: Server
const servers: Server[] = []

const serve = (listener: RequestListener): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(listener)
    servers.push(server)
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
  })

let davUrl: string
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const users = new webdav.SimpleUserManager()
  const user = users.addUser('screens', 'right password', false)
  const rights = new webdav.SimplePathPrivilegeManager()
  rights.setRights(user, '/', ['all'])
  const server = new webdav.WebDAVServer({
    httpAuthentication: new webdav.HTTPBasicAuthentication(users, 'Screens'),
    privilegeManager: rights,
    requireAuthentification: true,
    hostname: '127.0.0.1',
    port: 0,
  })
  dav = (await server.startAsync(0)) as unknown as Server
  davUrl = `http://127.0.0.1:${(dav.address() as AddressInfo).port}/`
})
afterAll(async () => {
  for (const server of [dav, ...servers]) {
    server.closeAllConnections()
    server.close()
  }
  await api.close()
})

const params = () => ({ params: { merchantId } })
const save = (body: { version: number; username?: string; password?: string; url: string }) =>
  admin.updateScreenStorage({ ...params(), body: { username: 'screens', ...body } })
const tried = (url: string, isPublicOnly = false) =>
  tryStorage({ url, username: 'screens', password: 'right password' }, { isPublicOnly })

describe('a storage', () => {
  test('is saved once it accepts the password, which is sealed and never sent back', async () => {
    await expect(save({ version: 0, password: 'wrong', url: davUrl })).rejects.toMatchObject({
      code: 'RepositoryAuthenticationFailed',
    })
    expect(await admin.getScreenStorage(params())).toMatchObject({ version: 0, hasPassword: false, testedAt: null })
    const saved = await save({ version: 0, password: 'right password', url: davUrl })
    expect(saved).toMatchObject({ version: 1, protocol: 'webdav', hasPassword: true, username: 'screens' })
    expect(JSON.stringify(saved)).not.toContain('right password')
    const [row] = await api.database.admin<{ text: string }>(
      `select concat((select password_sealed from screen_storages where merchant_id = $1),
        (select string_agg(concat(before, after), '') from change_log where merchant_id = $1)) as text`,
      [merchantId],
    )
    expect(row?.text).toContain('isPasswordChanged')
    expect(row?.text).not.toContain('right password')
    // Without a password the stored one is tried, at its own address only.
    expect(await save({ version: 1, url: davUrl })).toMatchObject({ version: 2 })
    await expect(save({ version: 2, url: `${davUrl}other` })).rejects.toMatchObject({
      errors: [{ path: 'password', rule: 'rule.required' }],
    })
    for (const address of [`${davUrl}a\nb`, `http://127.0.0.1\t:9/`, `${davUrl}a\\b`])
      await expect(save({ version: 2, url: address, password: 'right password' })).rejects.toMatchObject({
        errors: [{ path: 'url', rule: 'rule.url' }],
      })
    await expect(save({ version: 1, url: davUrl, password: 'right password' })).rejects.toMatchObject({
      code: 'EditConflict',
      facts: { current: { version: 2 } },
    })
    await admin.deleteScreenStorage(params())
    expect(await admin.getScreenStorage(params())).toMatchObject({ version: 0, url: '' })
  })

  test('that is plain HTTPS, redirects, hangs, answers a page, or is absent', async () => {
    const files = await serve((request, response) => {
      const isKnown = request.headers.authorization === `Basic ${btoa('screens:right password')}`
      response.writeHead(request.method !== 'GET' ? 405 : isKnown ? 200 : 401, { 'content-type': 'application/json' })
      response.end('{}')
    })
    expect(await tried(files)).toEqual({ protocol: 'https' })
    expect(await tryStorage({ url: files, username: 'screens', password: 'x' }, { isPublicOnly: false })).toEqual({
      fault: 'RepositoryAuthenticationFailed',
    })
    const target = { reached: 0 }
    const inside = await serve((_, response) => {
      target.reached += 1
      response.end()
    })
    const away = await serve((_, response) => response.writeHead(302, { location: inside }).end())
    expect(await tried(away)).toEqual({ fault: 'RepositoryRedirects' })
    expect(target.reached).toBe(0)
    const page = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
    )
    expect(await tried(page)).toEqual({ fault: 'RepositoryNoStorage' })
    expect(await tried('http://127.0.0.1:9/')).toEqual({ fault: 'RepositoryNotReachable' })
    const hung = await serve(() => undefined)
    expect(await tried(hung)).toEqual({ fault: 'RepositoryNotReachable' })
  }, 20_000)

  test.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'http://example.com/',
  ])('in production %s is refused', async (url) => {
    expect(await tried(url, true)).toEqual({ fault: 'RepositoryAddressRefused' })
  })

  test('addresses of our own networks are not public', () => {
    expect(
      [
        '10.1.2.3',
        '172.16.0.1',
        '192.168.1.1',
        '100.64.0.1',
        '0.0.0.0',
        'fe80::1',
        'fd00::1',
        '::ffff:127.0.0.1',
        '64:ff9b::7f00:1',
        '224.0.0.1',
        'name',
      ].filter(isPublicAddress),
    ).toEqual([])
    expect(['93.184.216.34', '2606:4700::1111'].filter((one) => !isPublicAddress(one))).toEqual([])
  })
})
