import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOfMachine } from '#database/key-portal/machine-place.ts'
import { faultsSeen } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

/* A machine that may associate again. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

test('an admin allows a machine to associate again from its page, and ends that period', async () => {
  const { id: merchantId } = await aMerchant(portal.database)
  const machine = await aMachine(portal.database, merchantId, { name: 'Lobby east' })
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, `/devices/${machine.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Allow re-association' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow re-association' }).click()
  const banner = page.getByRole('region', { name: 'Allow re-association' })
  await banner.getByText('or until it signs in').waitFor()
  expect(await faultsSeen(page, 'associate/window')).toEqual([])
  await banner.getByRole('button', { name: 'End re-association' }).click()
  await banner.waitFor({ state: 'detached' })

  // The label with the machine's QR code names it too.
  await page.goto('/associate')
  await page
    .getByRole('textbox', { name: 'Serial' })
    .fill(`${portal.url}/m/${await codeOfMachine(portal.database, machine.serial)}`)
  await page.getByRole('link', { name: 'Lobby east' }).waitFor()
  expect(page.complaints).toEqual([])
})
