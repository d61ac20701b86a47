import { type RawBuilder, sql } from 'kysely'
import type { Fact, WordTable } from '#contract/frame/list-columns.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'

/**
 * A column of a file: a fact of the list's own declaration, and where the database has it. `harmless` is the same as `spreadsheet_text`
 * makes it, where it is worth while to have it ready for many rows.
 */
export type FileColumn = Fact & { sql: RawBuilder<unknown>; harmless?: RawBuilder<unknown> }
export type ColumnKind = FileColumn['kind']

/** What the words of a file are, and how it writes numbers and days. */
export interface Speech {
  separator: ',' | ';'
  decimalMark: '.' | ','
  flags: { yes: string; no: string }
  /** Words by code; `unknown` stands for a code without one, `{{code}}` in it for the code. */
  wordsOf(table: WordTable): { words: ReadonlyMap<string | number, string>; unknown: string }
  /** Names of the alarms there are, by code. */
  alarmNames: Readonly<Record<string, string>>
}

/** Where a row's money and times are at home. */
export interface Home {
  currency: RawBuilder<unknown>
  /** Whether the currency is stored without decimals. */
  isWhole: RawBuilder<unknown>
  /** The wall clock's time, a timestamp without zone, of an instant. */
  local(instant: RawBuilder<unknown>): RawBuilder<unknown>
}

const without = Object.entries(currencies).flatMap(([code, { storageDigits }]) => (storageDigits === 0 ? [code] : []))
/** Whether a currency is stored without decimals. */
export const isWholeCurrency = (currency: RawBuilder<unknown>) =>
  sql`${currency} = any(${sql.lit(`{${without.join(',')}}`)}::text[])`

/** Quoted as RFC 4180 says. Our own words begin no formula. */
export const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Words chosen by a code: the codes of a vocabulary are few, so that comparing them one by one costs least. */
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

/** Amounts and other decimals as a file's text. */
const decimal = (minor: RawBuilder<unknown>, mark: string) =>
  sql`concat(case when ${minor} < 0 and ${minor} > -100 then '-' end, ${minor} / 100, ${mark}::text, right((100 + abs(${minor} % 100))::text, 2))`

const flag = (value: RawBuilder<unknown>, { flags }: Speech) =>
  sql`case when ${value} then ${flags.yes}::text when not ${value} then ${flags.no}::text end`

const alarmName = (code: RawBuilder<unknown>, { alarmNames }: Speech) =>
  sql`coalesce(${JSON.stringify(alarmNames)}::jsonb->>${code}, ${code})`

/** The column as the value of a CSV field, which COPY quotes where it must; null is an empty field. */
export function csvField(column: FileColumn, home: Home, speech: Speech): RawBuilder<unknown> {
  const value = column.sql
  switch (column.kind) {
    case 'text':
      return column.harmless ?? sql`spreadsheet_text(${value})`
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
      // The zero date stands for "never". Fractions of a second are cut off: the session's date style has 19 signs before them.
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

/** Whether people or machines may have written what the column holds: it stands between quotes, whatever a reader splits lines at. */
export const isForeign = ({ kind }: FileColumn) => kind === 'text' || kind === 'alarm'

/** The column as a value of a cell: text, number, or the seconds of the wall clock since 1970. */
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
