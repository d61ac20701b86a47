import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { TestPage } from '#testkit/browser/browser.ts'
import { faultsInBothSchemes, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, giveCredentials, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'

/* A technician's round without a network, also when the phone has discarded the page meanwhile. */

const names = ['Station', 'Hospital', 'School'] as const

/** A round with a van and three stops, eight pieces to load at each, and a warehouse. The merchant counts money blind. */
async function aDay() {
  const portal = await aPortal()
  const { database } = portal
  const { id: merchantId } = await aMerchant(database)
  await database.admin('update merchants set counts_blind = true where id = $1', [merchantId])
  const water = await aProduct(database, merchantId, { name: 'Water', code: 'W05' })
  const planogramId = await aPlanogram(database, merchantId)
  await aPlanogramLine(database, merchantId, planogramId, water, { selection: '11', capacity: 10, refill_value: 10 })
  const aPlace = async (name: string, kind: string) => {
    const id = randomUUID()
    await database.admin(
      'insert into stock_places (merchant_id, id, name, kind, created_at) values ($1, $2, $3, $4, now())',
      [merchantId, id, name, kind],
    )
    return id
  }
  const warehouse = await aPlace('Milano', 'warehouse')
  const van = await aPlace('Ducato', 'van')
  const roundId = await aRound(database, merchantId, { name: 'Centro', van_id: van })
  const machineIds: string[] = []
  for (const [at, name] of names.entries()) {
    const machine = await aMachine(database, merchantId, { name, columns: { planogram_id: planogramId } })
    const stopId = await aStop(database, machine, { round_id: roundId, position: at + 1 })
    machineIds.push(machine.id)
    await database.admin(
      `insert into round_loads (merchant_id, stop_id, machine_id, selection, product_id, product, capacity, quantity)
       values ($1, $2, $3, '11', $4, 'Water', 10, 8)`,
      [merchantId, stopId, machine.id, water],
    )
  }
  const inMerchant = [{ merchantId, groups: 'all' as const }]
  const technician = await aUserWithPassword(database, 'merchantUser', inMerchant)
  const colleague = await aUserWithPassword(database, 'merchantUser', inMerchant)
  return { portal, merchantId, warehouse, van, roundId, machineIds, technician, colleague }
}
type Day = Awaited<ReturnType<typeof aDay>>

/** A delivery into the warehouse. */
async function deliver({ portal, merchantId, warehouse }: Day) {
  const admin = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, `/stock-places/${warehouse}`)
  await page.getByRole('button', { name: 'Book a delivery' }).click()
  const delivery = page.getByRole('dialog', { name: 'Book a delivery: Milano' })
  await delivery.getByRole('combobox', { name: 'Product' }).first().click()
  await page.getByRole('option', { name: 'Water' }).click()
  await delivery.getByRole('textbox', { name: 'Pieces' }).fill('60')
  await delivery.getByRole('button', { name: 'Book', exact: true }).click()
  await delivery.waitFor({ state: 'detached' })
  await page.close()
}

const network = (page: Page, isThere: boolean) => page.context().setOffline(!isThere)

/** The phone with the round, once all that it needs is kept. */
async function aPhone({ portal, technician, roundId }: Day): Promise<TestPage> {
  const phone = await signedIn(portal, technician, `/devices/rounds/${roundId}`, { viewport: sizes.phone })
  const isPageKept = () =>
    phone.evaluate(async () => {
      const pages = (await caches.keys()).filter((name) => name.startsWith('gettone-page '))
      return (await Promise.all(pages.map(async (name) => (await caches.open(name)).match('/')))).some(Boolean)
    })
  await expect.poll(isPageKept, { timeout: 60_000 }).toBe(true)
  await expect.poll(() => countIn(phone, 'gettone-visit-plans', 'plans'), { timeout: 60_000 }).toBe(names.length)
  await phone.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  return phone
}

/** How many records a database of the phone has. */
const countIn = (phone: Page, database: string, store: string) =>
  phone.evaluate(
    ([name, of]) =>
      new Promise<number>((done) => {
        const opening = indexedDB.open(name)
        // A database that does not exist yet stays so.
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => done(0)
        opening.onsuccess = () => {
          const counting = opening.result.transaction(of).objectStore(of).count()
          counting.onsuccess = () => {
            opening.result.close()
            done(counting.result)
          }
        }
      }),
    [database, store] as const,
  )

/** The phone has discarded the page: nothing in memory is left, and the tab's storage neither. */
async function openAgain(phone: Page) {
  await phone.evaluate('sessionStorage.clear()')
  await phone.reload()
  await phone.getByText(/^The server can’t be reached\. Rounds/).waitFor()
}

const next = (phone: Page) => phone.getByRole('region', { name: 'Next stop' })
const visitNext = async (phone: Page, name: string, bag?: string) => {
  await next(phone).getByRole('heading', { name }).waitFor()
  await next(phone).getByRole('link', { name: 'Visit' }).click()
  await phone.getByRole('button', { name: 'Confirm 1 as planned' }).click()
  if (bag) {
    await phone.getByRole('switch', { name: 'Cash box taken' }).press('Space')
    await phone.getByRole('textbox', { name: 'Bag number' }).fill(bag)
  }
  await phone.getByRole('button', { name: 'Finish visit' }).click()
}

/** What the database has of the round. */
async function stored({ portal, roundId, machineIds }: Day) {
  const { database } = portal
  const [round] = await database.admin<{ status: string }>('select status from rounds where id = $1', [roundId])
  const stops = await database.admin<{ status: string; reason: string | null; note: string | null }>(
    'select status, skip_reason as reason, skip_note as note from round_stops where round_id = $1 order by position',
    [roundId],
  )
  const [counts] = await database.admin<{ visits: number; pickings: number; picked: number }>(
    `select (select count(*)::int from visits where machine_id = any($1)) as visits,
       (select count(*)::int from piece_operations where round_id = $2 and kind = 'transfer') as pickings,
       (select coalesce(sum(entry.pieces), 0)::int from piece_entries entry join piece_operations operation
         on operation.merchant_id = entry.merchant_id and operation.id = entry.operation_id
         where operation.round_id = $2 and operation.kind = 'transfer' and entry.pieces > 0) as picked`,
    [machineIds, roundId],
  )
  return { status: round?.status, stops, ...counts }
}

/** In the office: what was not loaded comes back, the bag is counted blind, and its money is deposited and credited. */
async function closeTheDay({ portal, merchantId, van }: Day) {
  const { database } = portal
  const admin = await aUserWithPassword(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, admin, `/stock-places/${van}`)
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const transfer = page.getByRole('dialog', { name: 'Move: Ducato' })
  for (const [label, option] of [
    ['To', 'Milano'],
    ['Product', 'Water'],
  ] as const) {
    await transfer.getByRole('combobox', { name: label }).first().click()
    await page.getByRole('option', { name: option }).click()
  }
  await transfer.getByRole('textbox', { name: 'Pieces' }).fill('8')
  await transfer.getByRole('button', { name: 'Book', exact: true }).click()
  await transfer.waitFor({ state: 'detached' })
  const pieces = await database.admin<{ name: string; pieces: number }>(
    `select place.name, coalesce(sum(lot.pieces), 0)::int as pieces from stock_places place
     left join place_lots lot on lot.merchant_id = place.merchant_id and lot.place_id = place.id
     where place.merchant_id = $1 group by 1 order by 1`,
    [merchantId],
  )
  expect(pieces).toEqual([
    { name: 'Ducato', pieces: 0 },
    { name: 'Milano', pieces: 44 },
  ])

  const collections = () =>
    database.admin<{ id: string; status: string; counted: number | null }>(
      `select id, status, counted_total::int as counted from collections where merchant_id = $1`,
      [merchantId],
    )
  const [collection, ...others] = await collections()
  expect(collection).toMatchObject({ status: 'open', counted: null })
  expect(others).toEqual([])
  await page.goto(new URL(`/devices/collections/${collection?.id}`, page.url()).href)
  await page.getByRole('textbox', { name: /^Pieces of € 1,00/ }).fill('12')
  await page.getByRole('button', { name: 'Save count' }).click()
  await expect.poll(collections).toMatchObject([{ status: 'counted', counted: 1200 }])

  await page.goto(new URL('/devices/deposits/create', page.url()).href)
  await page.getByRole('textbox', { name: 'Slip number' }).fill('S-1')
  await page.getByRole('textbox', { name: 'Amount on the slip' }).fill('12')
  await page.getByRole('checkbox', { name: 'Hospital' }).check()
  await page.getByText('1 collection, € 12,00 counted').waitFor()
  await page.getByRole('button', { name: /^(Create|Save)/ }).click()
  await page.getByRole('heading', { level: 1, name: 'S-1' }).waitFor()
  await page.getByRole('textbox', { name: 'Credited by the bank' }).fill('12')
  await page.getByLabel('Credited on').fill(new Date().toISOString().slice(0, 10))
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Deposit S-1 saved').waitFor()
  const [deposit] = await database.admin('select amount::int, credited::int from deposits where merchant_id = $1', [
    merchantId,
  ])
  expect(deposit).toEqual({ amount: 1200, credited: 1200 })
}

test('a round is picked, driven and finished without a network, in pages that open without it, is booked once, and its money reaches the bank', {
  timeout: 400_000,
}, async () => {
  const day = await aDay()
  await deliver(day)
  const phone = await aPhone(day)
  await network(phone, false)
  await openAgain(phone)
  await phone
    .getByText(/^No connection, as of/)
    .first()
    .waitFor()
  expect(await faultsInBothSchemes(phone, 'offline-round/opened')).toEqual([])

  await phone.getByRole('link', { name: 'Pick list' }).click()
  await phone.getByRole('checkbox', { name: /Water/ }).check()
  await phone.getByRole('button', { name: 'Book 24 pieces into Ducato' }).click()
  await phone.getByText('Nothing to take').waitFor()
  expect(await faultsInBothSchemes(phone, 'offline-round/picked')).toEqual([])
  await phone.getByRole('link', { name: 'Stops', exact: true }).click()
  await phone.getByRole('button', { name: 'Start round' }).click()
  await visitNext(phone, 'Station')
  await next(phone).getByRole('heading', { name: 'Hospital' }).waitFor()
  expect(await faultsInBothSchemes(phone, 'offline-round/next')).toEqual([])

  await openAgain(phone)
  await phone.getByText('1 visit, 2 steps').waitFor()
  await visitNext(phone, 'Hospital', 'BAG-7')
  await next(phone).getByRole('heading', { name: 'School' }).waitFor()
  await next(phone).getByRole('button', { name: 'Skip' }).click()
  await phone.getByRole('textbox', { name: 'Note for the office' }).fill('Holiday')
  await phone.getByRole('button', { name: 'Skip stop' }).click()
  const done = phone.getByRole('region', { name: 'All stops are done' })
  await done.waitFor()
  expect(await faultsInBothSchemes(phone, 'offline-round/done')).toEqual([])
  await done.getByRole('button', { name: 'Finish round' }).click()
  await phone.getByText('2 visits, 4 steps').waitFor()
  await phone.getByText('Finished', { exact: true }).first().waitFor()
  await openAgain(phone)
  await phone.getByText('2 visits, 4 steps').waitFor()
  expect(await stored(day)).toMatchObject({ status: 'planned', visits: 0, pickings: 0 })

  // The answers to the first calls are lost on the way: they are sent again, and are still one.
  for (const path of ['**/picking', '**/start', '**/visits'])
    await phone.context().route(path, async (route) => void (await route.fetch().then(() => route.abort())), {
      times: 1,
    })
  await network(phone, true)
  await phone.getByText('Kept on this phone, not sent yet:').waitFor({ state: 'hidden', timeout: 120_000 })
  await phone.getByText(/^The server can’t be reached/).waitFor({ state: 'hidden' })
  expect(await stored(day)).toEqual({
    status: 'done',
    stops: [
      { status: 'done', reason: null, note: null },
      { status: 'done', reason: null, note: null },
      { status: 'skipped', reason: 'closed', note: 'Holiday' },
    ],
    visits: 2,
    pickings: 1,
    picked: 24,
  })
  await closeTheDay(day)
})

test('another user of the phone sees and sends nothing of it; a sign-out without a network erases what is kept', {
  timeout: 400_000,
}, async () => {
  const day = await aDay()
  const phone = await aPhone(day)
  await network(phone, false)
  await openAgain(phone)
  await phone.getByRole('button', { name: 'Start round' }).click()
  await visitNext(phone, 'Station')
  await phone.getByText('1 visit, 1 step').waitFor()
  await phone.getByRole('button', { name: /your account/ }).click()
  await phone.getByRole('menuitem', { name: 'Sign out' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await phone.getByRole('button', { name: 'Sign in again' }).waitFor()
  const left = async () => ({
    ...(await phone.evaluate(async () => ({
      session: localStorage.getItem('gettone.offline'),
      pages: (await caches.keys()).filter((name) => name.startsWith('gettone-page ')).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    }))),
    answers: await countIn(phone, 'gettone-round-answers', 'answers'),
    plans: await countIn(phone, 'gettone-visit-plans', 'plans'),
    steps: await countIn(phone, 'gettone-visits', 'visits'),
  })
  await expect.poll(left).toEqual({ session: null, pages: 0, workers: 0, answers: 0, plans: 0, steps: 2 })

  // Another person takes the phone.
  await network(phone, true)
  await phone.context().clearCookies()
  await phone.getByRole('button', { name: 'Sign in again' }).click()
  await giveCredentials(phone, day.colleague)
  await phone.goto(`/devices/rounds/${day.roundId}`)
  await next(phone).getByRole('heading', { name: 'Station' }).waitFor()
  expect(await phone.getByText('Kept on this phone').count()).toBe(0)
  expect(await stored(day)).toMatchObject({ status: 'planned', visits: 0 })

  // Its technician is back: what was kept is sent under their name.
  await phone.getByRole('button', { name: /your account/ }).click()
  await phone.getByRole('menuitem', { name: 'Sign out' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await phone.getByRole('button', { name: 'Sign in again' }).click()
  await giveCredentials(phone, day.technician)
  await expect.poll(() => stored(day), { timeout: 60_000 }).toMatchObject({ status: 'underway', visits: 1 })
})
