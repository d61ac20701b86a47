import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand } from '#testkit/machines/machine-data.ts'

/* Commands to many machines, each in its own time zone. No machine connects: sent commands stay pending. */

const timeZone = 'Europe/Rome'
let product: Awaited<ReturnType<typeof openPortal>>
let merchantId: string
let provider: { email: string }
let inMerchant: string
beforeAll(async () => {
  product = await openPortal()
  merchantId = (await aMerchant(product.database, { time_zone: timeZone })).id
  provider = await aUserWithPassword(product.database, 'superAdmin')
  inMerchant = `merchant=${merchantId}`
}, 180_000)
afterAll(() => product?.stop(), 60_000)

/** Machines in a group of their own, offline since yesterday, so that one filter finds exactly these. */
async function aFleet(count: number): Promise<{ groupId: string; machines: TestMachine[] }> {
  const groupId = await aGroup(product.database, merchantId)
  const columns = { connection: 0, last_seen_at: new Date(Date.now() - 25 * 3_600_000) }
  const machines = await Promise.all(
    Array.from({ length: count }, () => aMachine(product.database, merchantId, { groupId, columns })),
  )
  return { groupId, machines }
}

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const outcomeOf = (page: Page, machine: TestMachine) =>
  page.getByRole('list', { name: 'Results by machine' }).getByRole('listitem').filter({ hasText: machine.name })

test('a command goes out to all machines that a filter finds; each machine shows its result or why it was refused', async () => {
  const { groupId, machines } = await aFleet(23)
  const [busy, other] = machines as [TestMachine, TestMachine]
  await aCommand(product.database, busy, { type: 4 })
  const page = await signedIn(product, provider, `/devices/list?${inMerchant}&groupIds=${groupId}`)
  await page.locator('main [data-row]').first().waitFor()
  await page.getByRole('checkbox', { name: /Select all/ }).check()
  await page.getByRole('button', { name: /Select all 23|all 23/ }).click()
  await page.getByRole('button', { name: 'Send command' }).click()
  await page.getByText('23 machines selected').waitFor()
  await next(page).click()
  await page.getByRole('radio', { name: /^Restart/ }).click()
  await next(page).click()
  await next(page).click()
  await page.getByText('23 machines will restart').waitFor()
  await page.getByText('23 machines are offline').waitFor()
  await page.getByRole('button', { name: 'Send to 23 machines' }).click()

  await page.getByText('0 of 22 finished').waitFor()
  await outcomeOf(page, busy).getByText('Not sent').waitFor()
  await outcomeOf(page, busy).getByText('Another remote command of this type is pending.').waitFor()
  // A command to an offline machine is not shown as received.
  await outcomeOf(page, other).getByText('Scheduled').waitFor()
  await outcomeOf(page, other)
    .getByText(/Machine offline. Last seen/)
    .waitFor()
  const sent = await product.database.admin<{ status: number; order_id: string }>(
    'select status, order_id from remote_commands where machine_id = any($1) and order_id is not null',
    [machines.map(({ id }) => id)],
  )
  expect(sent).toHaveLength(22)
  expect(new Set(sent.map(({ order_id }) => order_id)).size).toBe(1)

  // The batch is in the list, where pending commands are cancelled at once.
  await page.getByRole('button', { name: 'View this batch' }).click()
  await page.locator('main [data-row]').first().waitFor()
  await page.getByRole('checkbox', { name: /Select all/ }).check()
  await page.getByRole('button', { name: /all 22/ }).click()
  await page.getByRole('button', { name: 'Cancel command' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 22 commands' }).click()
  await page.getByText('22 commands cancelled').waitFor()
  const cancelled = await product.database.admin(
    'select from remote_commands where order_id = $1 and status = 3 and result = -3 and cancel_requested',
    [sent[0]?.order_id],
  )
  expect(cancelled).toHaveLength(22)
  expect(page.complaints).toEqual([])
})
