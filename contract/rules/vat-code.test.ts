import { expect, test } from 'vitest'
import { vatCodeNameOf, vatCodeOf, vatCodes } from './vat-code.ts'

test.each([
  ['IT', 'IT 00743110157', '00743110157'],
  ['CZ', 'CZ 25123891', '25123891'],
  ['DE', 'DE 136 695 976', '136695976'],
  ['ES', 'B58378431', 'B58378431'],
  ['FR', 'FR 40 303 265 045', '40303265045'],
  ['GB', 'GB 980 7806 84', '980780684'],
  ['PT', 'PT 501 964 843', '501964843'],
  ['RO', 'RO 185 472 90', '18547290'],
  ['RS', '101134702', '101134702'],
  ['MX', 'MAB-930714 8T4', 'MAB9307148T4'],
  ['BR', '16.727.230/0001-97', '16727230000197'],
  ['CO', '213.123.432-1', '2131234321'],
  ['PE', '20512333797', '20512333797'],
  ['QA', 'QA 12-34', 'QA1234'],
])('a VAT code of %s is stored without separators, and a wrong digit is refused', (country, code, stored) => {
  expect(vatCodeOf(code, country)).toBe(stored)
  const last = Number(stored.at(-1))
  if (country !== 'QA') expect(vatCodeOf(`${stored.slice(0, -1)}${(last + 1) % 10}`, country)).toBeUndefined()
  expect(vatCodeOf('x'.repeat(1000), country)).toBeUndefined()
})

test.each(Object.keys(vatCodes))('the VAT code of %s has a name and a rule', (country) => {
  expect(vatCodeNameOf(country)?.name).toMatch(/\S/)
  expect(vatCodeOf('X', country)).toBeUndefined()
})
