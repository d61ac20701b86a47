import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { overflow, sizes } from '#testkit/browser/looks.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { aGroup, aMachine, type TestMachine } from '#testkit/fixtures.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* Commands on a phone: a machine's usual commands, and the wizard. The simulator is off: sent commands stay pending. */

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')
const inAurora = `merchant=${aurora.id}`

/** Machines in a group of their own, offline since yesterday, so that one filter finds exactly these. */
async function aFleet(count: number): Promise<{ groupId: string; machines: TestMachine[] }> {
  const merchantId = aurora?.id ?? ''
  const groupId = await aGroup(product.database, merchantId)
  const columns = { connection: 0, last_seen_at: new Date(Date.now() - 25 * 3_600_000) }
  const machines = await Promise.all(
    Array.from({ length: count }, () => aMachine(product.database, merchantId, { groupId, columns })),
  )
  return { groupId, machines }
}

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })

test('on a phone a machine’s five usual commands are a sheet with one confirmation', async () => {
  const { machines } = await aFleet(1)
  const [machine] = machines as [TestMachine]
  const page = await signedIn(product, 'superAdmin', `/devices/${machine.id}?${inAurora}`, { viewport: sizes.phone })
  await page.getByRole('button', { name: 'Send command' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('heading', { name: `Commands for ${machine.name}` }).waitFor()
  expect(await sheet.getByRole('listitem').count()).toBe(5)
  expect(await accessibilityFaults(page)).toEqual([])
  await sheet.getByRole('listitem').getByRole('button', { name: 'Restart' }).click()
  await sheet.getByText('The machine is offline. The command waits').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Restart', exact: true }).click()
  await page.getByText(`Restart sent to ${machine.name}`).waitFor()
  await sheet.waitFor({ state: 'detached' })
  const stored = () => product.database.admin('select type from remote_commands where machine_id = $1', [machine.id])
  expect(await stored()).toEqual([{ type: 4 }])

  // The same command again is refused with a message, and nothing is sent.
  await page.getByRole('button', { name: 'Send command' }).click()
  await sheet.getByRole('listitem').getByRole('button', { name: 'Restart' }).click()
  await sheet.getByRole('button', { name: 'Restart', exact: true }).click()
  await sheet.getByRole('alert').getByText('Another remote command of this type is pending.').waitFor()
  expect(await stored()).toHaveLength(1)
  await sheet.getByRole('button', { name: 'Back' }).click()
  await sheet.getByRole('link', { name: 'View all commands' }).click()
  await page.getByText('1 machine selected').waitFor()
  // A machine's page calls the simulator, which is off in this test.
  expect(page.complaints.filter((line) => !/409|503/.test(line))).toEqual([])
})

test('on a phone the wizard shows chosen machines as chips, and its footer stays in sight', async () => {
  const { groupId, machines } = await aFleet(23)
  const address = `/devices/remote-commands?${inAurora}&groupIds=${groupId}&matching=${machines.length}`
  const page = await signedIn(product, 'superAdmin', address, { viewport: sizes.phone })
  await page.getByText('23 machines selected').waitFor()
  const chips = page.getByRole('button', { name: /^Remove (?!all)/ })
  expect(await chips.count()).toBe(4)
  expect(await page.getByRole('list', { name: 'Machines' }).count()).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: '+ 19 more' }).click()
  expect(await chips.count()).toBe(23)
  expect(await next(page).isVisible()).toBe(true)
  await next(page).click()
  await page.getByRole('radio', { name: /^Read audit/ }).waitFor()
  const inView = async () => {
    const box = await next(page).boundingBox()
    return box !== null && box.y >= 0 && box.y + box.height <= sizes.phone.height
  }
  expect(await inView()).toBe(true)
  await page.mouse.wheel(0, 500)
  await expect.poll(inView).toBe(true)
  expect(await overflow(page)).toBe(0)
  expect(page.complaints).toEqual([])
})
