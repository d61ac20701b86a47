import type { Page } from 'playwright-core'
import { demoAccounts } from '#demo/operators/people.ts'
import { onSlowLine, slowLine, waitsIn } from '#testkit/browser/slow-line.ts'
import { install } from '../installation.ts'
import { type Finding, type Measurement, median } from '../measure.ts'
import { openWindow } from './browser.ts'

/** Milliseconds between two keys: 40 words per minute. */
const keyMs = 300
const rounds = 3

const [account] = demoAccounts

/** Fills the fields key by key, or at once as a password manager does. */
async function fillIn(page: Page, isTyped: boolean) {
  for (const [label, text] of [
    ['Email', account?.email],
    ['Password', account?.password],
  ] as const) {
    const field = page.getByLabel(label)
    if (isTyped) await field.pressSequentially(text ?? '', { delay: keyMs })
    else await field.fill(text ?? '')
  }
}

const figures = (page: Page) => page.locator('main [aria-busy="false"]').first().waitFor()

interface Visit {
  /** Until the sign-in page can be used, and from the click on “Sign in” until the figures are shown. */
  seconds: { signIn: number; figures: number }
  waits: number
  kilobytes: number
  /** Until the figures, on a visit with the session and the files of the one before. */
  againSeconds: number
}

/** A visit with an empty cache, and another one after it. */
async function visit(origin: string, isTyped: boolean): Promise<Visit> {
  const window = await openWindow()
  const { page } = window
  page.setDefaultTimeout(120_000)
  try {
    const trips = await onSlowLine(page)
    const secondsOf = async (work: () => Promise<unknown>) => {
      const from = performance.now()
      await work()
      return (performance.now() - from) / 1000
    }
    const signIn = await secondsOf(async () => {
      await page.goto(origin)
      await page.getByLabel('Email').waitFor()
    })
    await fillIn(page, isTyped)
    const before = trips().length
    const first = await secondsOf(async () => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await figures(page)
    })
    const after = trips().slice(before)
    await page.waitForTimeout(10_000)
    const again = await secondsOf(async () => {
      await page.goto(`${origin}/dashboard`)
      await figures(page)
    })
    return {
      seconds: { signIn, figures: first },
      waits: waitsIn(after).length,
      kilobytes: after.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
      againSeconds: again,
    }
  } finally {
    await window.close()
  }
}

const seconds = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(', ')

export const slowLineVisits: Measurement = {
  title: 'The first figures on a slow line',
  about: `A browser with an empty cache on a line of ${slowLine.bytesPerSecond / 1000} kB per second, on which each request waits ${slowLine.latencyMs} ms (Chromium's own
    emulation). A user opens the portal, types address and password at 40 words per minute, and signs in; the time ends when the dashboard shows its figures. Files load
    while the user types. A password manager leaves no time for that. The median of ${rounds} visits counts.`,
  async run({ quick, say }) {
    const installation = await install(say, { historyDays: 14, machines: 90, transactions: 50_000 })
    const server = await installation.serve()
    try {
      const visits = async (isTyped: boolean) => {
        const all: Visit[] = []
        for (let round = 0; round < (quick ? 1 : rounds); round += 1) all.push(await visit(server.origin, isTyped))
        return all
      }
      const typed = await visits(true)
      const filled = await visits(false)
      const finding = (what: string, values: readonly number[], promised?: Finding['promised']): Finding => ({
        what,
        figure: seconds(values),
        value: median(values),
        ...(promised && { promised }),
      })
      const [one] = typed
      return [
        finding(
          'sign-in page',
          typed.map((each) => each.seconds.signIn),
        ),
        finding(
          'figures after a typed sign-in',
          typed.map((each) => each.seconds.figures),
          { atMost: 4, unit: 's' },
        ),
        {
          what: 'the same, what the page waits for',
          figure: `${one?.waits} round trips, ${one?.kilobytes.toFixed(0)} kB`,
          value: one?.waits ?? 0,
        },
        finding(
          'figures after a sign-in by a password manager',
          filled.map((each) => each.seconds.figures),
        ),
        finding(
          'figures on the next visit',
          typed.map((each) => each.againSeconds),
        ),
      ]
    } finally {
      await server.stop()
      await installation.stop()
    }
  },
}
