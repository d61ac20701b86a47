import { type RawBuilder, sql } from 'kysely'
import { currencies } from '#contract/vocabulary/currencies.ts'

/** Vocabularies whose codes have words. */
export type WordTable =
  | 'machineState'
  | 'connection'
  | 'alarmCriticity'
  | 'alarmStatus'
  | 'alarmCategory'
  | 'alarmSource'
  | 'transactionType'
  | 'mediaType'
  | 'mediaSource'
  | 'priceTable'
  | 'auditOrigin'
  | 'auditPort'
  | 'crc'
  | 'commandType'
  | 'commandStatus'
  | 'commandResult'
  | 'deviceType'

/** A column of a file. `heading` is the key of its sentence; the words are the reader's. */
export type FileColumn = {
  heading: string
} /** `field` is the same as `csv_text` writes it, where it is worth while to have it ready for many rows. */ & (
  | { kind: 'text'; sql: RawBuilder<unknown>; field?: RawBuilder<unknown> }
  /** Holds nothing that a file or a spreadsheet would take for anything else, such as an id. */
  | { kind: 'plain'; sql: RawBuilder<unknown> }
  | { kind: 'number'; sql: RawBuilder<unknown> }
  /** In hundredths. */
  | { kind: 'percent'; sql: RawBuilder<unknown> }
  /** Minor units of the row's currency. */
  | { kind: 'amount'; sql: RawBuilder<unknown> }
  | { kind: 'instant'; sql: RawBuilder<unknown> }
  | { kind: 'flag'; sql: RawBuilder<unknown> }
  | { kind: 'word'; sql: RawBuilder<unknown>; of: WordTable }
  /** An alarm's code, said by name. */
  | { kind: 'alarm'; sql: RawBuilder<unknown> }
)
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

/** Quoted as PostgreSQL's `csv_text` does. Our own words begin no formula. */
export const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Words chosen by a code: the codes of a vocabulary are few, so that comparing them one by one costs least. */
function chosenWord(
  code: RawBuilder<unknown>,
  { words, unknown }: { words: ReadonlyMap<string | number, string>; unknown: string },
  write: (text: string) => string,
  writeCode: (code: RawBuilder<unknown>) => RawBuilder<unknown>,
) {
  const [before = '', after = ''] = unknown.split('{{code}}')
  const whens = [...words].map(([value, word]) => sql`when ${code} = ${sql.lit(value)} then ${write(word)}::text`)
  return sql`case when ${code} is null then '' ${sql.join(whens, sql` `)}
    else ${before}::text || ${writeCode(sql`${code}::text`)} || ${after}::text end`
}

/** Amounts and other decimals as a file's text; what is null is empty. */
const decimal = (minor: RawBuilder<unknown>, mark: string) =>
  sql`concat(case when ${minor} < 0 and ${minor} > -100 then '-' end, ${minor} / 100,
    case when ${minor} is not null then ${mark}::text end, right((100 + abs(${minor} % 100))::text, 2))`

const alarmName = (code: RawBuilder<unknown>, { alarmNames }: Speech) =>
  sql`coalesce(${JSON.stringify(alarmNames)}::jsonb->>${code}, ${code})`

/** The column as text of a CSV field; `isCareful` when the row's texts may hold what must be quoted or neutralised. */
export function csvField(column: FileColumn, home: Home, speech: Speech, isCareful: boolean): RawBuilder<unknown> {
  const value = column.sql
  switch (column.kind) {
    case 'text':
      return sql`coalesce(${column.field ?? (isCareful ? sql`csv_text(${value})` : value)}, '')`
    case 'plain':
    case 'number':
      return sql`coalesce(${value}::text, '')`
    case 'percent':
      return decimal(value, speech.decimalMark)
    case 'amount':
      return sql`case when ${home.isWhole} then coalesce(${value}::text, '') else ${decimal(value, speech.decimalMark)} end`
    case 'instant':
      // The zero date stands for "never". Fractions of a second are cut off: the session's date style has 19 signs before them.
      return sql`case when ${value} >= '0002-01-01' then left((${home.local(value)})::text, 19) else '' end`
    case 'flag':
      return sql`case when ${value} then ${quoted(speech.flags.yes)}::text when not ${value} then ${quoted(speech.flags.no)}::text else '' end`
    case 'word':
      return chosenWord(value, speech.wordsOf(column.of), quoted, (code) => sql`csv_text(${code})`)
    case 'alarm':
      return sql`coalesce(csv_text(${alarmName(value, speech)}), '')`
  }
}

/** The column as a value of a cell: text, number, or the seconds of the wall clock since 1970. */
export function cellValue(column: FileColumn, home: Home, speech: Speech): RawBuilder<unknown> {
  const value = column.sql
  switch (column.kind) {
    case 'text':
    case 'plain':
      return sql`${value}::text`
    case 'number':
      return sql`${value}::bigint`
    case 'percent':
      return sql`round(${value}::numeric / 100, 2)`
    case 'amount':
      return sql`case when ${home.isWhole} then ${value}::numeric else round(${value}::numeric / 100, 2) end`
    case 'instant':
      return sql`case when ${value} >= '0002-01-01' then floor(extract(epoch from ${home.local(value)}))::bigint end`
    case 'flag':
      return sql`case when ${value} then ${speech.flags.yes}::text when not ${value} then ${speech.flags.no}::text end`
    case 'word':
      return sql`nullif(${chosenWord(
        value,
        speech.wordsOf(column.of),
        (word) => word,
        (code) => code,
      )}, '')`
    case 'alarm':
      return alarmName(value, speech)
  }
}

/** True when some text of the row may need quoting or neutralising; one search for all of them is cheaper than one for each. */
export function isSuspect(columns: readonly FileColumn[]): RawBuilder<boolean> | undefined {
  const texts = columns.flatMap((column) => (column.kind === 'text' && !column.field ? [column.sql] : []))
  if (texts.length === 0) return undefined
  return sql<boolean>`concat(${sql.join(texts)}) ~ ${sql.lit(`[",;\\t\\r\\n=+@＝＋－＠-]`)}`
}
