import type { Locator, Page } from 'playwright-core'

/** The place of a list's filters. */
export const filterBar = (page: Page): Locator => page.getByRole('group', { name: 'Filters' })

/** Opens the menu of all filters: below its button, or as a sheet on a phone. */
export async function openFilters(page: Page): Promise<Locator> {
  await filterBar(page)
    .getByRole('button', { name: /^Filter( \d+)?$/ })
    .click()
  const menu = page.getByRole('dialog', { name: /^Filters?$/ })
  await menu.getByRole('button').first().waitFor()
  return menu
}

/** Opens a filter by its name from the menu. Returns the dialog that sets it. */
export async function openFilter(page: Page, name: string): Promise<Locator> {
  const menu = await openFilters(page)
  await menu.getByRole('listitem').getByRole('button', { name }).first().click()
  return menu
}

/** The chip of an active filter. */
export const filterChip = (page: Page, name: string | RegExp): Locator =>
  filterBar(page).getByRole('button', { name, expanded: false })
