import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** An entry of Vite's manifest. */
export type Chunk = {
  file: string
  name?: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
}
export type Manifest = Record<string, Chunk>

/** What a phone on a slow line downloads before it sees the dashboard take shape, in bytes of gzipped JavaScript; `e2e/full/first-screen.test.ts` compares the count with a browser's. */
export const budget = 218_000

/** The same before the first screen of the customers' app, with the words of a language. */
export const keyAppBudget = 120_000

/** How many files of JavaScript a screen may ask for: over HTTP/1.1 a browser fetches six at a time. */
export const mostFiles = 30

/** Vite's manifest of the portal built into a folder. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, '.vite/manifest.json')
  if (!existsSync(path)) throw new Error('The portal is not built: "npm test" builds it, and so does "npx vite build".')
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest
}

/**
 * The chunks that a signed-in user's browser asks for before the dashboard shows, without their imports: the page's first code, the shell, the
 * dashboard and their words, as `scripts/portal/chunks.ts` groups them.
 */
export function firstChunks(manifest: Manifest, language: string): string[] {
  return ['sign-in', 'frame', 'first', `words-${language}`].map((group) => {
    const keys = Object.keys(manifest).filter((key) => manifest[key]?.name === group)
    if (keys.length !== 1) throw new Error(`The portal's build has ${keys.length} chunks “${group}”, not one.`)
    return keys[0] as string
  })
}

/** All files of JavaScript that this browser loads before the dashboard shows, with the plain scripts of the page and of the session's frame. */
export function filesBeforeDashboard(folder: string, manifest: Manifest, language: string): string[] {
  const pages = ['index.html', 'session-frame.html'].map((page) => readFileSync(join(folder, page), 'utf8'))
  const named = pages.flatMap((page) =>
    [...page.matchAll(/<script src="\/([^"]+)"/g)].map((match) => match[1] as string),
  )
  return [...named, ...filesOf(manifest, chunksBefore(manifest, firstChunks(manifest, language)))]
}

/** The entry of the customers' app, and its largest words. */
export function firstKeyAppChunks(manifest: Manifest, folder: string): string[] {
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
  const words = Object.keys(manifest).filter((name) => name.endsWith('/key-portal/key-app.json'))
  if (entries.length !== 1 || words.length === 0) throw new Error('The customers’ app is not built as expected.')
  const size = (name: string) => readFileSync(join(folder, manifest[name]?.file ?? '')).length
  return [...entries, ...words.sort((one, other) => size(other) - size(one)).slice(0, 1)]
}

/** The chunks that load before the named chunks can run: the named chunks and all their static imports. */
export function chunksBefore(manifest: Manifest, names: readonly string[]): string[] {
  const needed = new Set<string>()
  const queue = [...names]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (needed.has(name)) continue
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The manifest of the portal's build has no ${name}.`)
    needed.add(name)
    queue.push(...(chunk.imports ?? []))
  }
  return [...needed]
}

/** The files of JavaScript of these chunks. */
export const filesOf = (manifest: Manifest, names: readonly string[]): string[] =>
  [...new Set(names.map((name) => manifest[name]?.file ?? ''))].filter((file) => file.endsWith('.js'))

/** These files as a browser downloads them, gzipped, in bytes, the largest first. */
export const weigh = (folder: string, files: readonly string[]): { file: string; bytes: number }[] =>
  files
    .map((file) => ({ file, bytes: gzipSync(readFileSync(join(folder, file)), { level: 9 }).length }))
    .sort((one, other) => other.bytes - one.bytes)
