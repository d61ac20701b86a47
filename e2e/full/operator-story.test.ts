import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AssociationAnswer, upTopic } from '#contract/device-protocol.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { aFreePort, openPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, password, signedIn } from '#testkit/browser/sign-in.ts'
import { requireTool, tools } from '../../scripts/tools.ts'

/* An operator starts from nothing: the provider creates a merchant, the merchant its users, groups and client, and a
   machine is associated by hand. A user of another group sees none of it. */

const run = promisify(execFile)
const patience = { timeout: 60_000 }
const machineName = 'Terminal Norte'
const serial = 'MX-0001'

let portal: Awaited<ReturnType<typeof openPortal>>
let mqttPort: number
beforeAll(async () => {
  mqttPort = await aFreePort()
  portal = await openPortal({ MQTT_PORT: String(mqttPort) }, ['api', 'gateway'])
}, 180_000)
afterAll(() => portal?.stop(), 180_000)

/** The token of a page, read from its next call. */
async function bearerOf(page: Page): Promise<string> {
  const called = page.waitForRequest((request) => request.headers().authorization !== undefined)
  await page.reload()
  return (await called).headers().authorization ?? ''
}

/** Calls the API as the user of a page. */
const as = (bearer: string) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(portal.url + apiPrefix + path, {
    method,
    headers: { authorization: bearer, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Opens the newest invitation in the mailbox, which names the merchant and the role, sets a password by its link, and is signed in. */
async function accepted(email: string, as: string): Promise<Page> {
  const page = await aPage({ baseURL: portal.url })
  page.setDefaultTimeout(patience.timeout)
  await page.goto('/mailbox')
  await page.getByRole('link').filter({ hasText: email }).first().click()
  await page.frameLocator('iframe').getByRole('link').first().click()
  await page.waitForURL('**/identity/invitation/**')
  await page.getByText(as).waitFor()
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat new password').fill(password)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL((url) => url.pathname === '/dashboard')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Fills in the form of a new person, who sees the whole merchant or one group of it, and has them invited. */
async function invited(page: Page, person: { email: string; name: string; role?: string; group?: string }) {
  await page.getByRole('textbox', { name: /^Email/ }).fill(person.email)
  await page.getByRole('textbox', { name: /^Name/ }).fill(person.name)
  if (person.role) await page.getByLabel('Role').selectOption(person.role)
  if (person.group) {
    await page.getByPlaceholder('Choose groups').click()
    await page.getByRole('option', { name: person.group }).filter({ visible: true }).click()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Save and invite' }).click()
  await page.getByText(`${person.name} invited`).waitFor()
}

async function aGroup(page: Page, name: string): Promise<string> {
  await page.goto('/manage/groups')
  await page.getByRole('button', { name: 'New group' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return new URL(page.url()).pathname.split('/').pop() ?? ''
}

/** Chooses all machines that are not assigned yet and adds them. */
async function addMachine(page: Page) {
  await page
    .getByRole('button', { name: /^Not (in this group|at this client)$/ })
    .first()
    .click()
  await page.getByRole('row').filter({ hasText: machineName }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add machine' }).click()
  await page.getByText('1 machine added to').first().waitFor()
}

/** The content of a live stream until the connection closes. */
function listening(bearer: string) {
  const leave = new AbortController()
  const said = { text: '' }
  const read = async () => {
    const answer = await fetch(`${portal.url}${apiPrefix}/users/me/live`, {
      headers: { authorization: bearer },
      signal: leave.signal,
    })
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) said.text += decoder.decode(chunk, { stream: true })
  }
  read().catch(() => undefined)
  return { said, leave: () => leave.abort() }
}

/** A machine that uses only curl and mosquitto_pub. */
async function aMachineByHand(pin: string) {
  const body = JSON.stringify({ serial, deviceType: 'AZVT', pin, name: machineName })
  const curl = ['--silent', '--fail-with-body', '--header', 'content-type: application/json', '--data', body]
  const { stdout } = await run('curl', [...curl, `${portal.url}/device/v1/associate`])
  const { secret, epoch } = AssociationAnswer.parse(JSON.parse(stdout))
  const zone = 'America/Mexico_City'
  const clock = () => new Date().toLocaleString('sv', { timeZone: zone }).replace(' ', 'T')
  let seq = 0
  return {
    async sells(product: string, value: number) {
      seq += 1
      const at = clock()
      const item = { at, seq, type: 1, mediaType: 1, mediaSource: 1, priceLine: 10, product, value }
      await run(requireTool(tools.mosquittoPub), [
        '-h',
        '127.0.0.1',
        '-p',
        String(mqttPort),
        '-u',
        serial,
        '-P',
        secret,
        '-i',
        serial,
        '-q',
        '1',
        '-t',
        upTopic(serial, 'sale'),
        '-m',
        JSON.stringify({ id: randomUUID(), at, epoch, items: [item] }),
      ])
    },
  }
}

test('a merchant in Mexico starts, and the group admin of the other group sees nothing of its machine', async () => {
  // The provider creates the merchant; its country suggests language, zone and currency.
  const provider = await aUserWithPassword(portal.database, 'superAdmin')
  const superAdmin = await signedIn(portal, provider, '/admin/merchants/create')
  await superAdmin.getByLabel('Name', { exact: false }).first().fill('Operadora Azteca')
  await superAdmin.getByLabel('Country', { exact: false }).first().fill('Mexico')
  await superAdmin.getByRole('option', { name: 'Mexico', exact: true }).filter({ visible: true }).click()
  await superAdmin.getByRole('button', { name: 'Create merchant' }).click()
  await superAdmin.getByText('Merchant created.').waitFor()
  const [merchant] = await portal.database.admin<Record<'id' | 'country' | 'language' | 'currency' | 'zone', string>>(
    `select id, country, language, currency, time_zone as zone from merchants where name = 'Operadora Azteca'`,
  )
  expect(merchant).toMatchObject({ country: 'MX', language: 'es', currency: 'MXN', zone: 'America/Mexico_City' })
  const merchantId = merchant?.id ?? ''
  const adminEmail = 'rosa@azteca.test'
  // The first user of a merchant administers it: the form knows merchant and role.
  await superAdmin.getByRole('link', { name: 'Invite a user' }).click()
  await invited(superAdmin, { email: adminEmail, name: 'Rosa' })
  expect(
    await portal.database.admin(
      `select u.role, m.merchant_id as "merchantId" from users u join user_merchants m on m.user_id = u.id where u.email = $1`,
      [adminEmail],
    ),
  ).toEqual([{ role: 'merchantAdmin', merchantId }])

  // Its admin signs up through the mail and creates groups, a client and a group admin.
  const admin = await accepted(adminEmail, 'You join Operadora Azteca as merchant admin.')
  // The empty merchant is led through its first steps, and nothing says that all is well.
  const steps = admin.getByRole('main').getByRole('listitem')
  const step = (name: string) => steps.filter({ hasText: name })
  await admin.getByRole('heading', { name: 'First steps' }).waitFor()
  expect(await step('Time zone and currency').innerText()).toContain('America/Mexico City · MXN')
  await step('Association PIN').getByText('(done)').waitFor()
  await step('First machine').getByText('(open)').waitFor()
  await admin.getByRole('heading', { name: 'You see no machines of Operadora Azteca yet' }).waitFor()
  expect(await admin.getByText('No machine needs attention').count()).toBe(0)
  await admin.goto('/alarms')
  await admin.getByRole('heading', { name: 'You see no machines of Operadora Azteca yet' }).waitFor()
  const north = await aGroup(admin, 'Norte')
  await aGroup(admin, 'Sur')
  await admin.goto('/manage/clients/create')
  await admin.getByLabel('Code', { exact: false }).first().fill('C-1')
  await admin.getByRole('textbox', { name: /^Name/ }).fill('Hospital General')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await admin.getByRole('heading', { level: 1, name: 'Hospital General' }).waitFor()
  const clientPath = new URL(admin.url()).pathname
  const adminBearer = await bearerOf(admin)
  const groupEmail = 'luis@azteca.test'
  await admin.goto('/manage/users/create')
  await invited(admin, { email: groupEmail, name: 'Luis', role: 'groupAdmin', group: 'Sur' })

  // A machine is associated with the merchant's PIN, added to the other group and assigned to the client.
  const association = await as(adminBearer)('GET', `/merchants/${merchantId}/association`)
  const machine = await aMachineByHand(JSON.parse(association.text).pin)
  await admin.goto(`/manage/groups/${north}`)
  await addMachine(admin)
  await admin.goto(`${clientPath}/pos`)
  await addMachine(admin)

  // The admin sees its sales at once.
  await admin.goto('/transactions/data')
  await admin.getByRole('heading', { level: 1 }).waitFor()
  await machine.sells('Café de olla', 2500)
  const sale = admin.locator('[data-row]').filter({ hasText: machineName })
  await sale.first().waitFor()
  expect(await sale.count()).toBe(1)
  const [made] = await portal.database.admin<{ id: string }>('select id from machines where serial = $1', [serial])
  const posId = made?.id ?? ''

  // The user of the other group signs up through the mail, and sees nothing of it: on the screens,
  // Facts have ticked the first steps. They close for the merchant, and Help opens them again.
  await admin.goto('/dashboard')
  for (const name of ['First machine', 'Users', 'Test sale']) await step(name).getByText('(done)').waitFor()
  await admin.getByRole('button', { name: 'Close checklist' }).click()
  await admin.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
  await admin.reload()
  await admin.getByRole('heading', { name: 'Needs attention' }).waitFor()
  expect(await admin.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  await admin.getByRole('button', { name: 'Rosa' }).click()
  await admin.getByRole('menuitem', { name: 'First steps' }).click()
  await admin.getByRole('heading', { name: 'First steps' }).waitFor()

  const other = await accepted(groupEmail, 'You join Operadora Azteca as group admin.')
  const answers: Promise<string>[] = []
  other.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith(apiPrefix) && !pathname.endsWith('/live')) answers.push(response.text().catch(() => ''))
  })
  const seesNothing = async () => {
    await other.locator('main').getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => other.locator('[aria-busy="true"]').count(), patience).toBe(0)
    const seen = [await other.locator('body').innerText(), ...(await Promise.all(answers))].join()
    for (const secret of [machineName, serial, 'Café de olla', 'Norte', posId]) expect(seen).not.toContain(secret)
  }
  for (const path of [
    '/dashboard',
    '/devices/list',
    '/transactions/data',
    '/transactions/stats',
    '/alarms',
    '/manage/groups',
  ]) {
    await other.goto(path)
    await seesNothing()
  }
  // in the palette,
  for (const [page, isSeen] of [
    [admin, true],
    [other, false],
  ] as const) {
    await page.goto('/dashboard')
    await page.locator('main').getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const answered = page.waitForResponse((response) => response.url().includes('search=terminal'))
    await page.getByRole('textbox', { name: 'Search' }).fill('Terminal')
    await answered
    // The machine and its actions.
    const found = page.locator('[data-action]').filter({ hasText: machineName })
    if (isSeen) await found.first().waitFor()
    expect((await found.count()) > 0).toBe(isSeen)
    await page.keyboard.press('Escape')
  }
  // in the API and in exports, which the admin may read,
  const otherBearer = await bearerOf(other)
  const today = new Date().toLocaleDateString('sv', { timeZone: merchant?.zone })
  const period = { startDate: today, endDate: today }
  const order = { format: 'csv', language: 'en' }
  const orders = [
    { ...order, list: 'machines', columns: ['name', 'serial'], filter: {} },
    { ...order, list: 'transactions', columns: ['machine'], filter: period },
  ]
  const questions: (readonly [string, string, object?])[] = [
    ['GET', `/merchants/${merchantId}/pos/paged`],
    ['GET', `/merchants/${merchantId}/transactions/paged?startDate=${today}&endDate=${today}`],
    ...orders.map((order) => ['POST', `/merchants/${merchantId}/exports/shown`, order] as const),
  ]
  for (const question of questions) {
    expect((await as(adminBearer)(...question)).text).toContain(machineName)
    const answer = await as(otherBearer)(...question)
    expect(answer.status).toBeLessThan(300)
    expect(answer.text).not.toContain(machineName)
    expect(answer.text).not.toContain(serial)
  }
  expect(await as(otherBearer)('GET', `/merchants/${merchantId}/pos/${posId}`)).toMatchObject({ status: 404 })
  expect(await as(otherBearer)('GET', `/merchants/${merchantId}/groups/${north}`)).toMatchObject({ status: 404 })
  // and in live updates, which the admin receives.
  const heard = listening(adminBearer)
  const unheard = listening(otherBearer)
  await other.goto('/transactions/data')
  await seesNothing()
  await machine.sells('Té helado', 1800)
  await expect.poll(() => heard.said.text, patience).toContain(posId)
  await new Promise((done) => setTimeout(done, 2_000))
  expect(unheard.said.text).not.toContain(posId)
  await seesNothing()
  for (const { leave } of [heard, unheard]) leave()
  // Not by its address either.
  await other.goto(`/devices/${posId}`)
  await other.getByText('Machine not found.').first().waitFor()
}, 600_000)
