import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { accessibilityFaults } from '#testkit/browser/browser.ts'
import { overflow } from '#testkit/browser/looks.ts'
import { aUserWithPassword, signedIn, type Who } from '#testkit/browser/sign-in.ts'
import { filterBar } from '#testkit/list-filters.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* List settings of each user: columns, latest state, and saved views. */

const [aurora] = demoMerchants
if (!aurora) throw new Error('The demo has no merchant')

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

/** A user of the first merchant that no other test uses. */
const aUser = (role: Role = 'merchantAdmin') =>
  aUserWithPassword(product.database, role, [{ merchantId: aurora.id, groups: 'all' }])

/** A list as a user sees it in a new browser. */
async function opened(who: Who, path: string, width = 1440) {
  const page = await signedIn(product, who, path, { viewport: { width, height: 900 } })
  await rows(page).first().waitFor()
  return page
}

const rows = (page: Page) => page.locator('main [data-row]')
const headings = async (page: Page) =>
  (await page.locator('main thead th').allInnerTexts()).map((text) => text.replace(/[↑↓\s]+$/u, '')).filter(Boolean)
const widthOf = async (page: Page, name: string) =>
  Math.round((await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0)
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
/** The parameters of an address, sorted. */
const saidBy = (address: string) => new URL(address).search.slice(1).split('&').sort().join('&')
const view = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Views' }).getByRole('button', { name, exact: true })
const menuOf = (page: Page, name: string) => page.getByRole('button', { name: `Options of the view ${name}` })

async function saveView(page: Page, name: string, isShared = false) {
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name of the view').fill(name)
  if (isShared) await dialog.getByRole('checkbox', { name: /^Share with all users/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await view(page, isShared ? `Shared view ${name}` : name).waitFor()
}

test('an opened menu takes the focus and returns it, the first time and the second time', async () => {
  const page = await opened(await aUser(), '/devices/list')
  const buttons = ['Columns', 'Export', 'Filter'] as const
  for (const name of buttons) {
    const button = page.locator('main').getByRole('button', { name, exact: true, expanded: false })
    const dialog = page.getByRole('dialog', { name })
    const isFocused = () => button.evaluate((one) => one === document.activeElement)
    await button.focus()
    for (const _ of ['first', 'second']) {
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(isFocused).toBe(true)
    }
    await button.click()
    await dialog.waitFor()
    // The button itself does not count as outside: one press closes it once.
    await page.locator('main').getByRole('button', { name, exact: true, expanded: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await button.click()
    await dialog.waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  expect(page.complaints).toEqual([])
})

test('columns are hidden, moved and made wider, also for the next visit and another browser', async () => {
  const person = await aUser()
  const page = await opened(person, '/devices/list')
  const before = await headings(page)
  expect(before.slice(0, 3)).toEqual(['State', 'Machine', 'Serial'])

  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('checkbox', { name: 'Serial' }).uncheck()
  await columns.getByRole('button', { name: 'Move Last seen up' }).click()
  await columns.getByRole('button', { name: 'Move Last seen up' }).press('Enter')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  // The last column has the button of each row.
  const chosen = ['State', 'Machine', ...before.slice(3, -3), 'Last seen', before.at(-3), before.at(-1)]
  await expect.poll(() => headings(page)).toEqual(chosen)
  const edge = page.getByRole('separator', { name: 'Width of Machine' })
  await edge.focus()
  const unsized = await widthOf(page, 'Machine')
  expect(Math.abs(Number(await edge.getAttribute('aria-valuenow')) - unsized)).toBeLessThanOrEqual(1)
  await edge.press('ArrowRight')
  await edge.press('ArrowRight')
  await expect.poll(() => widthOf(page, 'Machine')).toBe(unsized + 32)

  // A page saves its changes even if the user leaves at once.
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    new MutationObserver(() => {
      const text = document.querySelector('main thead')?.textContent
      if (text && text !== said.at(-1)) said.push(text)
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await rows(page).first().waitFor()
  expect(await headings(page)).toEqual(chosen)
  expect(await widthOf(page, 'Machine')).toBe(unsized + 32)
  // The table's head never showed other columns before.
  expect(await page.evaluate<string[]>('said')).toHaveLength(1)

  const elsewhere = await opened(person, '/devices/list')
  expect(await headings(elsewhere)).toEqual(chosen)
  expect(await widthOf(elsewhere, 'Machine')).toBe(unsized + 32)
  await elsewhere.getByRole('button', { name: 'Columns' }).click()
  await elsewhere.getByRole('button', { name: 'Reset columns' }).click()
  await expect.poll(() => headings(elsewhere)).toEqual(before)
  expect(page.complaints).toEqual([])
})

test('dragging a column’s edge follows the pointer and moves no column before it; a column is dragged to another place', async () => {
  const page = await opened(await aUser(), '/devices/list')
  const edge = page.getByRole('separator', { name: 'Width of Machine' })
  const state = await widthOf(page, 'State')
  const box = await edge.boundingBox()
  if (!box) throw new Error('There is no edge')
  await page.mouse.move(box.x + 4, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x - 56, box.y + 10, { steps: 4 })
  await expect.poll(async () => Math.round(((await edge.boundingBox())?.x ?? 0) - box.x)).toBe(-60)
  await page.mouse.up()
  expect(Math.round(((await edge.boundingBox())?.x ?? 0) - box.x)).toBe(-60)
  expect(await widthOf(page, 'State')).toBe(state)

  await page.getByRole('button', { name: 'Columns' }).click()
  const list = page.getByRole('dialog', { name: 'Columns' }).getByRole('listitem')
  const grip = await list.filter({ hasText: 'Serial' }).locator('span').first().boundingBox()
  const first = await list.first().boundingBox()
  if (!grip || !first) throw new Error('There is nothing to drag')
  await page.mouse.move(grip.x + 8, grip.y + 10)
  await page.mouse.down()
  await page.mouse.move(first.x + 8, first.y + 3, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await headings(page))[0]).toBe('Serial')
  expect(page.complaints).toEqual([])
})

test('a bare address opens the list in its last state; a link shows its own state, which is not saved', async () => {
  const person = await aUser()
  const page = await opened(person, '/devices/list')
  expect(queryOf(page)).toEqual({ page: '1' })
  await view(page, /^Needs attention/).click()
  await page.getByRole('button', { name: 'Serial', exact: true }).click()
  await page.waitForURL(/ord=serial/)
  const left = saidBy(page.url())

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('link', { name: 'Machines', exact: true }).first().click()
  await page.waitForURL((url) => url.pathname === '/devices/list' && saidBy(url.href) === left)

  await page.goto('/devices/list?states=online')
  await rows(page).first().waitFor()
  expect(queryOf(page)).toEqual({ states: 'online' })
  await page.getByRole('button', { name: 'Machine', exact: true }).click()
  await page.waitForURL(/ord=name/)

  const elsewhere = await opened(person, '/devices/list')
  const again = new URL(elsewhere.url()).searchParams
  expect(again.getAll('posStatus').sort()).toEqual(['2', '3'])
  expect(again.get('ord')).toBe('name')
  await filterBar(elsewhere).getByRole('button', { name: 'Remove filter Machine status' }).click()
  await elsewhere.waitForURL((url) => !url.searchParams.has('posStatus'))
  await elsewhere.goBack()
  await elsewhere.waitForURL((url) => url.searchParams.getAll('posStatus').length === 2)
  expect(page.complaints).toEqual([])
})

test('a colleague sees a shared view and not a private one', async () => {
  const author = await aUser('merchantUser')
  const colleague = await aUser('merchantUser')
  const page = await opened(author, '/devices/list')
  await view(page, /^Needs attention/).click()
  await page.getByRole('button', { name: 'Serial', exact: true }).click()
  await page.waitForURL(/ord=serial/)
  const shared = `Round of ${author.id.slice(-6)}`
  await saveView(page, shared, true)
  await saveView(page, 'Mine alone')
  expect(await view(page, 'Mine alone').getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Machine', exact: true }).click()
  await view(page, 'Mine alone changed').waitFor()
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
  expect(await accessibilityFaults(page)).toEqual([])

  const theirs = await opened(colleague, '/devices/list')
  await view(theirs, `Shared view ${shared}`).click()
  await theirs.waitForURL(/ord=serial/)
  expect(new URL(theirs.url()).searchParams.getAll('posStatus')).toHaveLength(2)
  expect(await view(theirs, 'Mine alone').count()).toBe(0)
  // The colleague did not create it and has no right to manage views.
  await theirs.getByRole('button', { name: 'Save view' }).waitFor()
  expect(await menuOf(theirs, shared).count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('a saved view is renamed, overwritten, shared, deleted and restored', async () => {
  const page = await opened(await aUser(), '/devices/list')
  const act = async (name: string, item: string) => {
    await menuOf(page, name).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await saveView(page, 'First')
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(await dialog.getByLabel('Name of the view').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Name of the view').fill('first')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('A view with this name already exists.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await act('First', 'Rename')
  await dialog.getByLabel('Name of the view').fill('=Second <b>')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await view(page, '=Second <b>').waitFor()
  await page.getByRole('button', { name: 'Serial', exact: true }).click()
  await view(page, '=Second <b> changed').waitFor()
  await act('=Second <b>', 'Update view')
  await view(page, '=Second <b>').waitFor()
  await act('=Second <b>', 'Share')
  await view(page, 'Shared view =Second <b>').waitFor()
  await act('=Second <b>', 'Stop sharing')
  await view(page, '=Second <b>').waitFor()
  await act('=Second <b>', 'Delete')
  await view(page, '=Second <b>').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await view(page, '=Second <b>').waitFor()
  // The refused name is the only error on the browser's console.
  expect(page.complaints.filter((line) => !line.includes('409'))).toEqual([])
})

test('a view changed in another tab is reported, and the new version can then be changed', async () => {
  const person = await aUser()
  const page = await opened(person, '/devices/list')
  await page.getByRole('button', { name: 'Serial', exact: true }).click()
  await page.waitForURL(/ord=serial/)
  await saveView(page, 'Early')
  const other = await opened(person, '/devices/list')
  await view(other, 'Early').click()
  await other.waitForURL(/ord=serial/)
  await menuOf(other, 'Early').click()
  await other.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByLabel('Name of the view').fill('Late')

  await page.getByRole('button', { name: 'Machine', exact: true }).click()
  await view(page, 'Early changed').waitFor()
  await menuOf(page, 'Early').click()
  await page.getByRole('menuitem', { name: 'Update view' }).click()
  await view(page, 'Early').waitFor()

  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Another user changed this at the same time.').waitFor()
  // Both are shown: the other tab's change, and the dialog with its input.
  await other.locator('button', { hasText: 'Early' }).getByText('changed').waitFor()
  expect(await dialog.getByLabel('Name of the view').inputValue()).toBe('Late')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await view(other, 'Late changed').click()
  await other.waitForURL(/ord=name/)
})

test('a shared view changed by a colleague is reported, and not overwritten unnoticed', async () => {
  const author = await aUser()
  const colleague = await aUser()
  const page = await opened(author, '/devices/list')
  await page.getByRole('button', { name: 'Serial', exact: true }).click()
  await page.waitForURL(/ord=serial/)
  const name = `Shop of ${author.id.slice(-6)}`
  await saveView(page, name, true)
  const theirs = await opened(colleague, '/devices/list')
  await view(theirs, `Shared view ${name}`).click()
  await theirs.waitForURL(/ord=serial/)

  await page.getByRole('button', { name: 'Machine', exact: true }).click()
  await view(page, `Shared view ${name} changed`).waitFor()
  await menuOf(page, name).click()
  await page.getByRole('menuitem', { name: 'Update view' }).click()
  await view(page, `Shared view ${name}`).waitFor()

  // The colleague chooses the opposite.
  await theirs.getByRole('button', { name: 'Serial', exact: true }).click()
  await view(theirs, `Shared view ${name} changed`).waitFor()
  const overwrite = async () => {
    await menuOf(theirs, name).click()
    await theirs.getByRole('menuitem', { name: 'Update view' }).click()
  }
  const views = theirs.waitForResponse((answer) => answer.url().includes('/views?') && answer.ok())
  await overwrite()
  await theirs.getByRole('alert').getByText('Another user changed this at the same time.').waitFor()
  const sorted = async () =>
    (await product.database.admin('select sort_options from shared_views where name = $1', [name]))[0]?.sort_options
  expect(await sorted()).toMatchObject({ ord: 'name' })
  // After the notice the user may overwrite the new version.
  await views
  await overwrite()
  await view(theirs, `Shared view ${name}`).waitFor()
  expect(await sorted()).toEqual({ ord: 'serial', ordType: 'DESC' })
  expect(theirs.complaints.filter((line) => !line.includes('409'))).toEqual([])
})

test('under all merchants a view cannot be shared: a merchant must be selected', async () => {
  const page = await opened('superAdmin', '/devices/list')
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByText('Choose a merchant.').waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'Share with all users' }).isDisabled()).toBe(true)
  expect(page.complaints).toEqual([])
})

test('on a phone the views are in a row that scrolls, and the page does not scroll', async () => {
  const person = await aUser()
  const page = await opened(person, '/devices/list', 390)
  for (const name of ['The round on Monday', 'The round on Tuesday', 'The round on Friday']) await saveView(page, name)
  const scrolls = (selector: string) =>
    page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  expect(await scrolls('main [role=group][aria-label=Views]')).toBe(true)
  expect(await scrolls('html')).toBe(false)
  expect(await accessibilityFaults(page)).toEqual([])
})

test('with a chart, numbers and edit mode, the actions of a list still fit the smallest phone', async () => {
  const person = await aUser()
  const page = await opened(person, '/devices/list', 320)
  await page.goto('/devices/list?page=1&chart=pie')
  await rows(page).first().waitFor()
  const right = async (name: string) => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    return (box?.x ?? Number.POSITIVE_INFINITY) + (box?.width ?? 0)
  }
  expect(await right('Edit')).toBeLessThanOrEqual(320)
  expect(await right('Export')).toBeLessThanOrEqual(320)
  expect(await overflow(page)).toBe(0)
})

test('a list on a machine’s page has a state separate from the list of all', async () => {
  const person = await aUser()
  const page = await opened(person, '/alarms?statuses=any')
  const [machine] = await product.database.admin<{ machine_id: string }>(
    'select machine_id from alarms where merchant_id = $1 group by 1 order by count(*) desc limit 1',
    [aurora.id],
  )
  await page.goto(`/devices/${machine?.machine_id}/pos-alarms?statuses=any`)
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Alarm', exact: true }).click()
  await page.waitForURL(/ord=code/)
  await page.goto('/alarms')
  await page.waitForURL('**/alarms?page=1')
  await page.goto(`/devices/${machine?.machine_id}/pos-alarms`)
  await page.waitForURL(/ord=code/)
  expect(page.complaints).toEqual([])
})
