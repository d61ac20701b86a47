import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { DateStyle } from '#database/frame/copy-out.ts'
import { csvField, type Home, isForeign, quoted, type Speech } from '#database/frame/export/column.ts'
import { fieldName } from '#database/frame/export/source.ts'
import type { Format, NamedColumn } from './format.ts'

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\uFEFF'

/** The first line of a file: its headings. */
export const headLine = (columns: readonly Pick<NamedColumn, 'name'>[], { separator }: Pick<Speech, 'separator'>) =>
  `${byteOrderMark}${columns.map(({ name }) => quoted(name)).join(separator)}\n`

/** How the database writes local times in a file. */
export const dateStyleOf = (language: Language): DateStyle => (language === 'de' ? 'German, DMY' : 'SQL, DMY')

/** PostgreSQL writes the lines; this passes them on. Fields are quoted as in RFC 4180; lines end with LF. */
export function csvOf(columns: readonly NamedColumn[], home: Home, speech: Speech, language: Language): Format {
  const { separator } = speech
  const fields = columns.map((column) => csvField(column, home, speech))
  const forced = columns.flatMap((column, at) => (isForeign(column) ? [fieldName(at)] : []))
  const dateStyle = dateStyleOf(language)
  const shape = { separator, dateStyle, forced }
  return {
    write: async function* (db, rows, wrote) {
      yield headLine(columns, speech)
      for await (const { bytes, count } of db.csv(await rows(fields, dateStyle), shape)) {
        yield bytes
        await wrote(count)
      }
    },
  }
}
