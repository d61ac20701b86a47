import { expect, test } from 'vitest'
import { faultsInBothSchemes, settled, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'

test('a warehouse is created, a delivery booked, a part of it moved into a van, and a count finds a difference', async () => {
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  await aProduct(portal.database, merchantId, { name: 'Still water 0.5 l', code: 'W05', cost: 20 })
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, '/dashboard')
  await page.getByRole('button', { name: 'Rounds and stock', exact: true }).click()
  await page.getByRole('link', { name: 'Warehouses and vans', exact: true }).click()
  for (const [name, kind] of [
    ['Ducato', 'Van'],
    ['Milano', 'Warehouse'],
  ] as const) {
    await page.goto(new URL('/stock-places/create', page.url()).href)
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: kind })
    await page.getByRole('button', { name: /^(Create|Save)/ }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  const dialogOf = (name: string) => page.getByRole('dialog', { name: `${name}: Milano` })
  const choose = async (dialog: ReturnType<typeof dialogOf>, label: string, option: string) => {
    await dialog.getByRole('combobox', { name: label }).first().click()
    await page.getByRole('option', { name: option }).click()
  }
  await page.getByRole('button', { name: 'Book a delivery' }).click()
  const delivery = dialogOf('Book a delivery')
  await choose(delivery, 'Product', 'Still water 0.5 l')
  await delivery.getByRole('textbox', { name: 'Pieces' }).fill('48')
  await delivery.getByRole('textbox', { name: 'Cost per piece' }).fill('0,22')
  await delivery.getByRole('textbox', { name: 'Lot' }).fill('L-7')
  expect(await faultsInBothSchemes(page, 'warehouse/delivery')).toEqual([])
  await delivery.getByRole('button', { name: 'Book', exact: true }).click()
  await delivery.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'L-7' }).waitFor()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const transfer = dialogOf('Move')
  await choose(transfer, 'To', 'Ducato')
  await choose(transfer, 'Product', 'Still water 0.5 l')
  await transfer.getByRole('textbox', { name: 'Pieces' }).fill('60')
  await transfer.getByRole('button', { name: 'Book', exact: true }).click()
  await page.getByText('Not enough pieces of Still water 0.5 l.').first().waitFor()
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('409')])
  await transfer.getByRole('textbox', { name: 'Pieces' }).fill('20')
  await transfer.getByRole('button', { name: 'Book', exact: true }).click()
  await transfer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Count', exact: true }).click()
  const count = dialogOf('Count')
  await choose(count, 'Product', 'Still water 0.5 l')
  await count.getByRole('textbox', { name: 'Counted' }).fill('27')
  await count.getByRole('button', { name: 'Book', exact: true }).click()
  await count.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: '27', exact: true }).first().waitFor()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'warehouse/lots')).toEqual([])
  await page.getByRole('link', { name: 'Stock movements' }).click()
  await page
    .getByRole('cell', { name: '-1', exact: true })
    .or(page.getByRole('cell', { name: '−1', exact: true }))
    .first()
    .waitFor()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'warehouse/movements')).toEqual([])
  await page.getByRole('link', { name: 'Warehouses and vans' }).first().click()
  await page.getByRole('cell', { name: '20', exact: true }).first().waitFor()
  await page.setViewportSize(sizes.phone)
  await settled(page)
  expect(await faultsInBothSchemes(page, 'warehouse/list-phone')).toEqual([])
  expect(page.complaints).toEqual([])
})
