import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdName, idNameOf } from '#contract/frame/ids.ts'
import { features } from '#contract/vocabulary/feature.ts'
import { isLookedUp, tableOf } from '#database/frame/reach.ts'
import { screens } from '#portal/screens.ts'
import { aRecord, type RecordMaker, sampledNouns } from '#testkit/access/record-samples.ts'
import type { AnyInput, TestUser } from '#testkit/api.ts'
import { faultsInBothSchemes, settled, sizes } from '#testkit/browser/looks.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { aSapCode } from '#testkit/fixtures.ts'
import { filterBar, openFilters } from '#testkit/list-filters.ts'
import { anAlarm, aPlannedPrice } from '#testkit/machines/machine-data.ts'
import { aNoVendProfile } from '#testkit/nouns/catalogue.ts'
import { aBlogPost } from '#testkit/nouns/key-portal.ts'
import { aLicence } from '#testkit/nouns/licences.ts'
import { aFirmware } from '#testkit/nouns/updates.ts'
import { aPaymentConfig, aPaymentOrder, aPaymentService } from '#testkit/nouns/web-payments.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'
import { productClient } from '#testkit/product-api.ts'

/* Every screen of the table, as the super admin sees it: no console errors, no horizontal overflow, no accessibility
   faults. Pictures are in .cache/pictures, light and dark, at 1440 and 390 px. Dialogs and menus of each screen are
   opened too. */

let product: TestProduct
let machine: Record<'id' | 'merchantId' | 'configId' | 'groupId' | 'clientId' | 'planogramId' | 'productId', string>
let somebody: string
let sapCodeId: string
let noVendProfileId: string
let collectionId: string
let licenceId: string
let payment: { serviceId: string; orderId: string }
beforeAll(async () => {
  product = await startProduct()
  const [found] = await product.database.admin<typeof machine>(
    `select m.id, m.merchant_id as "merchantId", c.id as "configId", m.group_id as "groupId", m.planogram_id as "planogramId",
       (select id from clients where merchant_id = m.merchant_id order by code limit 1) as "clientId",
       (select product_id from planogram_lines l where l.merchant_id = m.merchant_id and l.planogram_id = m.planogram_id
        order by position limit 1) as "productId" from machines m
     cross join lateral (select id from configurations c where c.machine_id = m.id order by read_at desc limit 1) c
     where exists (select from alarms a where a.machine_id = m.id and a.status = 'active')
       and exists (select from audits a where a.machine_id = m.id)
       and exists (select from machine_prices p where p.machine_id = m.id) and m.planogram_id is not null order by m.serial limit 1`,
  )
  if (!found) throw new Error('The demo has no machine with an alarm, an audit, prices and a planogram')
  machine = found
  // The simulation ends its own alarms while the screens are opened.
  await anAlarm(product.database, machine, { code: 'EJC_77' })
  sapCodeId = await aSapCode(product.database, machine.merchantId)
  noVendProfileId = await aNoVendProfile(product.database, machine.merchantId)
  const [collection] = await product.database.admin<{ id: string }>(
    `select id from collections where merchant_id = $1 order by status desc limit 1`,
    [machine.merchantId],
  )
  if (!collection) throw new Error('The demo has no collection')
  collectionId = collection.id
  licenceId = (await aLicence(product.database, machine, { status: 3 })).id
  const serviceId = await aPaymentService(product.database)
  const configId = await aPaymentConfig(product.database, machine.merchantId, serviceId)
  const place = { merchantId: machine.merchantId, configId, serviceId }
  payment = { serviceId, orderId: await aPaymentOrder(product.database, place) }
  const [person] = await product.database.admin<{ id: string }>(
    `select id from users where role = 'groupAdmin' limit 1`,
  )
  if (!person) throw new Error('The demo has no group admin')
  somebody = person.id
  await findRecords()
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const records = new Map<string, { id: string; merchantId: string | null }>()

/** Creates records through the running product, as the super admin. */
async function recordMaker(): Promise<RecordMaker> {
  const client = await productClient(product, 'superAdmin')
  return {
    database: product.database,
    send: async (name, input) => {
      try {
        const answer = await (client[name] as (input: AnyInput) => Promise<unknown>)(input)
        return { statusCode: 201, payload: JSON.stringify(answer) }
      } catch (problem) {
        return { statusCode: 400, payload: JSON.stringify(problem) }
      }
    },
  }
}

/** A record for each id in the paths that no other part of this file needs: the demo's, or a new one. */
async function findRecords() {
  const maker = await recordMaker()
  const { merchantId } = machine
  // Every screen is on.
  await product.database.admin('update merchant_features set features = $1', [features])
  await product.database.admin(`insert into merchant_details (merchant_id, screen_configuration) select id, true from merchants
    on conflict (merchant_id) do update set screen_configuration = true`)
  const nobody: TestUser = { issuer: '', subject: '', role: 'superAdmin' }
  const made: Partial<Record<string, () => Promise<string>>> = {
    firmwareId: () => aFirmware(product.database),
    blogPostId: () => aBlogPost(product.database),
    pricePlanId: () => aPlannedPrice(product.database, machine),
  }
  const unfilled = screens.flatMap(({ path }) => [...addressOf(path).matchAll(/\$(\w+)/g)].map(([, name]) => name))
  for (const name of new Set(unfilled) as Set<IdName>) {
    const noun = sampledNouns.find((one) => idNameOf(one) === name)
    const [ofDemo] = isLookedUp(name)
      ? await product.database.admin<{ id: string; merchantId: string }>(
          `select id, merchant_id as "merchantId" from ${tableOf(name)} order by merchant_id = $1 desc, id limit 1`,
          [merchantId],
        )
      : []
    const make = made[name] ?? (noun && (() => aRecord(maker, nobody, noun, { merchantId, posId: machine.id })))
    const id = ofDemo ? undefined : await make?.()
    const found = ofDemo ?? (id ? { id, merchantId: isLookedUp(name) ? merchantId : null } : undefined)
    if (!found) throw new Error(`Nothing for ${name}`)
    records.set(name, found)
  }
}

const addressOf = (path: string) => {
  const address = path
    .replace('$posId', machine.id)
    .replace('$historicalId', machine.configId)
    .replace('$merchantId', machine.merchantId)
    .replace('$code', 'ENC')
    .replace('$serial', 'NO-SUCH-MACHINE')
    .replace('$groupId', machine.groupId)
    .replace('$clientId', machine.clientId)
    .replace('$collectionId', collectionId)
    .replace('$sapCodeId', sapCodeId)
    .replace('$userId', somebody)
    .replace('$planogramId', machine.planogramId)
    .replace('$productId', machine.productId)
    .replace('$noVendProfileId', noVendProfileId)
    .replace('$licenceId', licenceId)
    .replace('$webPaymentServiceId', payment.serviceId)
    .replace('$webPaymentOrderId', payment.orderId)
  let { merchantId }: { merchantId: string | null } = machine
  const filled = address.replaceAll(/\$(\w+)/g, (given, name: string) => {
    const record = records.get(name)
    merchantId = record?.merchantId ?? merchantId
    return record?.id ?? given
  })
  // Under all merchants these screens require one.
  const isOfOne = path.includes('$posId') || path.startsWith('/manage') || merchantId !== machine.merchantId
  return isOfOne ? `${filled}?merchant=${merchantId}` : filled
}

type Open = (page: Page) => Promise<void>

/** The top row, in full; of a merchant with the feature. */
const firstRow: Open = async (page) => {
  const row = page.locator('main [data-row]')
  const ofAurora = row.filter({ hasText: 'Caffè Aurora' })
  await ((await ofAurora.count()) > 0 ? ofAurora : row).first().press('Enter')
  await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor()
}
/** Another part of the top audit. */
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
/** Goes to the next step of the wizard, after its required choice. */
const nextStep =
  (name: string, choose: Open = async () => {}): Open =>
  async (page) => {
    await choose(page)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('heading', { level: 2, name }).waitFor()
  }

/** The parts that open on a screen, in this order; Escape closes each. */
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
    'selected rows': async (page) => {
      await page.locator('main').getByRole('checkbox', { name: 'Select this row' }).first().check({ force: true })
      await page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem').first().waitFor()
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
  '/devices/$posId/prices': {
    drawer: firstRow,
    grid: async (page) => {
      const edit = page.getByRole('button', { name: 'Edit prices' })
      // A phone has no grid.
      if ((await edit.count()) === 0) return
      await edit.click()
      await page.getByRole('grid').waitFor()
    },
  },
  '/devices/prices/change': {
    rule: nextStep('New prices', async (page) => {
      await page.locator('main').getByRole('checkbox').first().check()
      await page.getByRole('radio', { name: 'All selections' }).check({ force: true })
      await page.getByRole('checkbox', { name: 'All price lists' }).check()
    }),
    percent: async (page) => {
      await page.getByRole('radio', { name: /by a percentage/ }).check()
      await page.getByRole('textbox', { name: /^Percentage/ }).fill('10')
    },
    preview: nextStep('Preview'),
  },
  '/manage/imports/create': {
    preview: async (page) => {
      await page.getByRole('combobox', { name: 'What does the file contain?' }).selectOption({ label: 'Products' })
      const rows = ['code,name,type,VAT', 'NEW-1,Oat bar,Snack,10', 'NEW-2,,Snack,10', 'NEW-3,Rye bar,Snack,a lot']
      await page.locator('input[type=file]').setInputFiles({
        name: 'products.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(rows.join('\n')),
      })
      await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
    },
  },
  '/manage/products/codes': {
    dialog: async (page) => {
      await page.getByRole('button', { name: /^Map/ }).first().click()
      await page.getByRole('dialog', { name: /^Which product is/ }).waitFor()
    },
  },
  '/manage/planograms': {
    'from a machine': async (page) => {
      await page.getByRole('button', { name: 'Create from machine' }).click()
      await page.getByRole('dialog', { name: 'Create a planogram from a machine' }).waitFor()
    },
  },
  '/manage/no-vend-profiles/$noVendProfileId/': {
    holidays: async (page) => {
      await page.getByRole('button', { name: 'Choose days' }).click()
      await page.getByRole('dialog', { name: 'Choose days' }).getByRole('button').first().waitFor()
    },
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
      await page.getByRole('combobox', { name: 'Firmware' }).waitFor()
    },
    when: nextStep('When', (page) => page.getByRole('radio', { name: /Read audit/ }).check()),
    window: async (page) => {
      await page.getByRole('radio', { name: /In a time window/ }).check()
      await page.getByRole('list', { name: 'Window per time zone' }).waitFor()
    },
    summary: nextStep('Summary'),
  },
}

/** Opens the parts of a screen one after another. Returns the accessibility faults of each. */
async function faultsOfParts(page: Page, path: string, pictureOf: (part: string) => string): Promise<string[]> {
  const found: string[] = []
  for (const [name, open] of Object.entries(parts[path] ?? {})) {
    try {
      await open(page)
      await page.locator('[role="dialog"] [aria-busy="true"]').first().waitFor({ state: 'detached' })
      found.push(...(await faultsInBothSchemes(page, pictureOf(name))))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
    } catch (error) {
      // The other screens are still checked.
      found.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
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
    page.setDefaultTimeout(30_000)
    const faults: Record<string, string[]> = {}
    for (const screen of screens) {
      const address = addressOf(screen.path)
      await page.evaluate((to) => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, address)
      const isThere = (url: URL) => url.pathname.replace(/\/$/, '') === address.split('?')[0]?.replace(/\/$/, '')
      // The other screens are still checked.
      const lost = await page.waitForURL(isThere).catch(() => page.url())
      if (lost) {
        faults[screen.path] = [`leads to ${lost}`]
        continue
      }
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
  }, 900_000)
})
