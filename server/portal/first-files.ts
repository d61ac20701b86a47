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
/** The chunks of the first screen by their names in scripts/portal/chunks.ts, and of the page that a sign-in returns to, in the order of their use. */
const chunksOf = (language: Language) => [
  'sign-in',
  'frame',
  `words-${language}`,
  'shell/session/SignedInScreen.tsx',
  `language/${language}/frame/session.json`,
  'first',
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
  const chunks = Object.entries(manifest)
  for (const name of chunksOf(language))
    add(chunks.find(([path, chunk]) => chunk.name === name || path.endsWith(name))?.[1])
  const font = chunks.find(([path]) => path.endsWith('-latin.woff2'))?.[1].file
  return [...files, ...(font ? [font] : [])].map((file) => `/${file}`)
}
