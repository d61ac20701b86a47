import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { PageOptions } from '#testkit/browser/browser.ts'
import { faultsInBothSchemes, overflow, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

/* The parts of every screen, each in all its states, without console errors and accessibility faults. Pictures are in
   .cache/pictures/kit. Toasts, dialogs, wizard and tabs are tested by pointer and keyboard. */

/** A portal with one merchant and its admin, signed in and at an address. */
async function opened(path: string, options: Partial<PageOptions> = {}) {
  const portal = await aPortal()
  const merchant = await aMerchant(portal.database)
  const machine = await aMachine(portal.database, merchant.id)
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  return signedIn(portal, person, path.replace('{machine}', machine.id), options)
}
const section = (page: Page, name: string) => page.locator(`[data-section="${name}"]`)

describe.each(['desktop', 'phone'] as const)('%s', (size) => {
  test('every part in all its states', async () => {
    const page = await opened('/dev/kit', { viewport: sizes[size] })
    const names = await page.locator('[data-section]').evaluateAll((all) => all.map(({ id }) => id))
    expect(names.length).toBeGreaterThan(12)
    await section(page, 'charts').locator('svg').first().waitFor()
    await section(page, 'map')
      .getByRole('button', { name: /: Critical$/ })
      .first()
      .waitFor()
    const faults: string[] = []
    const look = async (name: string, changed?: Locator) => {
      const shown = changed ? { changed } : { fullPage: true }
      faults.push(...(await faultsInBothSchemes(page, `kit/${name}-${size}`, shown)))
      faults.push(...page.complaints.splice(0).map((said) => `${name}: ${said}`))
    }
    await look('kit')
    const list = section(page, 'list')
    for (const state of ['Loading', 'Empty', 'No match', 'Error', 'Rows']) {
      await list.getByRole('radiogroup', { name: 'State of the list' }).getByText(state, { exact: true }).click()
      await list.scrollIntoViewIfNeeded()
      if (state === 'Rows') await list.locator('[data-row] input[type=checkbox]').first().check()
      await look(`list ${state}`, list)
    }
    await page.keyboard.press('Escape')
    for (const name of ['Ask before a dangerous action', 'Drawer']) {
      await section(page, 'dialogs').getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await look(name, page.getByRole('dialog'))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    for (const name of ['Success', 'Warning', 'Error', 'Persistent'])
      await section(page, 'toasts').getByRole('button', { name, exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Error' }).waitFor()
    await look('toasts', page.locator('.mantine-Notifications-root').first())
    expect(faults).toEqual([])
  }, 180_000)

  test('a chart, a file, an edited list and a form show their results', async () => {
    const page = await opened('/dev/kit', { viewport: sizes[size] })
    const faults: string[] = []
    const look = async (name: string, changed: Locator) => {
      faults.push(...(await faultsInBothSchemes(page, `kit/${name}-${size}`, { changed })))
      faults.push(...page.complaints.splice(0).map((said) => `${name}: ${said}`))
    }
    const list = section(page, 'list')
    await list.getByRole('radiogroup', { name: 'Table or chart' }).getByText('Bars').click({ force: true })
    await list.getByRole('img', { name: /^Bars\. Sold/ }).waitFor()
    await look('list chart', list)
    await list.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('region', { name: 'Your exports' }).getByText('Cancelled').waitFor()
    await look('list export', page.getByRole('dialog'))
    await page.keyboard.press('Escape')

    await list.getByRole('button', { name: 'Edit' }).click()
    await list.getByRole('grid', { name: 'List' }).waitFor()
    await list.getByRole('gridcell', { name: 'Vitro 01' }).click()
    for (const name of ['Refused', 'Changed']) {
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    }
    await list.getByRole('button', { name: 'Save', exact: true }).click()
    await list.getByRole('alertdialog').waitFor()
    await look('list edit', list)

    const form = section(page, 'form')
    const save = async (answer: string) => {
      await form.getByRole('radiogroup', { name: 'Server response' }).getByText(answer, { exact: true }).click()
      await form.getByLabel('Name').fill(`Vitro ${answer}`)
      await form.getByRole('button', { name: 'Save', exact: true }).click()
    }
    await save('Refused')
    await form.getByText('has this name').first().waitFor()
    await look('form refused', form)
    await save('Also changed elsewhere')
    await form.getByRole('status').filter({ hasText: 'Anna Bianchi' }).waitFor()
    await look('form joined', form)
    await save('Conflict')
    await form.getByRole('alertdialog').waitFor()
    await look('form conflict', form)
    await save('Connection lost')
    await form.getByRole('button', { name: 'Try again' }).waitFor()
    await look('form lost', form)
    expect(faults).toEqual([])
  }, 300_000)
})

test('the kit is in no menu, and outside of development its address is unknown', async () => {
  const page = await opened('/dev/kit')
  await page.getByRole('heading', { level: 1, name: 'Kit' }).waitFor()
  expect(await page.locator('nav:not(main nav) a[href*="/dev/"]').count()).toBe(0)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('textbox').or(palette.getByRole('combobox')).first().fill('kit')
  await palette.getByText('No results', { exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  await page.route('**/api/v1/spa-configuration', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), development: false } })
  })
  await page.goto('/dev/kit')
  await page.waitForURL((url) => url.pathname === '/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test('with reduced motion no element has a transition, not even of zero length', async () => {
  const page = await opened('/dev/kit')
  await section(page, 'dialogs').getByRole('button', { name: 'Drawer', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  const gliding = await page.evaluate(() =>
    [...document.querySelectorAll('body, body *')].flatMap((element) => {
      const { transitionDuration, transitionProperty } = getComputedStyle(element)
      const isNone = transitionProperty === 'none' || /^0s(, 0s)*$/.test(transitionDuration)
      return isNone ? [] : [element.outerHTML.slice(0, 100)]
    }),
  )
  expect(gliding).toEqual([])
})

test('a toast is gone after 5 seconds, unless it is persistent; an error is an alert', async () => {
  const page = await opened('/dev/kit')
  const toasts = section(page, 'toasts')
  await page.clock.install()
  await toasts.getByRole('button', { name: 'Success' }).click()
  await toasts.getByRole('button', { name: 'Persistent' }).click()
  const passing = page.getByRole('status').filter({ hasText: 'Success' })
  const lasting = page.getByRole('status').filter({ hasText: 'Persistent' })
  await lasting.waitFor()
  await passing.waitFor()
  await page.clock.fastForward(5_000)
  await passing.waitFor({ state: 'detached' })
  await page.clock.fastForward(3_600_000)
  expect(await lasting.count()).toBe(1)
  await lasting.getByRole('button', { name: 'Close' }).click()
  await lasting.waitFor({ state: 'detached' })
  await toasts.getByRole('button', { name: 'Error of a call' }).click()
  await page.locator('[class*=Notification][role=alert]').filter({ hasText: 'can’t be reached' }).waitFor()
})

test('the busy line counts calls: it stays until the last call has ended', async () => {
  const page = await opened('/dev/kit')
  const line = page.locator('[data-calls]')
  // The page's own calls have ended.
  await page.locator('main [data-row]').first().waitFor()
  await page.waitForTimeout(1_500)
  await line.waitFor({ state: 'detached' })
  // Time advances only in these steps: a slow machine must not end a call before the check.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await section(page, 'busy').getByRole('button', { name: 'Long call' }).click()
  await section(page, 'busy').getByRole('button', { name: 'Short call' }).click()
  const calls = async () => {
    await page.clock.runFor(250)
    return (await line.count()) > 0 ? line.getAttribute('data-calls') : 'none'
  }
  await expect.poll(calls).toBe('2')
  await expect.poll(calls).toBe('1')
  await expect.poll(calls).toBe('none')
})

describe.each(['desktop', 'phone'] as const)('%s', (size) => {
  test('a confirmation takes the focus and returns it; Escape dismisses it; a failed act leaves it open', async () => {
    const page = await opened('/dev/kit', { viewport: sizes[size] })
    const ask = section(page, 'dialogs').getByRole('button', { name: 'Ask before a dangerous action' })
    const question = page.getByRole('dialog', { name: 'Delete 3 things?' })
    const isFocused = async (name: string) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.slice(0, 40))
      await expect.poll(focused).toBe(name)
    }
    await ask.press('Enter')
    await question.waitFor()
    await isFocused('Keep them')
    for (let tabs = 0; tabs < 5; tabs += 1) {
      await page.keyboard.press('Tab')
      expect(await question.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    await isFocused('Ask before a dangerous action')

    await ask.press('Enter')
    await question.getByRole('button', { name: 'Delete 3 things' }).click()
    await question.waitFor({ state: 'hidden' })
    await isFocused('Ask before a dangerous action')

    await section(page, 'dialogs').getByRole('button', { name: 'Ask, then fail' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await question.getByRole('button', { name: 'Delete 3 things' }).click()
    await question.locator('[data-loading]').waitFor({ state: 'detached' })
    expect(await question.isVisible()).toBe(true)
    expect(await overflow(page)).toBe(0)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(page.complaints).toEqual([])
  })

  test('a drawer is closed by Escape and by the Back button', async () => {
    const page = await opened('/dev/kit', { viewport: sizes[size] })
    const drawer = page.getByRole('dialog', { name: 'Drawer' })
    const open = section(page, 'dialogs').getByRole('button', { name: 'Drawer' })
    await open.press('Enter')
    await drawer.waitFor()
    expect(new URL(page.url()).searchParams.has('drawer')).toBe(true)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Drawer')
    await open.press('Enter')
    await drawer.waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'hidden' })
  })

  test('a wizard continues after a finished step, and its address names the step', async () => {
    const page = await opened('/dev/kit?step=third', { viewport: sizes[size] })
    const wizard = section(page, 'wizard')
    const heading = (name: string) => wizard.getByRole('heading', { level: 2, name })
    const next = wizard.getByRole('button', { name: 'Next' })
    // The third cannot be reached before the second is done.
    await heading('Second').waitFor()
    expect(await next.isDisabled()).toBe(true)
    await wizard.getByRole('checkbox').press('Space')
    await next.press('Enter')
    await heading('Third').waitFor()
    expect(new URL(page.url()).searchParams.get('step')).toBe('third')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
    await page.goBack()
    await heading('Second').waitFor()
    await wizard.getByRole('button', { name: /First/ }).press('Enter')
    await heading('First').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(page.complaints).toEqual([])
  })

  test('arrow keys move between the tabs of a page, Enter opens one', async () => {
    const page = await opened('/devices/{machine}', { viewport: sizes[size] })
    const tabs = page.getByRole('navigation', { name: 'Sections of this page' })
    const names = await tabs.getByRole('link').allInnerTexts()
    expect(names.length).toBeGreaterThan(5)
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).innerText)
    await tabs.getByRole('link').first().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe(names.at(-1))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe(names[1])
    await page.keyboard.press('End')
    expect(await focused()).toBe(names.at(-1))
    await page.keyboard.press('Enter')
    await tabs
      .locator('[aria-current]')
      .filter({ hasText: names.at(-1) ?? '' })
      .waitFor()
    expect(await overflow(page)).toBe(0)
    expect(page.complaints).toEqual([])
  })
})
