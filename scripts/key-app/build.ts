import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'
import { wordsOfNouns } from '../portal/words.ts'
import { contractAsData } from './contract.ts'

const root = join(import.meta.dirname, '../..')

/** The path of the app's files; its pages are below `/key/`. */
export const keyAppBase = '/key-app/'

/** The app's chunks: the libraries outlive our own releases in a cache. */
const libraries =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-query|query-core)|i18next|react-i18next|wouter|mitt|regexparam)\//

/** Screens that are not the first one. */
const laterScreens = /portal\/key\/screens\/(?!Welcome|Wallet)/

const shared = { configFile: false, mode: 'production', logLevel: 'warn', publicDir: false } satisfies InlineConfig

/** Builds the customers' app into a folder: first its pages, then the service worker that knows their files. */
export async function buildKeyApp(folder: string): Promise<void> {
  const target = 'es2023'
  await build({
    ...shared,
    root: join(root, 'portal/key'),
    base: keyAppBase,
    plugins: [contractAsData(), wordsOfNouns(), react()],
    define: { 'import.meta.env.ANSWER_FORMS': JSON.stringify(answerForms()) },
    build: {
      outDir: folder,
      emptyOutDir: true,
      manifest: true,
      target,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      // The policy of the pages allows no other source of fonts and images.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'base', test: libraries, priority: 2 },
              { name: 'frame', tags: ['$initial' as const], test: (id: string) => !id.endsWith('.json'), priority: 1 },
              { name: 'screens', test: laterScreens },
            ],
          },
        },
      },
    },
  })
  await build({
    ...shared,
    root: join(root, 'portal/key'),
    define: {
      'import.meta.env.PRECACHE': JSON.stringify(precacheOf(folder)),
      'process.env.NODE_ENV': '"production"',
    },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target,
      reportCompressedSize: false,
      lib: { entry: join(root, 'portal/key/worker.ts'), formats: ['iife'], name: 'worker', fileName: () => 'sw.js' },
    },
  })
}

/** Changes with the contract of the app's calls: an app shows no answer that another version has kept in another form. */
function answerForms(): string {
  const hash = createHash('sha256')
  for (const file of globSync('contract/key-portal/*.ts', { cwd: root }).sort())
    hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 12)
}

/** Parts that only some customers need, or that need the network anyway: they are cached when they first load. */
const onDemand = /^assets\/(jsqr|preview|errors|form|vocabulary)-|inter-(?!latin-wght)/i

/** The files that the app needs without a network, each with its revision; names with a digest need none. */
export function precacheOf(folder: string): { url: string; revision: string | null }[] {
  const assets = globSync('assets/*.{js,css,woff2}', { cwd: folder }).filter((file) => !onDemand.test(file))
  if (!assets.some((file) => file.endsWith('.css'))) throw new Error('The app has no style sheet, which cannot be.')
  const page = createHash('sha256')
    .update(readFileSync(join(folder, 'index.html')))
    .digest('hex')
  return [
    { url: `${keyAppBase}index.html`, revision: page.slice(0, 16) },
    ...assets.sort().map((file) => ({ url: `${keyAppBase}${file}`, revision: null })),
  ]
}
