import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { faultsInBothSchemes, settled, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'

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

test('what a round needs is picked into its van, its change is given and comes back, and the rest is bought', async () => {
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  const water = await aProduct(portal.database, merchantId, { name: 'Still water 0.5 l', code: 'W05', cost: 20 })
  const aPlace = async (name: string, kind: string) => {
    const id = randomUUID()
    await portal.database.admin(
      'insert into stock_places (merchant_id, id, name, kind, created_at) values ($1, $2, $3, $4, now())',
      [merchantId, id, name, kind],
    )
    return id
  }
  const warehouse = await aPlace('Milano', 'warehouse')
  const roundId = await aRound(portal.database, merchantId, { name: 'Centro', van_id: await aPlace('Ducato', 'van') })
  const machine = await aMachine(portal.database, merchantId)
  const stopId = await aStop(portal.database, machine, { round_id: roundId })
  await portal.database.admin(
    `insert into round_loads (merchant_id, stop_id, machine_id, selection, product_id, product, capacity, quantity)
     values ($1, $2, $3, '11', $4, 'Still water 0.5 l', 10, 8)`,
    [merchantId, stopId, machine.id, water],
  )
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, `/stock-places/${warehouse}`)
  await page.getByRole('button', { name: 'Book a delivery' }).click()
  const delivery = page.getByRole('dialog', { name: 'Book a delivery: Milano' })
  await delivery.getByRole('combobox', { name: 'Product' }).first().click()
  await page.getByRole('option', { name: 'Still water 0.5 l' }).click()
  await delivery.getByRole('textbox', { name: 'Pieces' }).fill('6')
  await delivery.getByRole('button', { name: 'Book', exact: true }).click()
  await delivery.waitFor({ state: 'detached' })

  await page.goto(new URL(`/devices/rounds/${roundId}/pick-list`, page.url()).href)
  await page.getByText('Into the van').click()
  await page.getByText('Only 6 pieces are here.').waitFor()
  await page.getByRole('checkbox', { name: /Still water/ }).check()
  await settled(page)
  expect(await faultsInBothSchemes(page, 'warehouse/picking')).toEqual([])
  await page.getByRole('button', { name: 'Book 6 pieces into Ducato' }).click()
  await page.getByText('None are here.').waitFor()

  await page.getByRole('link', { name: 'Cash', exact: true }).click()
  await page.getByRole('button', { name: 'Give change' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Amount' }).fill('50')
  await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
  await page.getByRole('button', { name: 'Take change back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
  await page.getByText('Returned', { exact: true }).waitFor()
  await page.setViewportSize(sizes.phone)
  await settled(page)
  expect(await faultsInBothSchemes(page, 'warehouse/round-cash-phone')).toEqual([])

  await page.goto(new URL('/products-to-buy', page.url()).href)
  await page.getByText('Nothing to buy').waitFor()
  expect(page.complaints).toEqual([])
})
