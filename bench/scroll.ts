import type { Page } from 'playwright-core'
import { demoMerchants } from '#server/demo/merchants.ts'
import { openWindow, signInOn } from './browser.ts'
import { install } from './installation.ts'
import { manyMachines } from './many-machines.ts'
import { type Finding, inMs, type Measurement, percentile } from './measure.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const rows = 10_000
/** In pixels: a wheel that is turned steadily, and one that is flung through the whole list. */
const steps = { reading: 120, flung: 600 }
const readingSteps = 400

export const scroll: Measurement = {
  title: `${rows.toLocaleString('en')} rows in one scroll`,
  about: `The list of ${rows.toLocaleString('en')} machines in a browser, all in one scroll, rows fetched as they come into view. The wheel is turned
    ${readingSteps} steps of ${steps.reading} px, then by ${steps.flung} px from there to the last row, and the time from frame to frame is taken
    by requestAnimationFrame. Chromium draws without a graphics card, beside the server and its database.`,
  async run({ say }) {
    const installation = await install(say, { historyDays: 2, machines: 20, transactions: 2_000 })
    await installation.asOwner((client) => manyMachines((text, values) => client.query(text, values), merchantId, rows))
    await installation.asOwner((client) => client.query('vacuum analyze machines'))
    const server = await installation.serve()
    const window = await openWindow()
    const { page } = window
    try {
      await signInOn(page, `${server.origin}/devices/list?merchant=${merchantId}&size=all`)
      await page.locator('main [data-row]:not([data-waiting])').first().waitFor()
      await page.locator('main table').hover({ position: { x: 300, y: 200 } })
      const reading = await framesOf(page, async () => {
        for (let step = 0; step < readingSteps; step += 1) await page.mouse.wheel(0, steps.reading)
      })
      const flung = await framesOf(page, async () => {
        while (!(await isAtEnd(page))) for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, steps.flung)
      })
      await page.locator(`main [data-row="${rows - 1}"]:not([data-waiting])`).waitFor()
      return [
        finding(`a frame while ${readingSteps} steps of ${steps.reading} px are scrolled`, reading),
        finding(`a frame while the rest is scrolled by ${steps.flung} px`, flung),
      ]
    } finally {
      await window.close()
      await server.stop()
      await installation.stop()
    }
  },
}

const finding = (what: string, frames: readonly number[]): Finding => ({
  what: `p95 of ${what}`,
  figure: `p50 ${inMs(percentile(frames, 0.5))}, p95 ${inMs(percentile(frames, 0.95))}, worst ${inMs(Math.max(...frames))}, of ${frames.length}`,
  value: percentile(frames, 0.95),
  promised: { atMost: 33, unit: 'ms' },
})

const isAtEnd = (page: Page) =>
  page.locator('[data-virtual]').evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 1)

/** Milliseconds from frame to frame while something is done. */
async function framesOf(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const taken: number[] = []
    let last = performance.now()
    const take = (now: number) => {
      taken.push(now - last)
      last = now
      handle = requestAnimationFrame(take)
    }
    let handle = requestAnimationFrame(take)
    Object.assign(globalThis, {
      stopFrames: () => {
        cancelAnimationFrame(handle)
        return taken.slice(1)
      },
    })
  })
  await work()
  return page.evaluate(() => (globalThis as unknown as { stopFrames: () => number[] }).stopFrames())
}
