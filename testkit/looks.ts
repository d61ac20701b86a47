import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { accessibilityFaults, pictures } from './browser.ts'

/** The windows in which screens are looked at. */
export const sizes = { desktop: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } }

/** How many pixels the page is wider than its window; one that fits answers 0. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/** What a picture shows: the window, unless it is the page in its whole length or one part of it. */
type Shown = { fullPage?: boolean; part?: Locator }

/**
 * Leaves a picture of the page in .cache/pictures, once nothing moves on it but what moves for ever. Its name begins with the
 * test file's: `settings/token-new`.
 */
export async function takePicture(page: Page, name: string, { fullPage = false, part }: Shown = {}): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  const path = join(pictures, `${name}.png`)
  await (part ? part.screenshot({ path }) : page.screenshot({ path, fullPage }))
}

/** Takes a picture of the page and answers what is wrong with it as it stands: what axe finds, and whether it is wider than its window. */
export async function faultsSeen(page: Page, name: string, shown: Shown = {}): Promise<string[]> {
  await takePicture(page, name, shown)
  const faults = await accessibilityFaults(page)
  const wider = await overflow(page)
  if (wider > 0) faults.push(`the page is ${wider} px wider than the window`)
  return faults.map((fault) => `${name}: ${fault}`)
}
