import { localeOf } from './locale.ts'

/** Names as a sentence lists them: "Aurora, Bar and Corso". */
export const listed = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(names)
