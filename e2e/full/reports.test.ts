import { readFile } from 'node:fs/promises'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsSeen, settled } from '#testkit/browser/looks.ts'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'
import { textsOfPdf } from '#testkit/pdf-text.ts'

let portal: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
  portal = await openPortal({}, ['api', 'worker'])
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

/** Noon of the tenth, some months ago. */
const tenth = (monthsAgo: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 10, 12))
}

test('a report by a parameter of products is compared, read as PDF, saved and received by mail', {
  timeout: 120_000,
}, async () => {
  const { database } = portal
  await database.admin('select ensure_partitions($1, $2)', [tenth(3), tenth(0)])
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId, { name: 'Station' })
  for (const [code, value] of [
    ['Organic coffee', 'Bio'],
    ['Crisps', 'Classic'],
  ] as const) {
    const parameters = JSON.stringify([{ name: 'Line', value }])
    const product = await aProduct(database, merchantId, { name: code, cost: 30, parameters })
    await aProductCode(database, machine, { code, product_id: product })
  }
  for (const [product, price, monthsAgo] of [
    ['Organic coffee', 150, 1],
    ['Organic coffee', 150, 1],
    ['Crisps', 200, 1],
    ['Organic coffee', 150, 2],
    // Data begin before the compared month.
    ['Crisps', 200, 3],
  ] as const)
    await aSale(database, machine, { product, value: price, created_at: tenth(monthsAgo) })
  const admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])

  const page = await signedIn(portal, admin, '/transactions/reports', { viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(15_000)
  await page.getByLabel('Group by').selectOption({ label: 'Product parameter' })
  await page.getByLabel('Compare with').selectOption({ label: 'Previous period' })
  await page.getByRole('button', { name: 'Period' }).click()
  await page.getByRole('button', { name: 'Previous month' }).click()
  expect(await faultsSeen(page, 'reports')).toEqual([])
  await page.getByRole('button', { name: 'Show report' }).click()
  const bio = page.getByRole('row', { name: /^Bio/ })
  await bio.waitFor()
  expect(await bio.innerText()).toMatch(/€\s3,00[\s\S]*\+100/)
  await settled(page)
  expect(await faultsSeen(page, 'report', { fullPage: true })).toEqual([])
  const totals = await page.getByRole('row', { name: /^Total/ }).innerText()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ])
  const texts = textsOfPdf(await readFile(await file.path()))
    .join('\n')
    .replaceAll('\u00a0', ' ')
  expect(texts).toContain('Bio')
  expect(texts).toContain('€ 5,00')
  if (process.env.PDF_COPY) await file.saveAs(process.env.PDF_COPY)

  // The same total in the statistics, and the list behind a figure.
  const here = new URL(page.url())
  await page.goto(
    `${portal.url}/transactions/stats?${new URLSearchParams({ merchant: merchantId, period: 'previousMonth' })}`,
  )
  await page
    .getByRole('link', { name: /^Value/ })
    .getByText('€ 5,00')
    .waitFor()
  expect(totals.replaceAll('\u00a0', ' ')).toContain('€ 5,00')
  await page.goto(here.href)
  await bio.getByRole('link').nth(1).click()
  const sales = page.getByRole('row', { name: /Organic coffee/ })
  await sales.nth(1).waitFor()
  expect(await sales.count()).toBe(2)
  await page.goBack()

  await page.getByRole('button', { name: 'Save report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Lines of the month')
  await dialog.getByLabel('Email it to me').selectOption({ label: 'Every month' })
  await dialog.getByRole('button', { name: 'Save report' }).click()
  await page.getByRole('heading', { name: 'Lines of the month' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await faultsSeen(page, 'report-phone', { fullPage: true })).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).last().click()
  await page.getByText(/Emailed every month/).waitFor()
  expect(await faultsSeen(page, 'reports-saved', { fullPage: true })).toEqual([])

  await page.getByRole('button', { name: 'Email it to me now' }).click()
  await expect
    .poll(async () => (await database.admin('select from mailbox where recipient = $1', [admin.email])).length, {
      timeout: 30_000,
    })
    .toBe(1)
  const [workbook] = await database.admin<{ bytes: Buffer }>(
    `select a.bytes from mailbox m join mailbox_attachments a on a.mail_id = m.id where m.recipient = $1 and a.position = 1`,
    [admin.email],
  )
  const [sheet] = (await readXlsx(workbook?.bytes as Buffer)).sheets
  expect(sheet?.rows.map((row) => row.slice(0, 2))).toEqual([
    ['Line', 'Sales (EUR)'],
    // The larger difference from the month before is first.
    ['Classic', 2],
    ['Bio', 3],
    ['Total', 5],
  ])

  // A wrong date of an address is named above the report and the list that show their own period.
  for (const path of ['/transactions/reports', '/transactions/data']) {
    await page.goto(`${path}?startDate=2026-02-31&endDate=2026-03-02`)
    await page.getByRole('alert').filter({ hasText: '2026-02-31' }).waitFor()
  }
  expect(await faultsSeen(page, 'wrong-dates')).toEqual([])
})
