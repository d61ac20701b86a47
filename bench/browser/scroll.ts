import type { Page } from 'playwright-core'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { install } from '../installation.ts'
import { manyMachines } from '../many-machines.ts'
import { type Finding, inMs, type Measurement, median, percentile } from '../measure.ts'
import { openWindow, signInOn } from './browser.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const rows = 10_000
/** Pixels per step: slowly enough to draw each row, faster than a reader, and flung through thousands of rows. */
const gaits = [
  { name: 'read', px: 25, steps: 400 },
  { name: 'turned', px: 120, steps: 400 },
  { name: 'flung', px: 600, steps: 300 },
] as const
type Gait = (typeof gaits)[number]
const rounds = 3

export const scroll: Measurement = {
  title: `${rows.toLocaleString('en')} rows in one scroll`,
  about: `The list of ${rows.toLocaleString('en')} machines in a browser, with “Show all”: rows are fetched when they come into view. The wheel
    scrolls by ${gaits.map(({ px }) => px).join(', ')} px per step: slowly enough to draw each row, faster than a reader, and flung.
    The last row must appear at the end. requestAnimationFrame measures the time from frame to frame; each figure is the median of
    ${rounds} rounds. The reference is the same scroll over an empty box of the same height in the same round: the limit of the
    machine at that moment. Chromium draws without a graphics card, beside the server and its database.`,
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
      const empty = await window.context.newPage()
      await empty.setContent(emptyBox)
      const runs: { gait: Gait; list: number[]; empty: number[] }[] = []
      for (let round = 0; round < rounds; round += 1)
        for (const gait of gaits) {
          runs.push({ gait, list: await framesOf(page, gait), empty: await framesOf(empty, gait) })
          if (gait.name === 'read') await allInViewIsDrawn(page)
        }
      await page.bringToFront()
      while (!(await isAtEnd(page))) for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, 600)
      await page.locator(`main [data-row="${rows - 1}"]:not([data-waiting])`).waitFor()
      return gaits.map((gait) =>
        finding(
          gait,
          runs.filter((one) => one.gait === gait),
        ),
      )
    } finally {
      await window.close()
      await server.stop()
      await installation.stop()
    }
  },
}

const emptyBox =
  '<main><div data-virtual style="height: 620px; overflow: auto"><div style="height: 540000px"></div></div></main>'

function finding(gait: Gait, runs: readonly { list: readonly number[]; empty: readonly number[] }[]): Finding {
  const p95s = (of: 'list' | 'empty') => runs.map((round) => percentile(round[of], 0.95)).sort((a, b) => a - b)
  const all = runs.flatMap(({ list }) => list)
  return {
    what: `p95 of a frame, ${gait.name} by ${gait.px} px`,
    figure: `p50 ${inMs(percentile(all, 0.5))}, p95 of the rounds ${p95s('list').map(inMs).join(', ')}, worst ${inMs(Math.max(...all))}, of ${all.length}`,
    reference: `empty: p95 ${p95s('empty').map(inMs).join(', ')}`,
    value: median(p95s('list')),
    promised: { atMost: 33, unit: 'ms' },
  }
}

/** Fails if rows at the end of the view are missing. */
async function allInViewIsDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const box = document.querySelector('[data-virtual]')?.getBoundingClientRect()
    const last = [...document.querySelectorAll('[data-row]:not([data-waiting])')].at(-1)?.getBoundingClientRect()
    return box && last && last.bottom >= box.bottom
  })
}

const isAtEnd = (page: Page) =>
  page.locator('[data-virtual]').evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 1)

/** Milliseconds from frame to frame while the wheel scrolls from the top. */
async function framesOf(page: Page, { px, steps }: Gait): Promise<number[]> {
  await page.bringToFront()
  const box = page.locator('[data-virtual]')
  await box.evaluate((one) => one.scrollTo({ top: 0 }))
  await box.hover({ position: { x: 300, y: 300 } })
  await page.evaluate(() => {
    const frames: number[] = []
    let last = performance.now()
    const take = (now: number) => {
      frames.push(now - last)
      last = now
      handle = requestAnimationFrame(take)
    }
    let handle = requestAnimationFrame(take)
    Object.assign(globalThis, {
      stopFrames: () => {
        cancelAnimationFrame(handle)
        return frames.slice(1)
      },
    })
  })
  for (let step = 0; step < steps; step += 1) await page.mouse.wheel(0, px)
  return page.evaluate(() => (globalThis as unknown as { stopFrames: () => number[] }).stopFrames())
}
