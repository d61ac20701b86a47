import { basename, join } from 'node:path'
import { build } from 'vite'
import { workerPath } from '../../portal/features/stock/offline/places.ts'

const folder = join(import.meta.dirname, '../../portal/features/stock/offline')

/** Builds the service worker of technicians on a round beside the pages of the portal. */
export async function buildRoundWorker(outDir: string): Promise<void> {
  await build({
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    publicDir: false,
    root: folder,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      reportCompressedSize: false,
      lib: {
        entry: join(folder, 'worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => basename(workerPath),
      },
    },
  })
}
