import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '#contract/vocabulary/world/languages.ts'
import {
  budget,
  chunksBefore,
  filesBeforeDashboard,
  filesOf,
  firstChunks,
  firstKeyAppChunks,
  keyAppBudget,
  type Manifest,
  mostFiles,
  readManifest,
  weigh,
} from './bundle-budget.ts'
import { root } from './sources.ts'

const folder = join(root, 'dist/portal')
const sum = (files: readonly { bytes: number }[]) => files.reduce((total, { bytes }) => total + bytes, 0)

test(`the portal's first screen needs at most ${budget / 1000} kB of JavaScript in every language`, () => {
  const manifest = readManifest(folder)
  const counts = languages.map((language) => weigh(folder, filesBeforeDashboard(folder, manifest, language)))
  const [files = []] = counts.sort((one, other) => sum(other) - sum(one))
  const total = sum(files)
  console.log(`${(total / 1000).toFixed(1)} kB of ${budget / 1000} kB, gzipped, in ${files.length} files`)
  expect(files.length).toBeGreaterThan(firstChunks(manifest, 'en').length)
  expect(
    total,
    files.map(({ file, bytes }) => `${file} ${(bytes / 1000).toFixed(1)} kB`).join('\n'),
  ).toBeLessThanOrEqual(budget)
})

test(`the first screen of the customers' app needs at most ${keyAppBudget / 1000} kB of JavaScript`, () => {
  const app = join(folder, 'key-app')
  const manifest = readManifest(app)
  const files = weigh(app, filesOf(manifest, chunksBefore(manifest, firstKeyAppChunks(manifest, app))))
  const total = sum(files)
  console.log(`${(total / 1000).toFixed(1)} kB of ${keyAppBudget / 1000} kB, gzipped, in ${files.length} files`)
  expect(files.length).toBeGreaterThan(2)
  expect(
    total,
    files.map(({ file, bytes }) => `${file} ${(bytes / 1000).toFixed(1)} kB`).join('\n'),
  ).toBeLessThanOrEqual(keyAppBudget)
})

test(`no screen asks for more than ${mostFiles} files of JavaScript`, () => {
  const manifest = readManifest(folder)
  const entries = firstChunks(manifest, 'en').slice(0, 2)
  // The kit shows every part, only in development.
  const screens = Object.keys(manifest).filter((name) => /^features\/(?!platform\/kit\/).*Screen\.tsx$/.test(name))
  expect(screens.length).toBeGreaterThan(20)
  const files = screens.map((name) => [name, chunksBefore(manifest, [...entries, name]).length] as const)
  expect(files.filter(([, count]) => count > mostFiles)).toEqual([])
})

test('charts, maps, rich text and the schemas come only with the screens that need them', () => {
  const manifest = readManifest(folder)
  const early = chunksBefore(manifest, firstChunks(manifest, 'en')).map((name) => manifest[name]?.file ?? '')
  const heavy = early.filter((file) =>
    /echarts|zrender|maplibre|ZodType|strictObject/.test(readFileSync(join(folder, file), 'utf8').slice(0, 3_000_000)),
  )
  expect(heavy).toEqual([])
})

test('the check follows static imports alone', () => {
  const manifest: Manifest = {
    'index.html': { file: 'a.js', imports: ['_b.js'], dynamicImports: ['c.tsx'] },
    '_b.js': { file: 'b.js', imports: ['index.html'] },
    'c.tsx': { file: 'c.js' },
  }
  expect(chunksBefore(manifest, ['index.html']).sort()).toEqual(['_b.js', 'index.html'])
  expect(() => chunksBefore(manifest, ['d.tsx'])).toThrow('d.tsx')
})
