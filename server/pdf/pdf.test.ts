import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { textsOfPdf } from '#testkit/pdf-text.ts'
import { pdfFacts, pdfOf, pdfTable } from './pdf.ts'

const names = {
  chinese: '可口可乐 330 ml',
  traditional: '台灣烏龍茶',
  japanese: 'お〜いお茶 緑茶（無糖）',
  korean: '바나나맛 우유',
  arabic: 'قهوة عربية (250 مل)',
  mixed: 'Müller & Söhne, كولا, コーラ, кола, κόλα, cà phê sữa',
}

const documentOf = (columns: readonly { heading: string; share?: number }[]) =>
  pdfOf({
    language: 'en',
    title: names.chinese,
    subtitle: names.arabic,
    merchant: names.korean,
    now: new Date('2026-11-27T17:05:00Z'),
    timeZone: 'Europe/Rome',
    content: [
      pdfFacts([['Product', names.japanese]]),
      pdfTable(
        columns,
        Object.values(names).map((name) => columns.map(() => name)),
      ),
    ],
  })

test('names in Arabic, Chinese, Japanese and Korean are drawn, each character with a glyph', async () => {
  const bytes = await documentOf([{ heading: '产品', share: 1 }])
  if (process.env.PDF_FILE) writeFileSync(process.env.PDF_FILE, bytes)
  const drawn = textsOfPdf(bytes).join('')
  expect(drawn).not.toContain('\ufffd')
  const letters = Object.values(names)
    .join('')
    .replaceAll(/[\s()\p{Script=Arabic}]/gu, '')
  for (const letter of new Set(letters)) expect(drawn).toContain(letter)
})

test('words of Arabic are drawn from right to left, also where a narrow column breaks the name', async () => {
  const order = (texts: string[]) => ['250', 'ع', 'ق'].map((sign) => texts.findIndex((text) => text.includes(sign)))
  const [number, arabic, coffee] = order(textsOfPdf(await documentOf([{ heading: 'Name', share: 1 }])))
  expect([number, arabic, coffee]).toEqual(
    [number, arabic, coffee].toSorted((one, other) => Number(one) - Number(other)),
  )
  const narrow = textsOfPdf(await documentOf(Array.from({ length: 9 }, () => ({ heading: 'Name', share: 1 }))))
  const [numberBelow = -1, , coffeeAbove = -1] = order(narrow.slice(narrow.lastIndexOf('Name') + 1))
  expect(coffeeAbove).toBeLessThan(numberBelow)
})

test('dates follow the language as in Europe', async () => {
  expect(textsOfPdf(await documentOf([{ heading: 'Name', share: 1 }])).join('')).toContain('27 Nov 2026, 18:05')
})
