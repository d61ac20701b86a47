import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsSeen, sizes, takePicture } from '#testkit/browser/looks.ts'
import { openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

/* The super admin writes the troubleshooting text of an alarm, with a picture. An operator reads it at the alarm: in
   its row and on the machine, in their own language or the next best. */

let portal: TestPortal & { stop: () => Promise<void> }
let machine: TestMachine
let writer: { email: string }
let operator: { email: string }
beforeAll(async () => {
  portal = await openPortal()
  const { id: merchantId } = await aMerchant(portal.database, { name: 'Caffè Aurora' })
  machine = await aMachine(portal.database, merchantId, { name: 'Lobby east', columns: { pos_status: 3 } })
  await anAlarm(portal.database, machine, { code: 'ENC', category: 'jam' })
  await anAlarm(portal.database, machine, { code: 'EJC_12', source: 'snack', criticity: 2 })
  writer = await aUserWithPassword(portal.database, 'superAdmin')
  operator = await aUserWithPassword(portal.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await portal.database.admin(`update users set language = 'de' where email = $1`, [operator.email])
}, 300_000)
afterAll(() => portal?.stop(), 60_000)

/** A golden picture with the given number of pixels. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    const sum = Buffer.alloc(4)
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

describe('what to do about an alarm', () => {
  test('the super admin finds the code by its name, and writes a text with a picture', async () => {
    const page = await signedIn(portal, writer, '/admin/troubleshooting-alarm')
    await page.locator('main [data-row]').nth(10).waitFor()
    expect(await faultsSeen(page, 'troubleshooting/list')).toEqual([])
    await page.getByPlaceholder('Code or name…').fill('banknote jam')
    await page.getByRole('link', { name: 'Banknote jam' }).click()
    await page.getByRole('heading', { level: 1, name: 'Banknote jam' }).waitFor()
    const editor = page.getByRole('textbox', { name: 'Troubleshooting text in English' })
    await editor.fill('Switch the validator off and take its head off.')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add image' }).click()
    await (await choosing).setFiles({ name: 'head.png', mimeType: 'image/png', buffer: picture(360, 120) })
    await editor.locator('img').waitFor()
    expect(await faultsSeen(page, 'troubleshooting/editor')).toEqual([])
    // Each language has its own text: unsaved text survives a change of language.
    await page.getByRole('button', { name: 'German' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Text saved').waitFor()
    await page.getByRole('button', { name: 'German' }).click()
    await page.getByText('Until you write a text, users see the one in English.').waitFor()
    await page.getByRole('textbox', { name: 'Troubleshooting text in German' }).waitFor()
    await takePicture(page, 'troubleshooting/editor-other-language')
    expect(page.complaints).toEqual([])
  })

  test('an operator finds it on the machine, with a note that it is in another language', async () => {
    const page = await signedIn(portal, operator, `/devices/${machine.id}`)
    await takePicture(page, 'troubleshooting/machine')
    await page.getByRole('link', { name: 'Hilfetext zur Störung' }).click()
    const drawer = page.getByRole('dialog', { name: 'Banknotenstau' })
    await drawer.getByText('Switch the validator off and take its head off.').waitFor()
    await drawer.getByText('Noch kein Text auf Deutsch. Angezeigt auf Englisch.').waitFor()
    expect(await drawer.locator('img[alt=head]').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(360)
    expect(await drawer.getByRole('link', { name: 'Text bearbeiten' }).count()).toBe(0)
    expect(await faultsSeen(page, 'troubleshooting/drawer')).toEqual([])
    expect(page.complaints).toEqual([])
  })

  test('another language’s text is copied, translated and saved; the operator reads it in the alarm’s row', async () => {
    const page = await signedIn(portal, writer, '/admin/troubleshooting-alarm/ENC?language=de', { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Start from the text in English' }).click()
    const editor = page.getByRole('textbox', { name: 'Troubleshooting text in German' })
    await editor.locator('img').waitFor()
    await editor.getByText('Switch the validator off').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.type('Prüfer ausschalten und den Kopf abnehmen.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Text saved').waitFor()
    expect(await faultsSeen(page, 'troubleshooting/editor-dark')).toEqual([])
    expect(page.complaints).toEqual([])
    await page.close()

    const reader = await signedIn(portal, operator, '/alarms', { colorScheme: 'dark', viewport: sizes.phone })
    const row = reader.locator('main [data-row]').filter({ hasText: 'ENC' })
    await row.getByRole('button', { name: 'Hilfetext zur Störung' }).waitFor()
    // The spiral's alarm has no text.
    const spiral = reader.locator('main [data-row]').filter({ hasText: 'EJC' })
    expect(await spiral.getByRole('button', { name: 'Hilfetext zur Störung' }).count()).toBe(0)
    expect(await faultsSeen(reader, 'troubleshooting/alarms-phone-dark')).toEqual([])
    await row.getByRole('button', { name: 'Hilfetext zur Störung' }).click()
    const drawer = reader.getByRole('dialog', { name: 'Banknotenstau' })
    await drawer.getByText('Prüfer ausschalten und den Kopf abnehmen.').waitFor()
    expect(await drawer.getByText('Noch kein Text auf Deutsch').count()).toBe(0)
    expect(await faultsSeen(reader, 'troubleshooting/drawer-phone-dark')).toEqual([])
    expect(reader.complaints).toEqual([])
  })

  test('a script stored in the database does not run where the text is shown', async () => {
    const hostile = `<p>Open<img src=x onerror="document.title='hit'"><script>document.title='hit'</script></p><a href="javascript:alert(1)">x</a>`
    await portal.database.admin(
      `insert into troubleshooting_texts (code, language, content, updated_at, updated_by) values ('EJC', 'de', $1, now(), 'x')`,
      [hostile],
    )
    const page = await signedIn(portal, operator, `/devices/${machine.id}/pos-alarms`)
    await page.locator('main [data-row]').filter({ hasText: 'EJC_12' }).press('Enter')
    const guide = page.getByRole('dialog').locator('[lang=de]')
    await guide.getByText('Open').waitFor()
    expect(await guide.innerHTML()).toBe('<p>Open</p>x')
    expect(await page.title()).not.toBe('hit')
    expect(page.complaints).toEqual([])
  })

  test('the editor and the list fit a phone and are accessible', async () => {
    const page = await signedIn(portal, writer, '/admin/troubleshooting-alarm', { viewport: sizes.phone })
    await page.locator('main [data-row]').first().waitFor()
    expect(await faultsSeen(page, 'troubleshooting/list-phone')).toEqual([])
    await page.goto('/admin/troubleshooting-alarm/ENC')
    await page.getByRole('textbox', { name: 'Troubleshooting text in English' }).waitFor()
    expect(await faultsSeen(page, 'troubleshooting/editor-phone')).toEqual([])
    await page.goto('/admin/troubleshooting-alarm/a%20b')
    await page.getByText('This address is wrong').waitFor()
    await page.getByRole('main').getByRole('link').last().waitFor()
  })
})
