import type { Language } from '#contract/vocabulary/world/languages.ts'
import { csvField, type Home, isForeign, quoted, type Speech } from '#database/export/column.ts'
import { fieldName } from '#database/export/source.ts'
import type { Format, NamedColumn } from './format.ts'

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\uFEFF'

/** PostgreSQL writes the lines; this passes them on. Fields are quoted as in RFC 4180; lines end with LF. */
export function csvOf(columns: readonly NamedColumn[], home: Home, speech: Speech, language: Language): Format {
  const { separator } = speech
  const fields = columns.map((column) => csvField(column, home, speech))
  const forced = columns.flatMap((column, at) => (isForeign(column) ? [fieldName(at)] : []))
  return {
    setting: `set local datestyle = '${language === 'de' ? 'German' : 'SQL'}, DMY'`,
    write: async function* (db, rows, wrote) {
      yield `${byteOrderMark}${columns.map(({ name }) => quoted(name)).join(separator)}\n`
      for await (const { bytes, count } of db.csv(rows(fields), { separator, forced })) {
        yield bytes
        await wrote(count)
      }
    },
  }
}
