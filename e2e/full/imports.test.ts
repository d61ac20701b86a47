import { expect, test } from 'vitest'
import { faultsInBothSchemes, settled, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMerchant } from '#testkit/fixtures.ts'

const fileOf = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('clients of another system are mapped, previewed with an error, imported, and undone as a whole', async () => {
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, '/dashboard')
  await page.getByRole('button', { name: 'Organisation', exact: true }).click()
  await page.getByRole('link', { name: 'Imports', exact: true }).click()
  await page.getByText('No imports yet').waitFor()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'imports/empty')).toEqual([])
  await page
    .getByRole('button', { name: 'Import a file' })
    .or(page.getByRole('link', { name: 'Import a file' }))
    .first()
    .click()
  await page.getByRole('combobox', { name: 'What does the file contain?' }).selectOption({ label: 'Clients' })
  const content = 'Nr;Wer;Country;City\n7;Scuola Verdi;Italy;Milano\n8;Bar Roma;Atlantis;Roma\n'
  await page.locator('input[type=file]').setInputFiles(fileOf('clients.csv', content))
  // Only two of the four headings are known.
  await page.getByText('Choose a column for: Name').waitFor()
  await page.getByRole('combobox', { name: 'Field of column Wer' }).selectOption({ label: 'Name' })
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
  await page.getByRole('combobox', { name: 'Field of column Nr' }).selectOption({ label: 'Code' })
  await page.getByText('Country “Atlantis”: Choose one of the options').waitFor()
  await page.getByText('1 row with errors is left out.').waitFor()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'imports/preview')).toEqual([])
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByText('1 row imported').waitFor()
  await page.getByRole('cell', { name: 'clients.csv', exact: true }).waitFor()
  const clients = () => portal.database.admin('select code, name from clients where merchant_id = $1', [merchantId])
  expect(await clients()).toEqual([{ code: '7', name: 'Scuola Verdi' }])
  // The headings of the last file are known now.
  await page.goto(new URL('/manage/imports/create', page.url()).href)
  await page.locator('input[type=file]').setInputFiles(fileOf('clients.csv', content))
  await page.getByText('Nothing to import: no row is new or changed.').waitFor()
  await page.setViewportSize(sizes.phone)
  await settled(page)
  expect(await faultsInBothSchemes(page, 'imports/preview-phone')).toEqual([])
  await page.setViewportSize(sizes.desktop)
  await page.goto(new URL('/manage/imports', page.url()).href)
  await page.getByRole('button', { name: 'Undo clients.csv' }).click()
  await page.getByText('1 new rows are deleted').waitFor()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'imports/list')).toEqual([])
  expect(await clients()).toEqual([])
  expect(page.complaints).toEqual([])
})
