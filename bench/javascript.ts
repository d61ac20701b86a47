import { join } from 'node:path'
import { budget, chunksBefore, firstChunks, readManifest, weigh } from '../checks/bundle-budget.ts'
import { ensurePortal } from '../scripts/portal-build.ts'
import type { Measurement } from './measure.ts'

export const javascript: Measurement = {
  title: 'JavaScript before the dashboard takes shape',
  about: `What a browser downloads before the dashboard's skeleton paints: the entry's chunk, the dashboard's and all that these import
    statically, gzipped. Charts, map and words come later. The test run holds the same budget.`,
  async run() {
    if (!ensurePortal()) throw new Error('The portal could not be built.')
    const folder = join(import.meta.dirname, '..', 'dist/portal')
    const manifest = readManifest(folder)
    const files = weigh(folder, manifest, chunksBefore(manifest, firstChunks(manifest)))
    const kilobytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
    return [
      {
        what: 'gzipped JavaScript before the dashboard',
        figure: `${kilobytes.toFixed(1)} kB in ${files.length} files`,
        value: kilobytes,
        promised: { atMost: budget / 1000, unit: 'kB' },
      },
    ]
  },
}
