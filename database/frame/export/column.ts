import { type RawBuilder, sql } from 'kysely'
import type { WordTable } from '#contract/frame/list-columns.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'

/** A fact with its format in files. */
export type FileFact = { heading: string } & (
  | { kind: 'text' | 'plain' | 'decimal' | 'percent' | 'amount' | 'instant' | 'flag' | 'alarm' }
  | { kind: 'number'; unit?: 'percent' | 'minutes' | 'bytes' }
  | { kind: 'word' | 'words'; of: WordTable }
)

/**
 * A column of a file: a fact that the list's contract declares, and its SQL. `spreadsheetText` is a precomputed `spreadsheet_text` of it, for
 * files with many rows.
 */
export type FileColumn = FileFact & { sql: RawBuilder<unknown>; spreadsheetText?: RawBuilder<unknown> }
export type ColumnKind = FileColumn['kind']

/** The words of a file's language, and its number and date formats. */
export interface Speech {
  separator: ',' | ';'
  decimalMark: '.' | ','
  flags: { yes: string; no: string }
  /** Words by code. `unknown` is the text for other codes, with `{{code}}` as the placeholder of the code. */
  wordsOf(table: WordTable): { words: ReadonlyMap<string | number, string>; unknown: string }
  /** Names of the alarm codes that occur. */
  alarmNames: Readonly<Record<string, string>>
}

/** The currency and time zone of a row. */
export interface Home {
  currency: RawBuilder<unknown>
  /** Whether the currency is stored without decimals. */
  isWhole: RawBuilder<unknown>
  /** The local time of an instant, a timestamp without zone. */
  local(instant: RawBuilder<unknown>): RawBuilder<unknown>
}

const without = Object.entries(currencies).flatMap(([code, { storageDigits }]) => (storageDigits === 0 ? [code] : []))
/** Whether a currency is stored without decimals. */
export const isWholeCurrency = (currency: RawBuilder<unknown>) =>
  sql`${currency} = any(${sql.lit(`{${without.join(',')}}`)}::text[])`

/** Quoted as in RFC 4180. Our own words never begin a formula. */
export const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Words by code: vocabularies are small, so comparing the codes one by one is cheapest. */
function chosenWord(
  code: RawBuilder<unknown>,
  { words, unknown }: { words: ReadonlyMap<string | number, string>; unknown: string },
) {
  const [before = '', after = ''] = unknown.split('{{code}}')
  const whens = [...words].map(([value, word]) => sql`when ${code} = ${sql.lit(value)} then ${word}::text`)
  return sql`case when ${code} is null then null ${sql.join(whens, sql` `)}
    else spreadsheet_text(${before}::text || ${code}::text || ${after}::text) end`
}

const chosenWords = (codes: RawBuilder<unknown>, table: ReturnType<Speech['wordsOf']>) =>
  sql`(select string_agg(${chosenWord(sql`each.code`, table)}, '; ' order by each.at)
    from unnest(${codes}) with ordinality as each (code, at))`

/** Amounts and other decimals as text. */
const decimal = (minor: RawBuilder<unknown>, mark: string) =>
  sql`concat(case when ${minor} < 0 and ${minor} > -100 then '-' end, ${minor} / 100, ${mark}::text, right((100 + abs(${minor} % 100))::text, 2))`

const flag = (value: RawBuilder<unknown>, { flags }: Speech) =>
  sql`case when ${value} then ${flags.yes}::text when not ${value} then ${flags.no}::text end`

const alarmName = (code: RawBuilder<unknown>, { alarmNames }: Speech) =>
  sql`coalesce(${JSON.stringify(alarmNames)}::jsonb->>${code}, ${code})`

/** The column as a CSV field, which COPY quotes where needed; null is an empty field. */
export function csvField(column: FileColumn, home: Home, speech: Speech): RawBuilder<unknown> {
  const value = column.sql
  switch (column.kind) {
    case 'text':
      return column.spreadsheetText ?? sql`spreadsheet_text(${value})`
    case 'plain':
    case 'number':
      return value
    case 'decimal':
      return sql`replace((${value})::text, '.', ${speech.decimalMark}::text)`
    case 'percent':
      return sql`case when ${value} is not null then ${decimal(value, speech.decimalMark)} end`
    case 'amount':
      return sql`case when ${value} is null then null when ${home.isWhole} then ${value}::text
        else ${decimal(value, speech.decimalMark)} end`
    case 'instant':
      // The zero date means "never". `left` cuts off fractions of a second: the session's date style has 19 characters before them.
      return sql`case when ${value} >= '0002-01-01' then left((${home.local(value)})::text, 19) end`
    case 'flag':
      return flag(value, speech)
    case 'word':
      return chosenWord(value, speech.wordsOf(column.of))
    case 'words':
      return chosenWords(value, speech.wordsOf(column.of))
    case 'alarm':
      return sql`spreadsheet_text(${alarmName(value, speech)})`
  }
}

/** Whether users or machines may have written the value. Such a field is always quoted, so that every reader splits lines correctly. */
export const isForeign = ({ kind }: FileColumn) => kind === 'text' || kind === 'alarm'

/** The column as the value of a cell: text, number, or the seconds since 1970 of the local time. */
export function cellValue(column: FileColumn, home: Home, speech: Speech): RawBuilder<unknown> {
  const value = column.sql
  switch (column.kind) {
    case 'text':
    case 'plain':
      return sql`${value}::text`
    case 'number':
      return sql`${value}::bigint`
    case 'decimal':
      return sql`${value}::float8`
    case 'percent':
      return sql`round(${value}::numeric / 100, 2)`
    case 'amount':
      return sql`case when ${home.isWhole} then ${value}::numeric else round(${value}::numeric / 100, 2) end`
    case 'instant':
      return sql`case when ${value} >= '0002-01-01' then floor(extract(epoch from ${home.local(value)}))::bigint end`
    case 'flag':
      return flag(value, speech)
    case 'word':
      return chosenWord(value, speech.wordsOf(column.of))
    case 'words':
      return chosenWords(value, speech.wordsOf(column.of))
    case 'alarm':
      return alarmName(value, speech)
  }
}
