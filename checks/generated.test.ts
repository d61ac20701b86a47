import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { generateSchema } from '#database/frame/generate-schema.ts'
import { aDatabase } from '#testkit/database.ts'
import { writeWordMaps } from '../scripts/portal/word-maps.ts'
import { root } from './sources.ts'

test('the types of the tables are those of the migrated database (else: npm run generate)', async () => {
  const { adminUrl } = await aDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'gettone-generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'schema.gen.ts')
  generateSchema(adminUrl, file)
  expect(readFileSync(join(root, 'database/frame/schema.gen.ts'), 'utf8')).toBe(readFileSync(file, 'utf8'))
})

test('the portal has the words of all languages (else: npm run generate)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeWordMaps(folder)
  const read = (from: string) => readdirSync(from).map((file) => [file, readFileSync(join(from, file), 'utf8')])
  expect(read(join(root, 'portal/app/i18n/words'))).toEqual(read(folder))
  expect(
    readdirSync(join(root, 'language'), { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? [one.name] : [],
    ),
  ).toEqual(languages.toSorted())
})
