import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { IdName } from '#contract/frame/ids.ts'
import { alarmCodePattern } from '#contract/vocabulary/alarm-code.ts'
import { serialPattern } from '#contract/vocabulary/serial.ts'
import { screens } from '#portal/screens.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { openTestApi } from '#testkit/api.ts'
import { drawn, settled } from '#testkit/browser/looks.ts'
import { openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'

/* Manipulated addresses. With any value the screen stays intact: no script runs, no invalid call reaches the API, and
   no error is logged. */

/** Every parameter that a screen or the API reads from an address. */
const names = [
  ...new Set(
    Object.values(endpoints as unknown as Record<string, AnyEndpoint>).flatMap(({ method, query }) =>
      method === 'GET' && query ? Object.keys((query as z.ZodObject).shape) : [],
    ),
  ),
  'period',
  'step',
  'list',
  'view',
  'alarm',
  'audit',
  'command',
  'transaction',
  'columns',
  'chart',
  'groups',
  'to',
  'selection',
  'machine',
  'rule',
  'matching',
  'except',
  'posIds',
  'of',
  'productCode',
  'from',
  'copy',
]

const attacks = {
  script: '<script>alert(1)</script>',
  'javascript address': 'javascript:alert(1)',
  'broken out of an attribute': '"><img src=x onerror=alert(1)>',
  'prototype name': '__proto__',
  'page before the first': '-3',
  'page beyond all': '1e9',
  'far too many': '999999',
  'NUL and line ends': 'a\u0000b\r\nSet-Cookie: a=b',
  'path upwards': '../../../etc/passwd',
  'query inside': "' or 1=1 --",
} as const

const query = (value: string) => names.map((name) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
const searches: Record<string, string> = {
  ...Object.fromEntries(Object.entries(attacks).map(([name, value]) => [name, query(value)])),
  'unknown columns': 'ord=password&ordType=sideways&columns=password&columns=__proto__&sortOptions=x',
  'names of prototypes': '__proto__=1&constructor=2&prototype.x=3&hasOwnProperty=4&toString=5&__proto__[page]=6',
  // The whole stays below the 16 kB that a server reads of a request's head.
  'a filter of 10,000 characters': names
    .map((name) => `${name}=${'x'.repeat(name === 'search' ? 10_000 : 8)}`)
    .join('&'),
  'said several times': names.map((name) => `${name}=1&${name}=2&${name}=<b>&${name}=`).join('&'),
  'badly encoded': names.map((name) => `${name}=%E0%A4%A&%=%&${name}=%zz`).join('&'),
  'hundreds of values': Array.from({ length: 500 }, (_, index) => `states=${index}&groupIds=${index}`).join('&'),
}

let portal: TestPortal & { stop: () => Promise<void> }
/** A record for each id in paths. */
let records: Aim
beforeAll(async () => {
  portal = await openPortal()
  const api = await openTestApi({}, portal.database)
  records = (await accessAims(api)).ownAim
  await api.close()
}, 180_000)
afterAll(() => portal?.stop(), 60_000)

/** Signs in a user who may see every screen, and collects the page's errors. */
async function aScene() {
  const page = await signedIn(portal, await aUserWithPassword(portal.database, 'superAdmin'), '/dashboard')
  page.setDefaultTimeout(30_000)
  const faults: string[] = []
  page.on('dialog', (dialog) => {
    faults.push(`a dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (pathname.startsWith('/api/') && (response.status() === 400 || response.status() >= 500))
      faults.push(`${response.status()} ${pathname}${search}`.slice(0, 300))
  })
  /** Errors since the last call. */
  const since = () => [...faults.splice(0), ...page.complaints.splice(0)]
  return { page, since }
}

/** Ids of paths that have another name in calls, and what is no id. */
const elsewhere = (): Record<string, string> => ({
  historicalId: records.configId,
  code: 'ENC',
  serial: 'NO-SUCH-MACHINE',
})

/** The address of a screen, with a record for each id. */
const pathOf = (path: string) =>
  path
    .replace(/\$(\w+)/g, (_, name: string) => {
      const value = elsewhere()[name] ?? records[name as IdName]
      if (!value) throw new Error(`Nothing for ${name}`)
      return value
    })
    .replace(/\/$/, '')

/** Goes to an address inside the portal, as a link does. */
const goTo = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

const lists = screens.filter(
  ({ path, words }) => words.includes('list') || /\/compare$|\/change$|planograms\/create$/.test(path),
)

test.each(Object.entries(searches))(
  'every list, and what lists lead to, opens with any address: %s',
  async (_name, search) => {
    expect(lists.length).toBeGreaterThan(7)
    const { page, since } = await aScene()
    const found: Record<string, string[]> = {}
    // The first address is opened in full, as from a link in a mail; the others from there on.
    await page.goto(`${pathOf('/alarms')}?${search}`)
    await settled(page)
    for (const { path } of lists) {
      await goTo(page, `${pathOf(path)}?${search}`)
      const said: string[] = []
      await drawn(page).catch((error: Error) => said.push(error.message))
      const { pathname } = new URL(page.url())
      if (pathname !== pathOf(path)) said.push(`it led to ${pathname}`)
      said.push(...since())
      if (said.length > 0) found[path] = said
    }
    // Requests of the last address, and late errors of all addresses.
    await settled(page)
    const late = since()
    if (late.length > 0) found.late = late
    expect(found).toEqual({})
  },
  180_000,
)

test('a record’s page with an invalid id says that nothing has it, and requests nothing', async () => {
  const { page, since } = await aScene()
  const found: Record<string, string[]> = {}
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const paths = screens.filter(({ path, tabOf }) => path.includes('$') && (!tabOf || path.endsWith('/notes')))
  expect(paths.length).toBeGreaterThan(1)
  for (const value of [...Object.values(attacks), '%E0%A4%A', '%', 'x'.repeat(1000)]) {
    const part = value.startsWith('%') ? value : encodeURIComponent(value.toWellFormed())
    for (const { path } of paths) {
      // A maker's alarm code may have any form; its page exists so that its text can be written.
      if (path.endsWith('/$code') && alarmCodePattern.test(value)) continue
      // A machine's serial may have this form too; the page then says that there is no such machine.
      if (path.endsWith('/$serial') && serialPattern.test(value)) continue
      await goTo(page, path.replace(/\$\w+/, part))
      const said: string[] = []
      // An address that cannot be decoded names no screen.
      const shown = value.startsWith('%')
        ? page.waitForURL((url) => url.pathname === '/dashboard', { timeout: 10_000 })
        : page.getByText('This address is wrong').waitFor({ timeout: 10_000 })
      await shown.catch(() => said.push(`it showed ${page.url().slice(0, 100)}`))
      if (said.length > 0) await page.goto('/dashboard')
      await settled(page)
      said.push(...since())
      if (said.length > 0) found[`${path} ${value.slice(0, 40)}`] = said
    }
  }
  expect(found).toEqual({})
  const evil = /%3C|%22|alert|passwd|__proto__|constructor|xxxx/i
  expect(asked.filter((path) => path.startsWith('/api/') && evil.test(path))).toEqual([])
}, 240_000)

test('an unknown id leads to a not-found message', async () => {
  const { page } = await aScene()
  await goTo(page, '/devices/019ad6a2-3c41-7e5b-9d0e-5d1f3f6a2b10')
  await page.getByText('Machine not found').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Machines' }).last().waitFor()
})
