import { sql } from 'kysely'
import type { Language } from '#contract/vocabulary/languages.ts'
import { csvField, type Home, isSuspect, quoted, type Speech } from '#database/export/column.ts'
import type { Format, NamedColumn } from './format.ts'

/** Says to spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'
const rowsOfPiece = 500

/** Lines that PostgreSQL writes; here they are only put one below the other (RFC 4180). */
export function csvOf(columns: readonly NamedColumn[], home: Home, speech: Speech, language: Language): Format {
  const { separator } = speech
  const line = (isCareful: boolean) =>
    sql`concat_ws(${separator}::text, ${sql.join(columns.map((column) => csvField(column, home, speech, isCareful)))})`
  const suspect = isSuspect(columns)
  return {
    what: [suspect ? sql`case when ${suspect} then ${line(true)} else ${line(false)} end` : line(false)],
    setting: `set local datestyle = '${language === 'de' ? 'German' : 'SQL'}, DMY'`,
    // Each batch is a question to the database and its answer, for which a busy machine makes both wait.
    batch: 1500,
    write: async function* (batches) {
      yield byteOrderMark + columns.map(({ name }) => quoted(name)).join(separator) + lineEnd
      for await (const rows of batches) {
        for (let from = 0; from < rows.length; from += rowsOfPiece) {
          let lines = ''
          for (const [text] of rows.slice(from, from + rowsOfPiece)) lines += `${text}${lineEnd}`
          yield lines
        }
      }
    },
  }
}
