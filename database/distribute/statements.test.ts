import { readdirSync, readFileSync } from 'node:fs'
import { loadModule, parseSync } from 'libpg-query'
import { expect, test } from 'vitest'
import { statementsOf } from './statements.ts'

const folder = new URL('../migrations/', import.meta.url)
await loadModule()
const countIn = (text: string) => (parseSync(text) as { stmts?: unknown[] }).stmts?.length ?? 0

test('a migration is split at the ends of its statements, not within quotes, bodies and comments', () => {
  const parts = [
    `-- one; two\ncreate table a (b text default ';''');`,
    `\ncreate function f() returns int language sql as $body$ select 1; $body$;`,
    `\n/* ; */ alter table "a;b" add c int;`,
  ]
  expect(statementsOf(parts.join(''))).toEqual(parts)
})

test('each part of each migration is one statement', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  expect(names.length).toBeGreaterThan(50)
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const parts = statementsOf(text)
    expect(parts.join('').trimEnd(), name).toBe(text.trimEnd())
    expect(
      parts.map(countIn).filter((count) => count > 0),
      name,
    ).toEqual(Array.from({ length: countIn(text) }, () => 1))
  }
})
