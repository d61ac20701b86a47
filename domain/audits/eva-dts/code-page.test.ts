import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { readAudit } from './reader.ts'
import { rawTextLines } from './text-lines.ts'

/** A file with one selection for each name; names are bytes. */
function namesOf(currency: Currency, names: readonly (string | number[])[], lastPage: CodePage | null = null) {
  const rows = names.flatMap((name, index) => [
    Buffer.from(`PA1*${index + 1}*50*`),
    Buffer.from(typeof name === 'string' ? Buffer.from(name) : name),
    Buffer.from('\r\n'),
  ])
  const head = Buffer.from(`DXS*GET0000042*VA*V0/6*1\r\nST*001*0001\r\nID4*2**${currency}\r\n`)
  const file = Buffer.concat([head, ...rows, Buffer.from('DXE*1*1\r\n')])
  const { selections, envelope } = readAudit(file, { fallback: currency, lastPage })
  return { names: selections.map(({ name }) => name), page: envelope.codePage, file }
}
/** Bytes of ASCII text with single bytes in between. */
const bytes = (...parts: (string | number)[]) =>
  parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part)]))

const czech1250 = bytes('Hork', 0xe1, ' ', 0xe8, 'okol', 0xe1, 'da')
const czech8859 = bytes('Ovocn', 0xe1, ' ', 0xb9, 0xbb, 0xe1, 'va')
const czech852 = bytes('Hork', 0xa0, ' ', 0x9f, 'okol', 0xa0, 'da')
const serbianLatin = bytes(0x8a, 'umsko vo', 0xe6, 'e')
const serbianCyrillic = bytes(0xca, 0xe0, 0xf4, 0xe0)

test.each<[Currency, number[], string, CodePage]>([
  ['CZK', czech1250, 'Horká čokoláda', 'windows-1250'],
  ['CZK', czech8859, 'Ovocná šťáva', 'iso-8859-2'],
  ['CZK', czech852, 'Horká čokoláda', 'cp852'],
  ['RSD', serbianLatin, 'Šumsko voće', 'windows-1250'],
  ['RSD', serbianCyrillic, 'Кафа', 'windows-1251'],
  ['RON', bytes('Ap', 0xe3, ' plat', 0xe3), 'Apă plată', 'windows-1250'],
  ['EUR', bytes('Th', 0xe9), 'Thé', 'windows-1252'],
  ['EUR', bytes('Th', 0x82), 'Thé', 'cp850'],
])('in %s the name %j is %s in %s', (currency, name, text, page) => {
  expect(namesOf(currency, [name])).toMatchObject({ names: [text], page })
})

test('escaped bytes are UTF-8 where they can be, and else in the page of the file', () => {
  expect(namesOf('CZK', ['T^C3^^A9^ ^80^1', '^2A^^E8^aj', czech1250]).names).toEqual([
    'Té €1',
    '*čaj',
    'Horká čokoláda',
  ])
  expect(namesOf('EUR', ['T^C3^^A9^ ^80^1']).names).toEqual(['Té €1'])
})

test('UTF-8 needs no page, and a line in UTF-8 is read as such beside lines that are not', () => {
  expect(namesOf('CZK', ['Čaj', 'Tea'])).toMatchObject({ names: ['Čaj', 'Tea'], page: null })
  expect(namesOf('CZK', ['Čaj', czech1250]).names).toEqual(['Čaj', 'Horká čokoláda'])
})

test('of two pages that fit, that of the machine’s last reading counts', () => {
  const name = bytes('Caf', 0xe9)
  expect(namesOf('CZK', [name], null).page).toBe('windows-1250')
  expect(namesOf('CZK', [name], 'iso-8859-2')).toMatchObject({ names: ['Café'], page: 'iso-8859-2' })
  expect(namesOf('CZK', [czech1250, bytes(0x9a)], 'iso-8859-2').page).toBe('windows-1250')
})

test('the raw file is shown in the same page, with its escapes', () => {
  const { file, page } = namesOf('CZK', [czech1250, '^80^'])
  expect(rawTextLines(file, page)).toContain('PA1*1*50*Horká čokoláda')
  expect(rawTextLines(file, page)).toContain('PA1*2*50*^80^')
})

test('no letter is lost in a page that fits', () => {
  const letters = fc.constantFrom('áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ'.split(''))
  const encode = new Map(
    [...new TextDecoder('windows-1250').decode(Uint8Array.from({ length: 256 }, (_, n) => n))].map((c, n) => [c, n]),
  )
  fc.assert(
    fc.property(
      fc.array(
        letters.chain((all) => fc.constantFrom(...all)),
        { minLength: 1, maxLength: 40 },
      ),
      (text) => {
        const [name] = namesOf('CZK', [text.flatMap((letter) => [0x61, encode.get(letter) ?? 0])]).names
        expect(name).toHaveLength(2 * text.length)
        expect(name).not.toContain('\ufffd')
      },
    ),
    { numRuns: 50 },
  )
})
