import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { aUserWithPassword, password, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine } from '#testkit/fixtures.ts'
import { aCommand, anAlarm } from '#testkit/machines/machine-data.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/*
 * Acts of users in the portal, one per test. The simulator is off, so that only the act changes anything; it runs only in the
 * last test.
 */

const run = promisify(execFile)
const patience = 60_000

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')
const inAurora = `merchant=${aurora.id}`

/** A user of the first merchant that no other test uses. */
const aUser = () => aUserWithPassword(product.database, 'merchantAdmin', [{ merchantId: aurora.id, groups: 'all' }])

const theMachine = () => aMachine(product.database, aurora.id)
const rows = (page: Page) => page.locator('main [data-row]')

/** The drawer of an alarm, the only one of a machine created for this test. */
async function anOpenAlarm() {
  const machine = await theMachine()
  const id = await anAlarm(product.database, machine)
  const page = await signedIn(product, 'superAdmin', `/alarms?${inAurora}&search=${machine.serial}`)
  await rows(page).getByText(machine.name).waitFor()
  await rows(page).first().press('Enter')
  return { page, id, drawer: page.getByRole('dialog', { name: 'Banknote box full' }) }
}

test('an alarm is repaired by hand, with a note', async () => {
  const { page, drawer } = await anOpenAlarm()
  await drawer.getByRole('button', { name: 'Mark as repaired' }).click()
  const question = page.getByRole('dialog', { name: 'Mark this alarm as repaired?' })
  await question.getByLabel('Note (optional)').fill('Emptied the bill box')
  await question.getByRole('button', { name: 'Mark as repaired' }).click()
  await page.getByText('Alarm marked as repaired').waitFor()
  await question.waitFor({ state: 'hidden' })
  await drawer.getByText('Repaired manually').waitFor()
  await drawer.getByText('Emptied the bill box').first().waitFor()
  await drawer.getByText('Sara Conti').first().waitFor()
  await drawer.getByRole('button', { name: 'Mark as repaired' }).waitFor({ state: 'detached' })
  expect(page.complaints).toEqual([])
})

test('an alarm is deleted after a confirmation', async () => {
  const { page, drawer, id } = await anOpenAlarm()
  const question = page.getByRole('dialog', { name: 'Delete this alarm?' })
  await drawer.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Keep it' }).click()
  await question.waitFor({ state: 'hidden' })
  await drawer.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete alarm' }).click()
  await page.getByText('Alarm deleted').waitFor()
  await drawer.waitFor({ state: 'hidden' })
  await expect.poll(() => rows(page).count(), { timeout: patience }).toBe(0)
  expect(await product.database.admin('select id from alarms where id = $1', [id])).toEqual([])
  expect(page.complaints).toEqual([])
})

test('the time since an event is right at once, even after hours in the background', async () => {
  const machine = await theMachine()
  await anAlarm(product.database, machine)
  const page = await signedIn(product, await aUser(), '/dashboard')
  await page.clock.install()
  await page.goto('/manage/clients/create')
  await page.locator('main form').first().waitFor()
  await page.clock.fastForward('02:00:00')
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Alarms' }).click()
  // Half a minute later the clock would have updated automatically.
  await rows(page).filter({ hasText: machine.name }).getByText('3 hr ago').first().waitFor({ timeout: 20_000 })
})

test('a note is created, and deleted by its author', async () => {
  const machine = await theMachine()
  const page = await signedIn(product, 'superAdmin', `/devices/${machine.id}/notes?${inAurora}`)
  await page.getByLabel('New note').fill('The key hangs at the porter’s lodge')
  await page.getByRole('button', { name: 'Save note' }).click()
  const note = rows(page).getByText('The key hangs at the porter’s lodge')
  await note.waitFor()
  await page.getByRole('button', { name: 'Delete this note?' }).click()
  await page.getByRole('dialog', { name: 'Delete this note?' }).getByRole('button', { name: 'Delete note' }).click()
  await page.getByText('No notes yet').waitFor()
  expect(page.complaints).toEqual([])
})

test('the language changes without a reload, and is kept for the next sign-in', async () => {
  const person = await aUser()
  const page = await signedIn(product, person, '/settings/profile')
  let loads = 0
  page.on('load', () => loads++)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Italiano')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profilo' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('it')
  expect(loads).toBe(0)

  const next = await signedIn(product, person, '/settings/profile')
  await next.getByRole('heading', { level: 1, name: 'Profilo' }).waitFor()
})

test('the password is changed at the provider, which the profile links to', async () => {
  const person = await aUser()
  const page = await signedIn(product, person, '/settings/profile')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.waitForURL('**/identity/password')
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password', { exact: true }).fill('Another-secret-2')
  await page.getByLabel('Repeat new password').fill('Another-secret-2')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password has been changed').waitFor()
  await page.getByRole('link', { name: 'Back to your profile' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await signedIn(product, { ...person, password: 'Another-secret-2' }, '/dashboard')
})

test('the curl line for developers associates a machine, which then appears in the list', async () => {
  const page = await signedIn(product, 'superAdmin', `/associate?${inAurora}`)
  await page.getByText('For developers').click()
  const lines = page.locator('details', { hasText: 'For developers' })
  await lines.getByLabel('Serial').fill('ACTS-0001')
  await lines.getByLabel('Name').fill('Beside the lift')
  const line = await lines.getByRole('figure', { name: 'Associate and keep the secret' }).locator('code').innerText()
  const { stdout } = await run('sh', ['-c', line])
  expect(JSON.parse(stdout)).toMatchObject({ serial: 'ACTS-0001', secret: expect.any(String) })
  await page.goto(`/devices/list?${inAurora}&search=ACTS-0001`)
  await rows(page)
    .getByRole('link', { name: /Beside the lift/ })
    .waitFor()
  expect(page.complaints).toEqual([])
})

test('the wizard shows that another command of this type is pending', async () => {
  const machine = await theMachine()
  const later = new Date(Date.now() + 1_800_000)
  await aCommand(product.database, machine, { not_before: later, next_attempt_at: later })
  const page = await signedIn(product, 'superAdmin', `/devices/remote-commands?${inAurora}&posIds=${machine.id}`)
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await page.getByText('1 machine selected').waitFor()
  await next.click()
  await page.getByRole('radio', { name: /Read audit/ }).click()
  await next.click()
  await next.click()
  const answer = page.waitForResponse((response) => response.status() === 409)
  await page.getByRole('button', { name: 'Send to 1 machine' }).click()
  await answer
  await page.getByRole('alert').getByText('Nothing was sent').waitFor()
  const refused = page.getByRole('list', { name: 'Results by machine' }).getByRole('listitem')
  await refused.getByText('Another remote command of this type is pending.').waitFor()
  expect(await refused.innerText()).toContain(machine.name)
})

test('a preset of the statistics changes their period', async () => {
  const page = await signedIn(product, 'superAdmin', `/transactions/stats?${inAurora}`)
  const sold = page.locator('main').getByRole('link', { name: /^Transactions/ })
  await page.getByRole('button', { name: 'Period Last 7 days' }).click()
  const before = await sold.innerText()
  await page.getByRole('dialog', { name: 'Period' }).getByRole('button', { name: 'Yesterday' }).click()
  await page.getByRole('button', { name: 'Period Yesterday' }).waitFor()
  await expect.poll(() => sold.innerText(), { timeout: patience }).not.toBe(before)
  expect(page.complaints).toEqual([])
})

test('a chart’s tooltip stays as long as the chart’s data do not change', async () => {
  const page = await signedIn(product, 'superAdmin', `/transactions/stats?${inAurora}`)
  await page.clock.install()
  await page.reload()
  const chart = page
    .locator('main')
    .getByRole('img', { name: /^Value by / })
    .first()
  await chart.locator('svg').waitFor()
  await chart.hover()
  await chart.locator('b').waitFor()
  await chart.evaluate((one) => {
    const changes = { count: 0 }
    const watcher = new MutationObserver((all) => {
      changes.count += all.length
    })
    watcher.observe(one, { subtree: true, childList: true, attributes: true })
    Object.assign(window, { changes })
  })
  // Meanwhile the page updates its clock twice, and draws the change with the next frames.
  await page.clock.fastForward('01:10')
  const changed = await page.evaluate(async () => {
    for (let frames = 0; frames < 10; frames += 1) await new Promise(requestAnimationFrame)
    return (window as unknown as { changes: { count: number } }).changes.count
  })
  expect(changed).toBe(0)
  expect(await chart.locator('b').isVisible()).toBe(true)
  expect(page.complaints).toEqual([])
})

/** Texts that overlap others in the card of the first chart. */
const overlaps = (page: Page) =>
  page
    .locator('main section:has([role=img] svg)')
    .first()
    .evaluate((card) => {
      const words: { text: string; box: DOMRect }[] = []
      const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        // Text for screen readers only has no size.
        for (const box of range.getClientRects())
          if (box.width > 2 && box.height > 2) words.push({ text: walker.currentNode.textContent ?? '', box })
      }
      const isOver = (a: DOMRect, b: DOMRect) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3
      const found = words.flatMap((a, at) => words.slice(at + 1).map((b) => [a, b] as const))
      return {
        words: words.length,
        overlaps: found.filter(([a, b]) => isOver(a.box, b.box)).map(([a, b]) => `${a.text} / ${b.text}`),
      }
    })

test.each(['/dashboard', '/transactions/stats'])(
  'on a phone, in languages with long words, the chart of %s overlaps nothing',
  async (path) => {
    const person = await aUser()
    await product.database.admin(`update users set language = 'fr' where id = $1`, [person.id])
    const page = await signedIn(product, person, `${path}?${inAurora}`, { viewport: { width: 390, height: 844 } })
    // A chart below the fold loads with the reader's first act.
    await page.mouse.wheel(0, 300)
    const chart = page.locator('main section [role=img] svg').first()
    await chart.locator('text').first().waitFor()
    const found = await overlaps(page)
    expect(found.words).toBeGreaterThan(10)
    expect(found.overlaps).toEqual([])
    // Rotated, and rotated back.
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => chart.evaluate((one) => one.clientWidth)).toBeGreaterThan(500)
    await expect.poll(async () => (await overlaps(page)).overlaps).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => chart.evaluate((one) => one.clientWidth)).toBeLessThan(390)
    await expect.poll(async () => (await overlaps(page)).overlaps).toEqual([])
  },
)

test('the merchant switcher has all distributors first, then each by name', async () => {
  const page = await signedIn(product, 'superAdmin', `/alarms?${inAurora}`)
  await page.getByRole('button', { name: /change merchant/ }).click()
  const list = page.getByRole('dialog', { name: /change merchant/ })
  await list.getByRole('button').first().waitFor()
  const [first, ...others] = await list.getByRole('button').locator('span:first-child').allInnerTexts()
  expect(first).toBe('All merchants')
  expect(others).toHaveLength(demoMerchants.length)
  expect(others).toEqual([...others].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare))
  await list.getByRole('button', { name: /^All merchants/ }).click()
  await page.getByRole('button', { name: /^All merchants.*change merchant/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/alarms')
  expect(page.complaints).toEqual([])
})

test('a screen that the role may not see leads to /unauthorized', async () => {
  const page = await signedIn(product, 'merchantUser', '/devices/remote-commands')
  await page.waitForURL('**/unauthorized')
  await page.getByRole('heading', { name: 'Unauthorized' }).waitFor()
})

test('actions on selected rows are offered only to users with the right', async () => {
  const offered = async (who: 'superAdmin' | 'merchantUser') => {
    const page = await signedIn(product, who, '/devices/list')
    await page.getByRole('checkbox', { name: 'Select this row' }).first().check({ force: true })
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await bar.getByRole('button').first().waitFor()
    // Of many acts the last ones are in a menu.
    const more = bar.getByRole('button', { name: 'More', exact: true })
    if ((await more.count()) > 0) await more.click()
    const act = (name: string) =>
      page.getByRole('button', { name, exact: true }).or(page.getByRole('menuitem', { name, exact: true }))
    const offers = (name: string) => act(name).count()
    await act('QR sheets').waitFor()
    return { command: await offers('Send command'), hide: await offers('Hide') }
  }
  expect(await offered('superAdmin')).toEqual({ command: 1, hide: 1 })
  expect(await offered('merchantUser')).toEqual({ command: 0, hide: 0 })
})

test('keyboard shortcuts still work after a row is ticked or a chart is chosen', async () => {
  const page = await signedIn(product, await aUser(), '/devices/list')
  await rows(page).first().getByRole('checkbox').check()
  await page.keyboard.press('?')
  const overlay = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await overlay.waitFor()
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'hidden' })

  const kinds = page.getByRole('radiogroup', { name: 'Table or chart' })
  await kinds.getByText('Bars', { exact: true }).click({ force: true })
  await page.locator('main figure').waitFor()
  expect(await kinds.getByRole('radio', { name: 'Bars' }).evaluate((one) => one === document.activeElement)).toBe(true)
  // Arrow keys belong to the radio button.
  await page.keyboard.press('ArrowRight')
  await page.getByRole('img', { name: /^Lines\./ }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.waitForURL((url) => url.pathname === '/alarms')
  expect(page.complaints).toEqual([])
})

test('no success is shown when the browser refuses to copy', async () => {
  const machine = await theMachine()
  const page = await signedIn(product, await aUser(), `/devices/list?search=${machine.serial}`)
  const serial = rows(page).getByRole('button', { name: `Copy ${machine.serial}` })
  const letCopy = (isAllowed: boolean) =>
    page.evaluate((mayCopy) => {
      navigator.clipboard.writeText = () => (mayCopy ? Promise.resolve() : Promise.reject(new Error('denied')))
    }, isAllowed)
  await serial.waitFor()
  await letCopy(false)
  await serial.click()
  await page.getByRole('alert').getByText('The browser did not allow copying.').waitFor()
  expect(await page.getByText('Copied', { exact: true }).count()).toBe(0)
  expect(await serial.evaluate((one) => one === document.activeElement)).toBe(true)
  await letCopy(true)
  await serial.click()
  await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' })
  expect(page.complaints).toEqual([])
})

test('the API can be browsed at /api/docs', async () => {
  const page = await aPage({ baseURL: product.url })
  page.setDefaultTimeout(patience)
  await page.goto('/api/docs')
  await page.locator('.opblock').first().waitFor()
  await page.mouse.move(600, 600)
  // The page holds only visible rows.
  const seen = new Set<string>()
  const look = async () => {
    for (const path of await page.locator('.opblock-summary-path').allInnerTexts()) seen.add(path)
    await page.mouse.wheel(0, 600)
    return seen.size
  }
  await expect.poll(look, { timeout: patience }).toBeGreaterThan(60)
  expect(page.complaints).toEqual([])
})

test('“Jam it” ends in a blocking alarm on the machine’s page', async () => {
  await product.startFleet()
  const page = await signedIn(product, 'superAdmin', `/devices/list?${inAurora}`)
  const machine = await aWellMachine()
  await page.goto(`/devices/${machine.id}?${inAurora}`)
  await page.getByRole('button', { name: 'Simulate jam' }).click()
  await page.getByText('Jam simulated. The alarm appears in a moment.').waitFor()
  const banner = page.locator('main section[data-tone="crit"]').filter({ hasText: 'EAD' })
  await banner.waitFor()
  await banner.getByRole('button', { name: 'Mark as repaired' }).waitFor()
  expect(page.complaints).toEqual([])
})

/** A connected simulated machine without a blocking alarm. */
async function aWellMachine(): Promise<{ id: string }> {
  let found: { id: string } | undefined
  const look = async () => {
    const query = `select m.id from machines m where m.merchant_id = $1 and m.connection = 1 and m.pos_status = 1
      and not exists (select from alarms a where a.machine_id = m.id and a.status = 'active' and a.criticity = 4)
      order by m.serial limit 1`
    ;[found] = await product.database.admin<{ id: string }>(query, [aurora?.id])
    return found
  }
  await expect.poll(look, { timeout: patience, interval: 500 }).toBeDefined()
  if (!found) throw new Error('No simulated machine is connected')
  return found
}
