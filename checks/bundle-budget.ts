import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** An entry of Vite's manifest. */
export type Chunk = { file: string; src?: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
export type Manifest = Record<string, Chunk>

/** The chunks that must be there before the ones named can run: they and all they import statically. */
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
