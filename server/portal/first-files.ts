import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/vocabulary/world/languages.ts'

/** A chunk of Vite's manifest. */
interface Chunk {
  file: string
  name?: string
  imports?: string[]
  css?: string[]
}

const manifestPath = join(import.meta.dirname, '..', '..', 'dist/portal/.vite/manifest.json')
/** The chunks of the first screen, in the order in which it needs them, as scripts/portal/chunks.ts names them. */
const chunksOf = (language: Language) => [
  'sign-in',
  'frame',
  'first',
  `words-${language}`,
  'second',
  `more-words-${language}`,
]

let manifest: Record<string, Chunk> | undefined

/** The addresses of the files that the portal loads after a sign-in; none where the portal is not built. */
export function filesOfFirstScreen(language: Language): string[] {
  if (!existsSync(manifestPath)) return []
  manifest ??= JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const add = (chunk: Chunk | undefined) => {
    if (!chunk || files.has(chunk.file)) return
    for (const key of chunk.imports ?? []) add(manifest?.[key])
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
  }
  for (const name of chunksOf(language)) add(Object.values(manifest).find((chunk) => chunk.name === name))
  const font = Object.entries(manifest).find(([path]) => path.endsWith('-latin.woff2'))?.[1].file
  return [...files, ...(font ? [font] : [])].map((file) => `/${file}`)
}
