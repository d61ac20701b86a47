import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startConnector } from '#simulator/connector/connector.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

/* A licence of the connector from its creation to its end: office, end client and computer. */

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal()
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

const until = { timeout: 20_000, interval: 100 }

test('a licence is created, sent, confirmed by the client, activated by the connector, moved and unassigned', async () => {
  const { database, url } = portal
  const { id: merchantId } = await aMerchant(database, { name: 'Vendomat' })
  const first = await aMachine(database, merchantId, { name: 'Lobby' })
  const second = await aMachine(database, merchantId, { name: 'Terrace' })
  const scope = [{ merchantId, groups: 'all' as const }]
  const officer = await aUserWithPassword(database, 'merchantUser', scope, { allowLicensing: true })
  const page = await signedIn(portal, officer, '/service-manager')

  // Created for a machine, and sent.
  await page.getByRole('link', { name: 'New licence' }).first().click()
  await page.getByRole('combobox', { name: 'Machines' }).click()
  await page.getByRole('option', { name: `Lobby · ${first.serial}` }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Organization' }).fill('Bar Sport srl')
  await page.getByRole('textbox', { name: 'Establishment' }).fill('Bar Sport')
  await page.getByRole('textbox', { name: 'Client’s email' }).fill('bar@client.test')
  await page.getByLabel('Language of mails').selectOption('en')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /^LIC-/ }).waitFor()
  await page.getByRole('button', { name: 'Send to client' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send to client' }).click()
  await page.getByText('Sent', { exact: true }).first().waitFor()

  // The client opens the mailed link without an account, and confirms.
  const client = await aPage({ baseURL: url })
  await client.goto('/mailbox')
  await client.getByRole('link').filter({ hasText: 'bar@client.test' }).first().click()
  const link = client.frameLocator('iframe').getByRole('link', { name: 'Check the data' })
  const address = String(await link.getAttribute('href'))
  await client.goto(address)
  await client.getByText('Bar Sport srl').waitFor()
  await client.getByRole('button', { name: 'Confirm data' }).click()
  const shown = client.getByRole('status', { name: 'Licence key' })
  const licenceKey = (await shown.innerText()).trim()
  expect(licenceKey).toMatch(/^([0-9A-Z]{5}-){4}[0-9A-Z]{5}$/)
  await client.goto(address)
  await client.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  // A signed-in user has no use for the page.
  await page.getByText('Confirmed', { exact: true }).first().waitFor()
  const licencePage = page.url()
  await page.goto(address)
  await page.waitForURL('**/dashboard*')

  // The connector activates at the machine; after a move only the other machine's connector does.
  const connectorAt = (serial: string) => {
    const machine = { serial, boardSerial: `BOARD-${serial}`, connectorVersion: '2.4.1' }
    const connector = startConnector({ origin: url, licenceKey, machine, beatMs: 200 })
    onTestFinished(() => connector.stop())
    return connector
  }
  const lobby = connectorAt(first.serial)
  await vi.waitFor(async () => expect(await lobby.isLicensed()).toBe(true), until)
  await page.goto(licencePage)
  await page.getByText(`BOARD-${first.serial}`).first().waitFor()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('combobox', { name: 'Machine' }).fill('Terr')
  await page.getByRole('option', { name: `Terrace · ${second.serial}` }).click()
  await page.getByRole('button', { name: 'Move licence' }).click()
  await page.getByText('Licence moved').waitFor()
  await vi.waitFor(() => expect(lobby.refusal()).toBe('LicenceOfOtherMachine'), until)
  const terrace = connectorAt(second.serial)
  await vi.waitFor(async () => expect(await terrace.isLicensed()).toBe(true), until)

  // Unassigned with its case, it runs nowhere.
  await page.reload()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unassign' }).click()
  await page.getByRole('radio', { name: 'Change of customer' }).check()
  await page.getByRole('button', { name: 'Unassign licence' }).click()
  await page.getByText('Licence unassigned').waitFor()
  await vi.waitFor(() => expect(terrace.refusal()).toBe('LicenseDoesNotExistException'), until)
  expect(await terrace.isLicensed()).toBe(false)
  await page.getByText('Change of customer').first().waitFor()
  expect(page.complaints).toEqual([])
})
