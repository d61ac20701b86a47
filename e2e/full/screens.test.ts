import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screens } from '#portal/screens.ts'
import { faultsInBothSchemes, settled, sizes } from '#testkit/browser/looks.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { aSapCode } from '#testkit/fixtures.ts'
import { filterBar, openFilters } from '#testkit/list-filters.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/*
 * Every screen of the table, as the super admin sees it: it shows, complains of nothing, moves no further than its width, and
 * axe finds nothing. Its picture is left in .cache/pictures, light and dark, at 1440 and 390 px. What opens on a screen is
 * opened too.
 */

let product: TestProduct
let machine: { id: string; merchantId: string; configId: string; groupId: string; clientId: string }
let somebody: string
let sapcodeId: string
beforeAll(async () => {
  product = await startProduct()
  const [found] = await product.database.admin<typeof machine>(
    `select m.id, m.merchant_id as "merchantId", c.id as "configId", m.group_id as "groupId",
       (select id from clients where merchant_id = m.merchant_id order by code limit 1) as "clientId" from machines m
     cross join lateral (select id from configurations c where c.machine_id = m.id order by read_at desc limit 1) c
     where exists (select from alarms a where a.machine_id = m.id and a.status = 'active')
       and exists (select from audits a where a.machine_id = m.id) order by m.serial limit 1`,
  )
  if (!found) throw new Error('The demo has no machine with an alarm and an audit')
  machine = found
  sapcodeId = await aSapCode(product.database, machine.merchantId)
  const [person] = await product.database.admin<{ id: string }>(
    `select id from users where role = 'groupAdmin' limit 1`,
  )
  if (!person) throw new Error('The demo has no group admin')
  somebody = person.id
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const addressOf = (path: string) => {
  const address = path
    .replace('$posId', machine.id)
    .replace('$historicalId', machine.configId)
    .replace('$merchantId', machine.merchantId)
    .replace('$code', 'ENC')
    .replace('$serial', 'NO-SUCH-MACHINE')
    .replace('$groupId', machine.groupId)
    .replace('$clientId', machine.clientId)
    .replace('$sapcodeId', sapcodeId)
    .replace('$userId', somebody)
  // Under all distributors these ask for one.
  const isOfOne = path.includes('$posId') || path.startsWith('/manage')
  return isOfOne ? `${address}?merchant=${machine.merchantId}` : address
}

type Open = (page: Page) => Promise<void>

/** The row on top, in full; of a merchant who has the function. */
const firstRow: Open = async (page) => {
  const row = page.locator('main [data-row]')
  const ofAurora = row.filter({ hasText: 'Caffè Aurora' })
  await ((await ofAurora.count()) > 0 ? ofAurora : row).first().press('Enter')
  await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor()
}
/** Another part of the audit on top. */
const partOfAudit =
  (name: string): Open =>
  async (page) => {
    await firstRow(page)
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').getByRole('table').first().waitFor()
  }
const period =
  (name: string): Open =>
  async (page) => {
    await filterBar(page).getByRole('button', { name }).first().click()
    await page.getByRole('dialog').getByRole('table').waitFor()
  }
/** Leaves a step of the wizard for the next, after what it asks for is chosen. */
const nextStep =
  (name: string, choose: Open = async () => {}): Open =>
  async (page) => {
    await choose(page)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('heading', { level: 2, name }).waitFor()
  }

/** What opens on a screen, in this order; Escape closes it again. */
const parts: Record<string, Record<string, Open>> = {
  '/dashboard': {
    palette: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Search' }).locator('[data-action]').first().waitFor()
    },
    shortcuts: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  '/devices/list': {
    filters: async (page) => void (await openFilters(page)),
    map: async (page) => {
      await page.getByRole('button', { name: 'Map', exact: true }).click()
      await page.getByRole('region', { name: 'Map', exact: true }).waitFor()
    },
  },
  '/associate': {
    developers: async (page) => {
      await page.getByText('For developers').click()
      await page.getByRole('figure').first().waitFor()
    },
  },
  '/devices/$posId/pos-alarms': { drawer: firstRow },
  '/devices/$posId/audits': {
    drawer: firstRow,
    'since the read before': partOfAudit('Since previous reading'),
    reconciliation: partOfAudit('Reconciliation'),
  },
  '/alarms': { drawer: firstRow },
  '/transactions/data': { drawer: firstRow, period: period('Period') },
  '/transactions/stats': { period: period('Period') },
  '/devices/remote-commands': {
    command: nextStep('Command', (page) => page.locator('main').getByRole('checkbox').first().check()),
    prices: async (page) => {
      await page.getByRole('radio', { name: /^Send prices/ }).check()
      await page.getByRole('group', { name: 'Prices' }).waitFor()
    },
    file: async (page) => {
      await page.getByRole('radio', { name: /^Update peripheral firmware/ }).check()
      await page.getByRole('group', { name: 'File' }).waitFor()
    },
    when: nextStep('When', (page) => page.getByRole('radio', { name: /Read audit/ }).check()),
    window: async (page) => {
      await page.getByRole('radio', { name: /In a time window/ }).check()
      await page.getByRole('list', { name: 'Window per time zone' }).waitFor()
    },
    summary: nextStep('Summary'),
  },
}

/** Opens the parts of a screen one after another; what axe finds in each. */
async function faultsOfParts(page: Page, path: string, pictureOf: (part: string) => string): Promise<string[]> {
  const found: string[] = []
  for (const [name, open] of Object.entries(parts[path] ?? {})) {
    await open(page)
    await page.locator('[role="dialog"] [aria-busy="true"]').first().waitFor({ state: 'detached' })
    found.push(...(await faultsInBothSchemes(page, pictureOf(name))))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  }
  return found
}

test('every screen whose parts are opened exists', () => {
  expect(screens.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(parts)))
})

describe.each(['desktop', 'phone'] as const)('%s', (size) => {
  test('every screen', async () => {
    expect(screens.length).toBeGreaterThan(10)
    const page = await signedIn(product, 'superAdmin', '/dashboard', { viewport: sizes[size] })
    const faults: Record<string, string[]> = {}
    for (const screen of screens) {
      const address = addressOf(screen.path)
      await page.evaluate((to) => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, address)
      await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === address.split('?')[0]?.replace(/\/$/, ''))
      await settled(page)
      const pictureOf = (part = '') => {
        const name = `${screen.path} ${part}`.replaceAll(/[^a-z]+/gi, '-').replace(/^-|-$/g, '')
        return `screens/${name}-${size}`
      }
      const found = [
        ...(await faultsInBothSchemes(page, pictureOf())),
        ...(await faultsOfParts(page, screen.path, pictureOf)),
        ...page.complaints.splice(0),
      ]
      if (found.length > 0) faults[screen.path] = found
    }
    expect(faults).toEqual({})
  }, 480_000)
})
