import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '#contract/vocabulary/world/languages.ts'

/** The portal's map of a language's word files: one file each, because a map of all languages would be a sixth of the first screen. */
const mapOf = (
  language: string,
) => `export const words = import.meta.glob<Record<string, unknown>>('../../../../language/${language}/*/*.json', {
  import: 'default',
})
`

/** Writes the word maps of all languages to a folder, and removes others. */
export function writeWordMaps(folder = join(import.meta.dirname, '..', '..', 'portal', 'app', 'i18n', 'words')): void {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) rmSync(join(folder, file))
  for (const language of languages) writeFileSync(join(folder, `${language}.gen.ts`), mapOf(language))
}
