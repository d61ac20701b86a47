import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { PageOptions } from '#testkit/browser/browser.ts'
import { faultsSeen, sizes } from '#testkit/browser/looks.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aPostalCode } from '#testkit/machines/machine-data.ts'

/* Every field of a form, used as users do: typing, pasting, wrong files. The fields are those of the kit, each with
   the contract's own rule. */

/** The kit's fields, for the admin of a merchant in Rome. */
async function theFields(options: Partial<PageOptions> = {}) {
  const portal = await aPortal()
  const merchant = await aMerchant(portal.database)
  for (const name of ['Lobby east', 'Lobby west', 'Canteen'])
    await aMachine(portal.database, merchant.id, { columns: { name } })
  for (const place of ['Roma', 'Roma San Lorenzo']) await aPostalCode(portal.database, { place })
  await aPostalCode(portal.database, { compact: '20121', code: '20121', place: 'Milano', province: 'Milano' })
  const person = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const page = await signedIn(portal, person, '/dev/kit', options)
  const fields = page.locator('[data-section="fields"] form')
  await fields.getByRole('textbox', { name: 'Content' }).waitFor()
  return { page, fields }
}

const state = (page: Page, name: string) =>
  page.locator('[data-section="fields"]').getByText(name, { exact: true }).click()

describe.each([
  { scheme: 'light', size: 'desktop' },
  { scheme: 'dark', size: 'phone' },
] as const)('$scheme, $size', ({ scheme, size }) => {
  test('all fields in all states have no accessibility fault, no overflow and no console error', async () => {
    const { page, fields } = await theFields({ colorScheme: scheme, viewport: sizes[size] })
    for (const name of ['Empty', 'Filled', 'Errors', 'Disabled', 'Read-only', 'Loading']) {
      await state(page, name)
      await fields.getByRole('textbox', { name: 'Content' }).waitFor()
      if (name === 'Errors') await fields.getByText('Enter a valid VAT code for this country').waitFor()
      expect(await faultsSeen(page, `fields/${name}-${scheme}-${size}`, { part: fields })).toEqual([])
    }
    expect(page.complaints).toEqual([])
  })
})

const checked = async (page: Page) => {
  await page.getByRole('button', { name: 'Check the form' }).click()
}

test('numbers, amounts and texts are parsed as users write and paste them, and show their rules', async () => {
  const { page, fields } = await theFields()
  const signal = fields.getByLabel('Signal level')
  await signal.fill('1.234,5')
  await signal.blur()
  await fields.getByText('Maximum 100').waitFor()
  expect(await signal.inputValue()).toBe('1.234,5')
  await signal.fill('99.5')
  await signal.press('ArrowUp')
  await signal.press('ArrowUp')
  expect(await signal.inputValue()).toBe('100')
  await fields.getByText('Maximum 100').waitFor({ state: 'detached' })
  await signal.fill('a lot')
  await signal.blur()
  await fields.getByText('Enter a number').waitFor()

  const refund = fields.getByLabel('Maximum refund')
  await refund.fill('1,234.56')
  await refund.blur()
  expect(await refund.inputValue()).toBe('1.234,56')
  await refund.fill('100.000')
  await refund.blur()
  await fields.getByText('Must be below the maximum refund of €\u00a0100.000,00').waitFor()
  expect(await refund.getAttribute('aria-invalid')).toBe('true')
  expect(await refund.getAttribute('aria-describedby')).toContain('error')

  const website = fields.getByLabel('Website')
  await website.fill('gettone.test')
  await website.blur()
  expect(await website.inputValue()).toBe('https://gettone.test')
  await website.fill('javascript:alert(1)')
  await website.blur()
  await fields.getByText('Enter a valid URL').waitFor()

  const vat = fields.getByLabel('VAT code')
  await vat.fill('IT 007 431 10157')
  await vat.blur()
  expect(await vat.inputValue()).toBe('00743110157')

  const phone = fields.getByLabel('Phone')
  await phone.fill('06 69821234')
  await phone.blur()
  expect(await phone.inputValue()).toBe('+39 06 6982 1234')
  await phone.fill('12')
  await phone.blur()
  await fields.getByText('Enter a valid phone number').waitFor()

  const receives = fields.getByRole('switch', { name: 'Receive notifications' })
  await receives.press('Space')
  expect(await receives.isChecked()).toBe(true)
  await fields.locator('label').filter({ hasText: /^Name/ }).click()
  expect(await fields.getByLabel('Name').evaluate((input) => input === document.activeElement)).toBe(true)

  const secret = fields.getByLabel('New password')
  await secret.fill('gettone')
  const needs = fields.getByRole('list', { name: 'Password rules' })
  await needs.getByText('At least 8 charactersmissing').waitFor()
  await secret.fill('Gettone-demo-1')
  await needs.getByText('At least one special charactermet').waitFor()
  await fields.getByText('Strong').waitFor()
  await fields.getByLabel('Repeat password').fill('Gettone-demo-2')
  await checked(page)
  await fields.getByText('The two passwords do not match').waitFor()
  await fields.getByRole('button', { name: 'Show password' }).first().click()
  expect(await secret.getAttribute('type')).toBe('text')
  expect(page.complaints).toEqual([])
})

test('days are typed or chosen; a moment names its zone, and asks which one when a time occurs twice', async () => {
  const { page, fields } = await theFields()
  const day = fields.getByLabel('Expiration day')
  await day.fill('1.2.27')
  await day.blur()
  expect(await day.inputValue()).toBe('01/02/2027')
  await fields.getByRole('button', { name: 'Open calendar' }).first().click()
  await page
    .getByRole('dialog', { name: 'Open calendar' })
    .getByRole('button', { name: /^15 February 2027/ })
    .click()
  expect(await day.inputValue()).toBe('15/02/2027')
  await day.fill('30/02/2027')
  await day.blur()
  await fields.getByText('Enter a valid date', { exact: true }).waitFor()

  await fields.getByLabel('Period').click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  expect(await fields.getByLabel('Period').innerText()).toMatch(/\d{4}/)

  await fields.getByText('Time in Europe/Rome').waitFor()
  await fields.getByLabel('Start, day').fill('29/03/2026')
  await fields.getByLabel('Start, time').fill('02:30')
  await fields.getByText('This time does not exist: the clocks in Europe/Rome are set forward').waitFor()
  await fields.getByLabel('Start, day').fill('25/10/2026')
  await fields.getByRole('radiogroup', { name: /occurs twice/ }).waitFor()
  expect(await fields.getByRole('radio', { name: 'First (UTC+02:00)' }).isChecked()).toBe(true)
  await fields.getByText('Second (UTC+01:00)').click()
  expect(await fields.getByRole('radio', { name: 'Second (UTC+01:00)' }).isChecked()).toBe(true)
  await fields.getByLabel('Start, time').fill('1430')
  await fields.getByLabel('Start, time').blur()
  expect(await fields.getByLabel('Start, time').inputValue()).toBe('14:30')
  expect(page.complaints).toEqual([])
})

test('a select searches its endpoint from two letters on; an address is completed from its postal code', async () => {
  const { page, fields } = await theFields()
  const machine = fields.getByRole('combobox', { name: 'Machine' })
  await machine.fill('l')
  await page.getByText('Type 2 letters to search').waitFor()
  await machine.fill('lo')
  await page.getByRole('option', { name: 'Lobby west' }).waitFor()
  expect(await page.getByRole('option', { name: /^Lobby|^Canteen/ }).count()).toBe(2)
  await machine.press('ArrowDown')
  await machine.press('ArrowDown')
  await machine.press('Enter')
  expect(await machine.inputValue()).toBe('Lobby west')
  await machine.fill('nothing like it')
  await page.getByText('No results').waitFor()

  const languages = fields.getByRole('combobox', { name: 'Languages' })
  await languages.click()
  await page.getByRole('option', { name: 'Italiano' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await languages.press('Escape')
  expect(await fields.getByText('Italiano').count()).toBe(1)

  const code = fields.getByLabel('Postal code')
  const city = fields.getByLabel('City')
  const province = fields.getByLabel('Province')
  await code.fill('20121')
  await expect.poll(() => city.inputValue(), { timeout: 15_000 }).toBe('Milano')
  expect(await province.inputValue()).toBe('Milano')
  await code.fill('001')
  await fields.getByRole('button', { name: '00185 Roma San Lorenzo (Roma)' }).click()
  await expect
    .poll(async () => [await code.inputValue(), await city.inputValue()])
    .toEqual(['00185', 'Roma San Lorenzo'])
  await code.fill('99999')
  await fields.getByText('Postal code not recognized').waitFor()
  await code.blur()
  await code.fill('9999')
  await code.blur()
  await fields.getByText('Enter a valid postal code for this country').waitFor()
  // The browser logs the 404; no toast shows it.
  expect(await page.locator('.mantine-Notification-root').count()).toBe(0)
  expect(page.complaints.filter((text) => !text.includes('404'))).toEqual([])
})

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
/** A complete picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a file’s type is recognised by its content: an SVG or HTML named .png, a 40-megapixel image and a truncated picture are refused with a message', async () => {
  const { page, fields } = await theFields()
  const give = async (name: string, buffer: Buffer, mimeType = 'image/png') => {
    const opened = page.waitForEvent('filechooser')
    await page.getByLabel('Logo').click()
    await (await opened).setFiles({ name, mimeType, buffer })
  }
  await give('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))
  await fields.getByText('File type not supported. Use PNG, JPG.').waitFor()
  await give('page.png', Buffer.from('<!doctype html><script>alert(1)</script>'))
  await fields.getByText(/^page.png/).waitFor()
  await fields.getByText('File type not supported. Use PNG, JPG.').waitFor()
  await give('huge.png', png(8000, 5000))
  await fields.getByText('The image has 40 megapixels. Maximum 25.').waitFor()
  expect(await fields.getByRole('img', { name: /^Preview/ }).count()).toBe(0)
  await give('wide.png', png(501, 200))
  await fields.getByText('The image has 501 × 200 pixels. Maximum 500 × 200.').waitFor()
  await give('cut.png', png(100, 100))
  await fields.getByText('This image is damaged').waitFor()
  await give('empty.png', Buffer.alloc(0))
  await fields.getByText('This file is empty').waitFor()
  await give('logo.png', pixel)
  await fields.getByRole('img', { name: 'Preview of logo.png' }).waitFor()
  await fields.getByText('This file is empty').waitFor({ state: 'detached' })
  await fields.getByRole('button', { name: 'Remove logo.png' }).click()
  expect(await fields.getByText('or drop it here').count()).toBe(2)
  expect(page.complaints).toEqual([])
})

test('formatted text is written with buttons and keys; text pasted from an office program is cleaned', async () => {
  const { page, fields } = await theFields()
  const content = fields.getByRole('textbox', { name: 'Content' })
  await fields.getByText(/^Content/).click()
  await page.keyboard.type('Stock ')
  await fields.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('today')
  expect(await content.innerHTML()).toContain('<strong>today</strong>')
  await content.press('Enter')
  await content.evaluate((element) => {
    const data = new DataTransfer()
    data.setData(
      'text/html',
      '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><p class=MsoNormal style="color:red"><b>Beans</b><o:p></o:p><script>alert(1)</script></p><p><a href="javascript:alert(1)">here</a> <a href="https://gettone.test">there</a></p></body></html>',
    )
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await content.getByText('Beans').waitFor()
  const html = await content.innerHTML()
  expect(html).not.toMatch(/Mso|color:red|script|o:p/)
  expect(html).toContain('href="https://gettone.test"')

  const opened = page.waitForEvent('filechooser')
  await fields.getByRole('button', { name: 'Add image' }).click()
  await (await opened).setFiles({ name: 'huge.png', mimeType: 'image/png', buffer: png(8000, 5000) })
  await fields.getByText('The image has 40 megapixels').waitFor()
  const again = page.waitForEvent('filechooser')
  await fields.getByRole('button', { name: 'Add image' }).click()
  await (await again).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: pixel })
  await content.getByRole('img', { name: 'dot' }).waitFor()
  expect(page.complaints).toEqual([])
})
