import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const stamp = join(root, '.cache', 'portal-build')
/** All that the portal is built from; a test beside the code is no part of it. */
const sources = [
  'portal/**',
  'contract/**',
  'domain/**',
  'language/**',
  'vite.config.ts',
  'package-lock.json',
  'scripts/portal-build.ts',
]

/** Builds the portal into dist/portal unless what is there was built from these very sources. */
export async function buildPortal(say: (line: string) => void): Promise<void> {
  const wanted = fingerprint()
  const isBuilt = existsSync(join(root, 'dist/portal/index.html')) && existsSync(stamp)
  if (isBuilt && readFileSync(stamp, 'utf8') === wanted) return
  const started = Date.now()
  say('Building the portal')
  // Loaded here, because a start that builds nothing needs none of it.
  const { build } = await import('vite')
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', mode: 'production' })
  await compress()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  say(`Built the portal in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** Puts a Brotli and a gzip copy beside each text file: the server sends what the browser takes, and compresses nothing itself. */
async function compress() {
  const files = globSync('dist/portal/**/*.{js,css,html,svg,json}', { cwd: root }).map((file) => join(root, file))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < 1024) return
      const parameters = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: parameters }))
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
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
