import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chunksBefore, type Manifest, weigh } from './bundle-budget.ts'
import { root } from './sources.ts'

/** What a phone on a slow line downloads before it sees the dashboard take shape, in bytes of gzipped JavaScript. */
const budget = 230_000

const folder = join(root, 'dist/portal')

function readManifest(): Manifest {
  const path = join(folder, '.vite/manifest.json')
  if (!existsSync(path)) throw new Error('The portal is not built: "npm test" builds it, and so does "npx vite build".')
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest
}

/** The entry, and the screen that opens first. */
function firstChunks(manifest: Manifest) {
  const names = Object.keys(manifest)
  const dashboard = names.filter((name) => /features\/dashboard\/DashboardScreen\.tsx$/.test(name))
  expect(dashboard, 'the chunk of the dashboard').toHaveLength(1)
  const entries = names.filter((name) => manifest[name]?.isEntry)
  expect(entries, 'the entry').toHaveLength(1)
  return [...entries, ...dashboard]
}

test(`the portal's first screen needs at most ${budget / 1000} kB of JavaScript`, () => {
  const manifest = readManifest()
  const files = weigh(folder, manifest, chunksBefore(manifest, firstChunks(manifest)))
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(`${(total / 1000).toFixed(1)} kB of ${budget / 1000} kB, gzipped, in ${files.length} files`)
  expect(files.length).toBeGreaterThan(1)
  expect(
    total,
    files.map(({ file, bytes }) => `${file} ${(bytes / 1000).toFixed(1)} kB`).join('\n'),
  ).toBeLessThanOrEqual(budget)
})

test('charts, maps and rich text come only with the screens that show them', () => {
  const manifest = readManifest()
  const early = chunksBefore(manifest, firstChunks(manifest)).map((name) => manifest[name]?.file ?? '')
  const heavy = early.filter((file) =>
    /echarts|zrender|maplibre/.test(readFileSync(join(folder, file), 'utf8').slice(0, 3_000_000)),
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
