import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { buildKeyApp } from './key-app/build.ts'
import { onlyOne } from './only-one.ts'
import { buildRoundWorker } from './portal/round-worker.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/portal')
/** The file in that folder that identifies the sources of the build. */
const stamp = '.vite/sources'
/** All sources of the portal; tests beside the code are left out. */
const sources = [
  'portal/**',
  'contract/**',
  'domain/**',
  'language/**',
  'vite.config.ts',
  'package-lock.json',
  'scripts/portal-build.ts',
  'scripts/portal/*.ts',
  'scripts/key-app/*.ts',
  'server/words/language-files.ts',
]

/** Is there a portal, if only of older sources? */
export const isPortalBuilt = () => existsSync(join(folder, 'index.html'))

/**
 * Builds the portal into dist/portal, unless its content was built from the same sources. The build runs in a process
 * of its own, so that the server does not inherit its memory. Returns false, after the error message, when it failed.
 */
export function ensurePortal(): boolean {
  if (isBuiltFrom(fingerprint())) return true
  // Always production, also in tests: React's slow checks are for `npm run dev`.
  const env = { ...process.env, NODE_ENV: 'production' }
  return spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit', env }).status === 0
}

function isBuiltFrom(sources: string): boolean {
  const builtFrom = join(folder, stamp)
  return existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === sources
}

/** Builds aside and moves the result into place, so that a server never sees an incomplete portal. Run by one process at a time. */
async function buildPortal() {
  const sourcesBuilt = fingerprint()
  // Another process has built it meanwhile.
  if (isBuiltFrom(sourcesBuilt)) return
  const started = Date.now()
  console.log('Building the portal')
  const { build } = await import('vite')
  const fresh = `${folder}.${process.pid}`
  try {
    await build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      mode: 'production',
      build: { outDir: fresh },
    })
    await buildRoundWorker(fresh)
    await buildKeyApp(join(fresh, 'key-app'))
    await compress(fresh)
    writeFileSync(join(fresh, stamp), sourcesBuilt)
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  console.log(`Built the portal in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/**
 * Puts a Brotli and a gzip copy beside each text file: the server sends the encoding that the browser accepts, and
 * compresses nothing itself.
 */
async function compress(folder: string) {
  const files = globSync('**/*.{js,css,html,svg,json}', { cwd: folder }).map((file) => join(folder, file))
  // A few at once: all of them are more than a process may open in many a container.
  for (let from = 0; from < files.length; from += 32) await Promise.all(files.slice(from, from + 32).map(compressFile))
}

async function compressFile(file: string) {
  const content = await readFile(file)
  if (content.length < 1024) return
  const parameters = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    // A window of the file's size: the tables of the usual 4 MB take longer to clear than a small file to compress.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(10, Math.ceil(Math.log2(content.length + 16)))),
  }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: parameters }))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  for (const path of paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort()) {
    hash.update(`${path}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

if (process.argv[1] === import.meta.filename) await onlyOne(`${folder}.lock`, buildPortal)
