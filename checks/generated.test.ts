import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { generateSchema } from '#database/frame/generate-schema.ts'
import { aDatabase } from '#testkit/database.ts'
import { root } from './sources.ts'

test('the types of the tables are those of the migrated database (else: npm run generate)', async () => {
  const { adminUrl } = await aDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'gettone-generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'schema.gen.ts')
  generateSchema(adminUrl, file)
  expect(readFileSync(join(root, 'database/frame/schema.gen.ts'), 'utf8')).toBe(readFileSync(file, 'utf8'))
})
