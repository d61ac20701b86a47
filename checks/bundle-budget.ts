import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** An entry of Vite's manifest. */
export type Chunk = { file: string; src?: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
export type Manifest = Record<string, Chunk>

/** What a phone on a slow line downloads before it sees the dashboard take shape, in bytes of gzipped JavaScript. */
export const budget = 230_000

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

/** The entry, and the screen that opens first. */
export function firstChunks(manifest: Manifest): string[] {
  const names = Object.keys(manifest)
  const dashboard = names.filter((name) => /features\/sales\/dashboard\/DashboardScreen\.tsx$/.test(name))
  const entries = names.filter((name) => manifest[name]?.isEntry)
  if (entries.length !== 1) throw new Error(`The portal's build has ${entries.length} entries, not one.`)
  if (dashboard.length !== 1) throw new Error(`The dashboard has ${dashboard.length} chunks of its own, not one.`)
  return [...entries, ...dashboard]
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

/** The JavaScript of these chunks as a browser downloads it, gzipped, in bytes, the largest first. */
export function weigh(folder: string, manifest: Manifest, names: readonly string[]): { file: string; bytes: number }[] {
  const files = new Set(names.map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js')))
  return [...files]
    .map((file) => ({ file, bytes: gzipSync(readFileSync(join(folder, file)), { level: 9 }).length }))
    .sort((one, other) => other.bytes - one.bytes)
}
