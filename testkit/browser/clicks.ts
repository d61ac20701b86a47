import type { Page } from 'playwright-core'

/**
 * Counts the clicks and taps of a page from now on: the pointer goes down on it. Keys are not counted, since a user who types a text anyway
 * confirms it with Enter. Returns how many there were.
 */
export async function countClicks(page: Page): Promise<() => number> {
  let count = 0
  await page.exposeFunction('clickCounted', () => {
    count += 1
  })
  const listen = () => {
    const counted = (window as unknown as { clickCounted: () => void }).clickCounted
    window.addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted(), { capture: true })
  }
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return () => count
}
