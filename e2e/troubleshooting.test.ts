import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityFaults, aPage, type PageOptions } from '#testkit/browser.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machine-data.ts'
import { openPortal, type TestPortal } from '#testkit/portal.ts'

/*
 * The super admin writes what to do about an alarm, with a picture; an operator reads it where the alarm is: on its row, on the
 * machine, in their own language or in the next best.
 */

const password = 'Gettone-demo-1'
const pictures = join(import.meta.dirname, '..', '.cache', 'pictures', 'troubleshooting')
const phone = { width: 390, height: 844 }

let portal: TestPortal & { stop: () => Promise<void> }
let machine: TestMachine
let writer: string
let operator: string
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true })
  portal = await openPortal()
  const { id: merchantId } = await aMerchant(portal.database, { name: 'Caffè Aurora' })
  machine = await aMachine(portal.database, merchantId, { name: 'Lobby east', columns: { pos_status: 3 } })
  await anAlarm(portal.database, machine, { code: 'ENC', category: 'jam' })
  await anAlarm(portal.database, machine, { code: 'EJC_12', source: 'snack', criticity: 2 })
  writer = (await somebody('superAdmin', [], 'en')).email
  operator = (await somebody('merchantUser', [{ merchantId, groups: 'all' }], 'de')).email
}, 300_000)
afterAll(() => portal?.stop(), 60_000)

async function somebody(role: 'superAdmin' | 'merchantUser', reach: Parameters<typeof aUser>[2], language: string) {
  const person = await aUser(portal.database, role, reach)
  await portal.accounts.givePassword(person.id, password, new Date())
  await portal.database.admin('update users set language = $2 where id = $1', [person.id, language])
  return person
}

async function signedIn(email: string, path: string, options: Partial<PageOptions> = {}) {
  const page = await aPage({ baseURL: portal.url, ...options })
  page.setDefaultTimeout(60_000)
  await page.goto(path)
  await page.locator('[name=email], [type=email]').first().fill(email)
  await page.locator('[type=password]').first().fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** A picture of so many pixels, gold all over. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const line = Buffer.concat([
    Buffer.from([0]),
    Buffer.from(Array.from({ length: width }, () => [212, 160, 40]).flat()),
  ])
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.concat(Array(height).fill(line)))
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const look = (page: Page, name: string) => page.screenshot({ path: join(pictures, `${name}.png`) })
const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

describe('what to do about an alarm', () => {
  test('the super admin finds the code by its name, and writes a text with a picture', async () => {
    const page = await signedIn(writer, '/admin/troubleshooting-alarm')
    await page.locator('main [data-row]').nth(10).waitFor()
    await look(page, 'list')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByPlaceholder('Code or name…').fill('bill jam')
    await page.getByRole('link', { name: 'Bill jam' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bill jam' }).waitFor()
    const editor = page.getByRole('textbox', { name: 'How to repair, in English' })
    await editor.fill('Switch the validator off and take its head off.')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add an image' }).click()
    await (await choosing).setFiles({ name: 'head.png', mimeType: 'image/png', buffer: picture(360, 120) })
    await editor.locator('img').waitFor()
    await look(page, 'editor')
    expect(await accessibilityFaults(page)).toEqual([])
    // Another language is another text: what is not saved is not lost by the way.
    await page.getByRole('button', { name: 'German' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The text is saved').waitFor()
    await page.getByRole('button', { name: 'German' }).click()
    await page.getByText('Until it is written, readers get the text in English.').waitFor()
    await page.getByRole('textbox', { name: 'How to repair, in German' }).waitFor()
    await look(page, 'editor-other-language')
    expect(page.complaints).toEqual([])
  })

  test('an operator finds it on the machine, and is told that it is in another language', async () => {
    const page = await signedIn(operator, `/devices/${machine.id}`)
    await look(page, 'machine')
    await page.getByRole('link', { name: 'So wird repariert' }).click()
    const drawer = page.getByRole('dialog', { name: 'Banknotenstau' })
    await drawer.getByText('Switch the validator off and take its head off.').waitFor()
    await drawer.getByText('Auf Deutsch noch nicht geschrieben: Dies ist der Text auf Englisch.').waitFor()
    expect(await drawer.locator('img[alt=head]').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(360)
    expect(await drawer.getByRole('link', { name: 'Text bearbeiten' }).count()).toBe(0)
    await look(page, 'drawer')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(page.complaints).toEqual([])
  })

  test('the text of another language is begun with, translated and saved; the operator reads it on the alarm’s row', async () => {
    const page = await signedIn(writer, '/admin/troubleshooting-alarm/ENC?language=de', { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Begin with the text in English' }).click()
    const editor = page.getByRole('textbox', { name: 'How to repair, in German' })
    await editor.locator('img').waitFor()
    await editor.getByText('Switch the validator off').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.type('Prüfer ausschalten und den Kopf abnehmen.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The text is saved').waitFor()
    await look(page, 'editor-dark')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(page.complaints).toEqual([])
    await page.close()

    const reader = await signedIn(operator, '/alarms', { colorScheme: 'dark', viewport: phone })
    const row = reader.locator('main [data-row]').filter({ hasText: 'ENC' })
    await row.getByRole('button', { name: 'So wird repariert' }).waitFor()
    // Nothing is written about the spiral.
    const spiral = reader.locator('main [data-row]').filter({ hasText: 'EJC' })
    expect(await spiral.getByRole('button', { name: 'So wird repariert' }).count()).toBe(0)
    await look(reader, 'alarms-phone-dark')
    expect(await overflow(reader)).toBe(0)
    await row.getByRole('button', { name: 'So wird repariert' }).click()
    const drawer = reader.getByRole('dialog', { name: 'Banknotenstau' })
    await drawer.getByText('Prüfer ausschalten und den Kopf abnehmen.').waitFor()
    expect(await drawer.getByText('noch nicht geschrieben').count()).toBe(0)
    await look(reader, 'drawer-phone-dark')
    expect(await accessibilityFaults(reader)).toEqual([])
    expect(reader.complaints).toEqual([])
  })

  test('a script that reached the database is not run where the text is read', async () => {
    const hostile = `<p>Open<img src=x onerror="document.title='hit'"><script>document.title='hit'</script></p><a href="javascript:alert(1)">x</a>`
    await portal.database.admin(
      `insert into troubleshooting_texts (code, language, content, updated_at, updated_by) values ('EJC', 'de', $1, now(), 'x')`,
      [hostile],
    )
    const page = await signedIn(operator, `/devices/${machine.id}/pos-alarms`)
    await page.locator('main [data-row]').filter({ hasText: 'EJC_12' }).press('Enter')
    const guide = page.getByRole('dialog').locator('[lang=de]')
    await guide.getByText('Open').waitFor()
    expect(await guide.innerHTML()).toBe('<p>Open</p>x')
    expect(await page.title()).not.toBe('hit')
    expect(page.complaints).toEqual([])
  })

  test('the editor and the list on a phone: nothing overflows, axe finds nothing', async () => {
    const page = await signedIn(writer, '/admin/troubleshooting-alarm', { viewport: phone })
    await page.locator('main [data-row]').first().waitFor()
    await look(page, 'list-phone')
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []])
    await page.goto('/admin/troubleshooting-alarm/ENC')
    await page.getByRole('textbox', { name: 'How to repair, in English' }).waitFor()
    await look(page, 'editor-phone')
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []])
    await page.goto('/admin/troubleshooting-alarm/a%20b')
    await page.waitForURL((url) => url.pathname === '/dashboard')
  })
})
