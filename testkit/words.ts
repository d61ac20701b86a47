import { readLanguage } from '#server/words/language-files.ts'

/** The sentences of one feature in one language, as in `language/<language>/<area>/<feature>.json`. */
export function readWords<Words>(language: string, feature: string): Words {
  const words = readLanguage(language)[feature]
  if (!words) throw new Error(`There is no language/${language}/*/${feature}.json.`)
  return words as Words
}
