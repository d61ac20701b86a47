import { sql } from 'kysely'
import type { Language } from '#contract/vocabulary/languages.ts'
import { csvField, type Home, isSuspect, quoted, type Speech } from '#database/export/column.ts'
import type { NamedColumn } from './file.ts'
import type { Format } from './format.ts'

/** Says to spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'

/** Lines that PostgreSQL writes; here they are only put one below the other (RFC 4180). */
export function csvOf(columns: readonly NamedColumn[], home: Home, speech: Speech, language: Language): Format {
  const { separator } = speech
  const line = (isCareful: boolean) =>
    sql`concat_ws(${separator}::text, ${sql.join(columns.map((column) => csvField(column, home, speech, isCareful)))})`
  const suspect = isSuspect(columns)
  return {
    what: [suspect ? sql`case when ${suspect} then ${line(true)} else ${line(false)} end` : line(false)],
    setting: `set local datestyle = '${language === 'de' ? 'German' : 'SQL'}, DMY'`,
    batch: 500,
    write: async function* (batches) {
      yield byteOrderMark + columns.map(({ name }) => quoted(name)).join(separator) + lineEnd
      for await (const rows of batches) {
        let lines = ''
        for (const [text] of rows) lines += `${text}${lineEnd}`
        yield lines
      }
    },
  }
}
