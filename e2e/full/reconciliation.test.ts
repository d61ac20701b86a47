import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { overflow, sizes } from '#testkit/browser/looks.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* Matched days, resets and swapped boards in the demo. The simulator is off. */

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 240_000)
afterAll(() => product?.stop(), 60_000)

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

const rows = (page: Page) => page.locator('main [data-row]')
const drawer = (page: Page) => page.getByRole('dialog')

test('a late sale makes the day match', async () => {
  const [lost] = await product.database.admin<{ machine: string; at: Date; count: number; value: number }>(
    `select i.machine_id as machine, i.ends_at as at, i.sold_count - s.count as count, (i.sold_value - s.value)::int as value
     from audit_intervals i, lateral (select count(*) as count, sum(value) as value from transactions t
       where t.machine_id = i.machine_id and t.seq > i.begin_seq and t.seq < i.seq and t.type in (1, 14, 15)
         and not t.error_sale) s
     where i.merchant_id = $1 and i.kind = 'counted' and i.sold_count <> s.count`,
    [aurora.id],
  )
  if (!lost) throw new Error('No sale was lost')
  expect(Number(lost.count)).toBe(1)
  const [missing] = await product.database.admin<{ isCash: boolean }>(
    `select i.cash_count <> (select count(*) from transactions t where t.machine_id = i.machine_id and t.seq > i.begin_seq
         and t.seq < i.seq and t.type in (1, 14, 15) and paid_with(t.type, t.media_type, t.media_source, t.paid_with) = 1
         and not t.error_sale) as "isCash"
     from audit_intervals i where i.machine_id = $1 and i.ends_at = $2`,
    [lost.machine, lost.at],
  )
  await product.database.admin(
    `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, free_sale,
       error_sale, value, value_charge)
     values ($1, $2::timestamptz - interval '1 minute', gen_random_uuid(), $3, now(), 1, $4, $5, false, false, $6, 0)`,
    // In cash, or with the credit of a key: a key at the coin mechanism would be paid in cash.
    [aurora.id, lost.at, lost.machine, ...(missing?.isCash ? [1, 1] : [2, 5]), lost.value],
  )
  const page = await signedIn(
    product,
    'superAdmin',
    `/transactions/reconciliation?merchant=${aurora.id}&states=differs`,
  )
  await page.getByText('No results for these filters').first().waitFor()
  expect(page.complaints).toEqual([])
})

test('a machine’s readings and days show a reset and a swapped board, also on a phone', async () => {
  const found = await product.database.admin<{ id: string; kind: string }>(
    `select machine_id as id, kind from audit_intervals where merchant_id = $1 and kind in ('reset', 'boardSwapped') order by kind`,
    [aurora.id],
  )
  expect(found.map(({ kind }) => kind)).toEqual(['boardSwapped', 'reset'])
  const [swapped, reset] = found
  const page = await signedIn(product, 'superAdmin', `/devices/${swapped?.id}/audits?merchant=${aurora.id}`)
  await rows(page).first().waitFor()
  await rows(page).getByText('Board replaced').first().waitFor()
  await page.getByRole('link', { name: 'Days', exact: true }).click()
  await rows(page).getByText('Board replaced').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const phone = await signedIn(product, 'superAdmin', `/devices/${reset?.id}/audits/days?merchant=${aurora.id}`, {
    viewport: sizes.phone,
  })
  await rows(phone).getByText('Reset', { exact: true }).first().waitFor()
  expect(await overflow(phone)).toBe(0)
  expect(await accessibilityFaults(phone)).toEqual([])
  // Soon after midnight the newest day has no reading yet.
  await rows(phone)
    .filter({ has: phone.getByText('Reset', { exact: true }) })
    .first()
    .press('Enter')
  await drawer(phone).getByRole('table', { name: 'Audited vs. transmitted' }).waitFor()
  // While it is switched on it fades in.
  await drawer(phone).getByRole('button', { name: 'Download' }).click({ trial: true })
  await phone.waitForTimeout(500)
  expect(await accessibilityFaults(phone)).toEqual([])
  expect([...page.complaints, ...phone.complaints]).toEqual([])
})
