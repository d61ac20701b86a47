import type { Locator, Page } from 'playwright-core'

/** Where a list's filters are. */
export const filterBar = (page: Page): Locator => page.getByRole('group', { name: 'Filters' })

/** Opens the menu of all filters: beneath its button, or on a phone a sheet. */
export async function openFilters(page: Page): Promise<Locator> {
  await filterBar(page)
    .getByRole('button', { name: /^Filter( \d+)?$/ })
    .click()
  const menu = page.getByRole('dialog', { name: /^Filters?$/ })
  await menu.getByRole('button').first().waitFor()
  return menu
}

/** Opens a filter by its name, from the menu; gives the dialog that it is set in. */
export async function openFilter(page: Page, name: string): Promise<Locator> {
  const menu = await openFilters(page)
  await menu.getByRole('listitem').getByRole('button', { name }).first().click()
  return menu
}

/** The chip of a filter that is set. */
export const filterChip = (page: Page, name: string | RegExp): Locator =>
  filterBar(page).getByRole('button', { name, expanded: false })
