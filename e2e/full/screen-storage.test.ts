import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { v2 as webdav } from 'webdav-server'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMerchant } from '#testkit/fixtures.ts'

/* The merchant's storage of screens. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

test('the storage refuses a wrong password and takes the right one', async () => {
  const users = new webdav.SimpleUserManager()
  const user = users.addUser('screens', 'right password', false)
  const rights = new webdav.SimplePathPrivilegeManager()
  rights.setRights(user, '/', ['all'])
  const storage = new webdav.WebDAVServer({
    httpAuthentication: new webdav.HTTPBasicAuthentication(users, 'Screens'),
    privilegeManager: rights,
    requireAuthentification: true,
    hostname: '127.0.0.1',
    port: 0,
  })
  const server = (await storage.startAsync(0)) as unknown as Server
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { database } = portal
  const merchant = await aMerchant(database)
  const admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await signedIn(portal, admin, '/manage/screen-configuration/storageconfig')
  await page.getByLabel('Storage URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.getByLabel('User name').fill('screens')
  const password = page.getByRole('textbox', { name: 'Password' })
  await password.fill('wrong')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await page.getByText('Repository authentication failed.').first().waitFor()
  await password.fill('right password')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await page.getByText('WebDAV, last sign-in succeeded').waitFor()
  expect(await password.inputValue()).toBe('')
}, 60_000)
