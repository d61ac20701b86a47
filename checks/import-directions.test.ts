import { expect, test } from 'vitest'
import { cycles, directionFaults, importFaults, isBarrel, mutualFolders } from './import-directions.ts'
import { isTest, parseText, placeOf, sources, visit } from './sources.ts'

const all = sources()

test('the checks read the project', () => {
  expect(all.length).toBeGreaterThan(100)
  for (const folder of [
    'contract',
    'domain',
    'database',
    'server',
    'portal',
    'simulator',
    'agent',
    'demo',
    'testkit',
  ]) {
    expect(all.filter((source) => source.folder === folder).length, `files in ${folder}/`).toBeGreaterThan(0)
  }
})

test('code imports inwards only, by names that say where from', () => {
  expect(all.flatMap(importFaults)).toEqual([])
})

test('no file imports itself in a circle', () => {
  expect(cycles(all).map((circle) => circle.join(' → '))).toEqual([])
})

test('of two folders one is the lower', () => {
  expect(directionFaults(all)).toEqual([])
})

test('the check finds folders that import each other, in both levels', () => {
  const files = [
    parseText('server/api/a.ts', "import '../export/b.ts'"),
    parseText('server/export/b.ts', "import '../http/c.ts'"),
    parseText('server/export/c.ts', "import type { A } from '../api/a.ts'"),
    parseText('portal/ui/list/a.ts', "import '../page/b.ts'"),
    parseText('portal/ui/page/b.ts', "import '../list/a.ts'"),
    parseText('portal/ui/list/c.test.ts', "import '../form/d.ts'"),
    parseText('portal/ui/form/d.ts', "import '../list/a.ts'"),
  ]
  expect(mutualFolders(files)).toEqual(['server/api ↔ server/export', 'portal/ui/list ↔ portal/ui/page'])
})

test('no file only hands on what others export', () => {
  expect(all.filter(isBarrel).map((source) => source.path)).toEqual([])
})

/** Where the roles have their names. */
const mayNameRoles = ['contract/access.ts', 'contract/vocabulary/roles.ts']
const roles = new Set(['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'])

test('a role is named in the table of permissions alone', () => {
  const named: string[] = []
  for (const source of all.filter(({ path }) => !isTest(path) && !mayNameRoles.includes(path))) {
    visit(source.program, (node) => {
      if (node.type === 'Literal' && typeof node.value === 'string' && roles.has(node.value))
        named.push(`${placeOf(source, node.start)} names ${node.value}`)
    })
  }
  expect(named).toEqual([])
})

const example = (path: string, text: string) => importFaults(parseText(path, text))

test('the check sees what it is for', () => {
  expect(example('domain/a.ts', "import { readFileSync } from 'node:fs'")).toHaveLength(1)
  expect(example('domain/a.ts', "import type { Alarm } from '#database/alarms/alarm.ts'")).toHaveLength(1)
  expect(example('contract/a.ts', "import { money } from '../domain/money/money.ts'")).toHaveLength(2)
  expect(example('server/a.ts', "const kit = await import('#testkit/database.ts')")).toHaveLength(2)
  expect(
    example('portal/features/alarms/alarm/a.tsx', "import type { endpoints } from '#contract/endpoints.ts'"),
  ).toHaveLength(1)
  expect(example('portal/features/alarms/alarm/a.tsx', "type A = import('#server/config.ts').Config")).toHaveLength(1)
  expect(
    example(
      'portal/features/alarms/alarm/a.tsx',
      "import { alarms } from '#contract/alarms/alarm.ts'\nimport x from './b.tsx'",
    ),
  ).toEqual([])
  expect(example('domain/a.test.ts', "import { aMerchant } from '#testkit/merchant.ts'")).toEqual([])
  const circle = [parseText('domain/a.ts', "import './b.ts'"), parseText('domain/b.ts', "export * from './a.ts'")]
  expect(cycles(circle)).toEqual([['domain/a.ts', 'domain/b.ts', 'domain/a.ts']])
  expect(isBarrel(parseText('portal/ui/index.ts', "export * from './A.tsx'\nexport { B } from './B.tsx'"))).toBe(true)
})
