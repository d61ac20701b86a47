import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, '..', '..', 'scripts', 'import-postal-codes.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gettone-postal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const imported = async (name: string, content: string, databaseUrl = 'postgres://nobody@127.0.0.1:1/none') => {
  const file = join(folder, name)
  await writeFile(file, content)
  const env = { ...process.env, DATABASE_URL: databaseUrl, NODE_NO_WARNINGS: '1' }
  return run(process.execPath, [script, file], { env }).catch((error: { code: number; stdout: string }) => error)
}

test('a GeoNames file is imported, and invalid lines are counted', async () => {
  const { adminUrl, admin } = await aDatabase()
  const lines = Array.from({ length: 5_000 }, (_, index) => {
    const code = String(index).padStart(5, '0')
    return `IT\t${code}\tPlace ${index}\tLazio\t07\tRoma\tRM\t\t\t41.9\t12.5\t4`
  })
  const { stdout } = await imported('IT.txt', [...lines, 'no line', ''].join('\r\n'), adminUrl)
  expect(stdout).toBe('IT: 5000 places\n1 lines not in the GeoNames format were skipped.\n')
  expect(await admin('select count(*)::int as places from postal_codes')).toEqual([{ places: 5000 }])
})

test.each([
  ['IT.zip', 'PK\u0003\u0004', 'is compressed'],
  ['IT.txt', '', 'ECONNREFUSED'],
])('%s: one sentence names the fault', async (name, content, sentence) => {
  const { stdout, code } = { code: 0, ...(await imported(name, content)) }
  expect([code, stdout]).toEqual([1, expect.stringContaining(sentence)])
})
