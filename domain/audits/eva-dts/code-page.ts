import type { CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'

/*
 * Text of machines is ASCII, UTF-8, or one byte per character in a page that the file does not name. The page is guessed for the whole
 * file: from the currency, which has a country, and from the bytes, which should be letters of its languages.
 */

/** The upper halves of DOS pages, which no TextDecoder knows. */
const dosPages: Partial<Record<CodePage, string>> = {
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  cp855:
    'ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐' +
    '└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u00adыЫзЗшШэЭщЩчЧ§■\u00a0',
}

const tables = new Map<CodePage, readonly string[]>()

/** The characters of the bytes 128 to 255. */
function tableOf(page: CodePage): readonly string[] {
  const table = tables.get(page) ?? [
    ...(dosPages[page] ?? new TextDecoder(page).decode(Uint8Array.from({ length: 128 }, (_, index) => index + 128))),
  ]
  tables.set(page, table)
  return table
}

const letters = {
  western: 'àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœß',
  czech: 'áäčďéěíĺľňóôŕřšťúůýž',
  romanian: 'ăâîșşțţ',
  serbian: 'čćđšž',
  serbianCyrillic: 'абвгдђежзијклљмнњопрстћуфхцчџш',
}
/** Signs that names of products contain in all countries. */
const signs = '€£°'

interface Script {
  alphabet: string
  pages: readonly CodePage[]
}
const western: Script = { alphabet: letters.western, pages: ['windows-1252', 'cp850'] }
const scripts: Partial<Record<Currency, Script>> = {
  CZK: { alphabet: letters.czech, pages: ['windows-1250', 'iso-8859-2', 'cp852'] },
  RON: { alphabet: letters.romanian, pages: ['windows-1250', 'iso-8859-16', 'cp852'] },
  RSD: {
    alphabet: letters.serbian + letters.serbianCyrillic,
    pages: ['windows-1250', 'windows-1251', 'iso-8859-2', 'iso-8859-5', 'cp852', 'cp855'],
  },
}

/** How well a character fits: letters of the language, other letters, signs, and bytes that the page leaves undefined. */
function fitOf(character: string, alphabet: string): number {
  if (alphabet.includes(character.toLowerCase()) || signs.includes(character)) return 1
  if (/\p{L}/u.test(character)) return 0
  return /\p{Cc}/u.test(character) ? -10 : -1
}

/** How often each byte from 128 on occurs outside UTF-8 text; index 0 is byte 128. */
export type ByteCounts = number[]
export const noBytes = (): ByteCounts => new Array<number>(128).fill(0)

/**
 * The page in which the bytes make most sense; null without any. Of equally good pages, `last` counts, which is that of the machine's last
 * reading, else the first of the country.
 */
export function guessPage(
  counts: ByteCounts,
  { currency, last }: { currency: Currency | null; last: CodePage | null },
): CodePage | null {
  if (counts.every((count) => count === 0)) return null
  const { alphabet, pages } = (currency && scripts[currency]) || western
  const inOrder = last && pages.includes(last) ? [last, ...pages.filter((page) => page !== last)] : pages
  const fits = inOrder.map((page) =>
    counts.reduce((sum, count, index) => sum + (count && count * fitOf(tableOf(page)[index] ?? '\0', alphabet)), 0),
  )
  return inOrder[fits.indexOf(Math.max(...fits))] ?? null
}

/** Text in which each byte is a character (Latin 1), with the bytes from 128 on read in a page. */
export function inPage(text: string, page: CodePage): string {
  const table = tableOf(page)
  return text.replace(/[\x80-\xff]/g, (byte) => table[byte.charCodeAt(0) - 128] ?? byte)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes as UTF-8; null if they are not. */
export function asUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return null
  }
}
