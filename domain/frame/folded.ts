/* How searches compare texts: `caffe` finds "Caffè", `gross` finds "GROß". The database's function `folded` does the same. */

/** Letters and signs that Unicode does not decompose. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '–': '-',
  '—': '-',
  '−': '-',
}
const isPlain = /^[\0-\x7f]*$/

/** A text without case, accents (the Greek tonos too) and spellings of its own letters; also without typographic variants. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase()
  const bare = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
  return Array.from(bare, (letter) => spelled[letter] ?? letter).join('')
}

/** Whether a text contains another, wherever. For choices that are all at hand. */
export const contains = (text: string, part: string): boolean => folded(text).includes(folded(part.trim()))

/** A shorter search finds beginnings of words: the text index knows these, and no other two letters. */
const lettersAnywhere = 3
const beginning = '(^|[ -/:-@[-`{-~])'

/**
 * A search as a regular expression for folded texts, the same for PostgreSQL and JavaScript: `ca` finds words that begin with it, longer
 * searches are found anywhere. Every sign is literal.
 */
export function searchPattern(search: string): string {
  const foldedSearch = folded(search.trim())
  const literal = foldedSearch.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  return [...foldedSearch].length < lettersAnywhere ? `${beginning}${literal}` : literal
}

/** Whether a search finds a text; true without a search. For lists that the server keeps in memory. */
export const isFoundIn = (text: string, search: string | undefined): boolean =>
  search === undefined || new RegExp(searchPattern(search)).test(folded(text))
