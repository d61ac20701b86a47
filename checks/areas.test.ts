import { expect, test } from 'vitest'
import { areaFaults, areaOf, crowdedFolders, doors, idleDoors } from './areas.ts'
import { parseText, sources } from './sources.ts'

const all = sources()

test('areas of a floor know each other through named files alone', () => {
  expect(all.filter(({ path }) => areaOf(path)).length).toBeGreaterThan(300)
  expect(all.flatMap(areaFaults)).toEqual([])
})

test('every named file is used by another area', () => {
  expect(doors.size).toBeGreaterThan(10)
  expect(idleDoors(all)).toEqual([])
})

test('no folder has more than 25 files of code', () => {
  expect(crowdedFolders(all.map(({ path }) => path))).toEqual([])
})

test('the check finds an import past the doors, and a crowded folder', () => {
  const example = (text: string) => areaFaults(parseText('database/stock/example.ts', text))
  expect(example("import { a } from '../alarms/alarm-cycles.ts'")).toHaveLength(1)
  expect(example("import { a } from './stock.ts'\nimport { b } from '../frame/tenant.ts'")).toEqual([])
  expect(crowdedFolders(Array.from({ length: 26 }, (_, n) => `domain/stock/${n}.ts`))).toEqual([
    'domain/stock: 26 files',
  ])
})
