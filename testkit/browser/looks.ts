import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { isFullRun } from '../full-run.ts'
import { accessibilityFaults, pictures, type TestPage } from './browser.ts'

/** The window sizes in which tests check screens. */
export const sizes = { desktop: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } }

/** How many pixels the page is wider than its window; 0 if it fits. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/** What a picture shows: the window by default, the whole page, or one part of it. */
type Shown = { fullPage?: boolean; part?: Locator }

/** Waits until a page shows its heading and no skeleton. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('main').getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('main [data-skeleton], main [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/**
 * Waits until a page is drawn and has sent no request for a tenth of a second. The endless live stream does not count.
 */
export async function settled(page: TestPage): Promise<void> {
  const deadline = Date.now() + 30_000
  for (let quiet = 0; quiet < 3; quiet = page.underWay.size === 0 ? quiet + 1 : 0) {
    if (Date.now() > deadline) throw new Error(`Still under way: ${[...page.underWay].map((each) => each.url())}`)
    await drawn(page)
    await page.waitForTimeout(40)
  }
}

/**
 * Leaves a picture of the page in .cache/pictures, once only endless animations move. Its name begins with the test
 * file's: `settings/token-new`.
 */
export async function takePicture(page: Page, name: string, { fullPage = false, part }: Shown = {}): Promise<void> {
  const bare = await bareButtons(page)
  if (bare.length > 0) throw new Error(`Buttons without the styles of their component: ${bare.join(', ')}`)
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  const path = join(pictures, `${name}.png`)
  await (part ? part.screenshot({ path }) : page.screenshot({ path, fullPage }))
}

/** The library's buttons whose padding a style sheet of plain elements has taken: the build has put the sheets in another order. */
const bareButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.mantine-Button-root')]
      .filter(
        (button) => button.offsetWidth > 0 && Number.parseFloat(getComputedStyle(button).paddingInlineStart) === 0,
      )
      .map((button) => button.innerText),
  )

/** Links and buttons within a link or a button: a browser follows only one of them, and axe does not see links within links. */
const nestedControls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(':is(a, button) :is(a, button)')].map(
      (inner) => `a control within a control: ${inner.outerHTML.slice(0, 120)}`,
    ),
  )

type Seen = Shown & {
  /** Limits axe to the changed part of a long page that was checked as a whole. */
  changed?: Locator
  /** The rules that axe checks: all, unless only colours have changed since its last run. */
  rules?: 'all' | 'colors'
}

/** Takes a picture of the page. Returns its faults: axe's findings, and a page wider than its window. */
export async function faultsSeen(
  page: Page,
  name: string,
  { changed, rules, ...picture }: Seen = {},
): Promise<string[]> {
  await takePicture(page, name, picture)
  const faults = await accessibilityFaults(page, changed ?? picture.part, rules)
  const wider = await overflow(page)
  faults.push(...(await nestedControls(page)))
  if (wider > 0) faults.push(`the page is ${wider} px wider than the window`)
  return faults.map((fault) => `${name}: ${fault}`)
}

/** In the full run only: the faults of the page, narrow and dark, then wide and light. */
export async function faultsOnTheWay(page: Page, name: string): Promise<string[]> {
  if (!isFullRun) return []
  const faults: string[] = []
  for (const [size, colorScheme] of [
    ['phone', 'dark'],
    ['desktop', 'light'],
  ] as const) {
    await page.setViewportSize(sizes[size])
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForTimeout(400)
    faults.push(...(await faultsSeen(page, `${name}-${size}-${colorScheme}`)))
  }
  return faults
}

/**
 * The same in light and in dark; picture names end with the scheme. Only colours differ, so axe runs all rules once.
 */
export async function faultsInBothSchemes(page: Page, name: string, options: Seen = {}): Promise<string[]> {
  const faults: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
    const rules = scheme === 'light' ? 'all' : 'colors'
    faults.push(...(await faultsSeen(page, `${name}-${scheme}`, { ...options, rules })))
  }
  return faults
}
