import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsSeen, sizes, takePicture } from '#testkit/browser/looks.ts'
import { openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aChange } from '#testkit/changes.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { filterBar } from '#testkit/list-filters.ts'

/* A merchant's admin changes settings of its machines, creates a token for an integration, sets the handling of
   alarms, and reads the audit log. */

const patience = { timeout: 30_000 }

let portal: TestPortal & { stop: () => Promise<void> }
let merchantId: string
let admin: { email: string }
let user: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  merchantId = (await aMerchant(portal.database, { name: 'Caffè Aurora' })).id
  const machine = await aMachine(portal.database, merchantId, { name: 'Lobby east' })
  await aChange(portal.database, merchantId, {
    at: '2026-11-20T11:00:00Z',
    subject_id: machine.id,
    user_name: 'Ada Rossi',
    before: JSON.stringify({ name: 'Lobby', address: null }),
    after: JSON.stringify({ name: 'Lobby east', address: 'Via Roma 1' }),
  })
  admin = await somebody('merchantAdmin', 'Ada Rossi')
  user = await somebody('merchantUser', 'Bruno Neri')
}, 300_000)
afterAll(() => portal?.stop(), 60_000)

async function somebody(role: 'superAdmin' | 'merchantAdmin' | 'merchantUser', name: string) {
  const scope = role === 'superAdmin' ? [] : [{ merchantId, groups: 'all' as const }]
  const person = await aUserWithPassword(portal.database, role, scope)
  await portal.database.admin('update users set name = $2 where id = $1', [person.id, name])
  return person
}

const faults = (page: Page, name: string) => faultsSeen(page, `settings/${name}`, { fullPage: true })
const toasted = (page: Page, text: string) => page.getByText(text).first().waitFor()

describe('merchant settings', () => {
  test('are validated, saved, and still there after a reload', async () => {
    const page = await signedIn(portal, admin, '/manage/merchant-settings')
    const pin = page.getByLabel('Association PIN')
    await pin.waitFor()
    expect(await faults(page, 'settings')).toEqual([])
    await page.getByRole('button', { name: 'Enter a PIN' }).click()
    await pin.fill('1234567')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The PIN must have 8 digits').waitFor()
    await pin.fill('87654321')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('This PIN is too simple or not available').first().waitFor()
    await pin.fill('40271958')
    await page.getByLabel('Minimum signal level').fill('30')
    await page.getByLabel('Maximum refund').fill('25')
    await page.getByLabel('Prices sync').selectOption('afterAudit')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toasted(page, 'Settings saved.')
    await page.reload()
    await expect.poll(() => pin.inputValue(), patience).toBe('40271958')
    expect(await page.getByLabel('Minimum signal level').inputValue()).toBe('30')
    const [stored] = await portal.database.admin(
      'select maximum_refund::int as refund, prices_sync from merchant_settings where merchant_id = $1',
      [merchantId],
    )
    expect(stored).toEqual({ refund: 2500, prices_sync: 'afterAudit' })
    // The refusal of the simple PIN.
    expect(page.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
  })

  test('a new PIN is created after confirmation', async () => {
    const page = await signedIn(portal, admin, '/manage/merchant-settings')
    const pin = page.getByLabel('Association PIN')
    await pin.waitFor()
    const before = await pin.inputValue()
    await page.getByRole('button', { name: 'Generate PIN' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Generate PIN' }).click()
    await toasted(page, 'New PIN generated.')
    await expect.poll(() => pin.inputValue(), patience).not.toBe(before)
    expect(await pin.inputValue()).toMatch(/^\d{8}$/)
  })

  test('a token is shown once, reads with curl’s header, is rotated and revoked', async () => {
    const page = await signedIn(portal, admin, '/manage/merchant-settings')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New API token' })
    await dialog.getByLabel('Name').fill('ERP')
    await dialog.getByLabel('machines', { exact: true }).check()
    expect(await faults(page, 'token-new')).toEqual([])
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const shown = page.getByRole('dialog', { name: 'Token of ERP' })
    const token = (await shown.locator('code').textContent()) ?? ''
    expect(token).toMatch(/^gtt_[\w-]{43}$/)
    expect(await faults(page, 'token-shown')).toEqual([])
    await shown.getByRole('button', { name: 'Done' }).click()
    const read = async (bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}` }
      return (await fetch(`${portal.url}/api/v1/merchants/${merchantId}/pos/paged`, { headers })).status
    }
    expect(await read(token)).toBe(200)
    expect(await page.content()).not.toContain(token)
    await page.reload()
    await page.getByText(/^May: .*machines/).waitFor()
    await page.getByText('from 127.0.0.1').waitFor()
    await takePicture(page, 'settings/token-listed')
    await page.getByRole('button', { name: 'Rotate ERP' }).click()
    await page.getByLabel('Previous token').selectOption('0')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await shown.getByRole('button', { name: 'Done' }).click()
    expect(await read(token)).toBe(401)
    await page.getByRole('button', { name: 'Revoke ERP' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No tokens yet.').waitFor()
  })

  test('fit a phone, also in the dark', async () => {
    const page = await signedIn(portal, admin, '/manage/merchant-settings', {
      viewport: sizes.phone,
      colorScheme: 'dark',
    })
    await page.getByLabel('Association PIN').waitFor()
    expect(await faults(page, 'settings-phone-dark')).toEqual([])
  })
})

describe('alarm settings', () => {
  test('an admin sets how alarms of a code are handled, and undoes it', async () => {
    const page = await signedIn(portal, admin, '/manage/merchant-alarms-settings')
    await page.locator('main [data-row]').nth(10).waitFor()
    expect(await faults(page, 'alarms')).toEqual([])
    await page.getByPlaceholder('Code or name').fill('banknote jam')
    await page.getByRole('link', { name: 'Banknote jam' }).click()
    await page.getByRole('heading', { level: 1, name: 'Banknote jam' }).waitFor()
    await page.getByLabel('Delay').fill('30')
    const addresses = page.getByRole('combobox', { name: 'Additional addresses' })
    await addresses.fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByRole('switch', { name: /^Quiet hours/ }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Enter a valid email').first().waitFor()
    expect(await faults(page, 'alarm')).toEqual([])
    await addresses.click()
    await page.keyboard.press('Backspace')
    await addresses.fill('Ops@Example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toasted(page, 'Setting saved.')
    const stored = () =>
      portal.database.admin('select delay_minutes, addresses, quiet_from from alarm_settings where merchant_id = $1', [
        merchantId,
      ])
    expect(await stored()).toEqual([{ delay_minutes: 30, addresses: ['ops@example.com'], quiet_from: 1320 }])
    await page.getByRole('button', { name: 'Restore default' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore default' }).click()
    await toasted(page, 'Restored to default')
    expect(await stored()).toEqual([])
  })

  test('the default of all others has a page of its own, which fits a phone', async () => {
    const page = await signedIn(portal, admin, '/manage/merchant-alarms-settings/P:ALL', { viewport: sizes.phone })
    await page.getByRole('heading', { level: 1, name: 'All other alarms' }).waitFor()
    expect(await faults(page, 'alarm-phone')).toEqual([])
    expect(await page.getByLabel('Raise this alarm').count()).toBe(0)
  })
})

describe('the audit log', () => {
  test('says who changed what, before and after, and links to the subject', async () => {
    const page = await signedIn(portal, admin, '/manage/audit-log')
    await page.getByText('Machine changed').first().waitFor()
    expect(await faults(page, 'log')).toEqual([])
    await page
      .locator('main [data-row]')
      .filter({ hasText: 'Machine changed' })
      .first()
      .click({ position: { x: 8, y: 8 } })
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('row', { name: 'Name Lobby Lobby east' }).waitFor()
    expect(await faults(page, 'log-drawer')).toEqual([])
    expect(page.url()).toContain('change=')
    await drawer.getByRole('link', { name: 'Lobby east' }).click()
    await page.getByRole('heading', { level: 1, name: /Lobby east/ }).waitFor()
  })

  test('never contains a PIN, and fits a phone in the dark', async () => {
    const page = await signedIn(portal, admin, '/manage/audit-log', { viewport: sizes.phone, colorScheme: 'dark' })
    await page.getByText('Settings changed').first().waitFor()
    expect(await faults(page, 'log-phone-dark')).toEqual([])
    const log = JSON.stringify(await portal.database.admin('select before, after from change_log'))
    for (const secret of ['40271958', '12345678', 'gtt_']) expect(log).not.toContain(secret)
  })

  test('of the platform is only for super admins', async () => {
    const provider = await somebody('superAdmin', 'Pia Prov')
    const colleague = await somebody('superAdmin', 'Cem Coll')
    const page = await signedIn(portal, provider, `/admin/users/${colleague.id}`)
    await page.getByLabel('Name').fill('Cem Changed')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toasted(page, 'User saved')
    await page.goto('/admin/provider-log')
    await page.getByText('User changed').first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('row', { name: 'Name Cem Coll Cem Changed' }).waitFor()
    await drawer.getByRole('row', { name: 'Role Super admin Super admin' }).waitFor()
    expect(await faults(page, 'provider-log')).toEqual([])
    await drawer.getByRole('link', { name: 'View full history' }).click()
    await page.waitForURL(/subjectId=/)
    await filterBar(page).getByText('Cem Changed').waitFor()
    expect(await page.locator('main [data-row]').count()).toBe(1)
    const other = await signedIn(portal, admin, '/dashboard')
    await other.goto('/admin/provider-log')
    await other.waitForURL(/unauthorized/)
  })

  test('is only for admins', async () => {
    const page = await signedIn(portal, user, '/dashboard')
    for (const path of ['/manage/audit-log', '/manage/merchant-settings', '/manage/merchant-alarms-settings']) {
      await page.goto(path)
      await page.waitForURL(/unauthorized/)
    }
  })
})

test('a missing user has a not-found message with a link to the others', async () => {
  const page = await signedIn(portal, admin, `/manage/users/${randomUUID()}`)
  await page.getByText('User not found').waitFor()
  await page.locator('main').getByRole('link', { name: 'Users' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
})
