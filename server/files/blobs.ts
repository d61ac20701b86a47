import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'

/** Files that the product writes and serves, by key: names of letters, digits, dots and dashes, separated by slashes. */
export interface Blobs {
  /**
   * Writes a file as fast as the disk accepts it, and returns its size in bytes. The key exists only once the file is
   * complete. `isDurable`: it also survives a power failure from then on.
   */
  put(
    key: string,
    content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
    options?: { isDurable?: boolean },
  ): Promise<number>
  /** The file and its size, or undefined when there is none. */
  get(key: string): Promise<{ size: number; content: Readable } | undefined>
  /** The size of a file, or undefined when there is none. */
  size(key: string): Promise<number | undefined>
  /** The bytes from `start` to `end` of a file, both included. */
  part(key: string, start: number, end: number): Readable
  /** Removes a file, also an unfinished one; a missing file is no error. */
  remove(key: string): Promise<void>
  /** Keys below a folder that were last written before an instant, including unfinished files. */
  older(folder: string, than: Date): Promise<string[]>
}

const isSound = (key: string) => /^[\w.-]+(\/[\w.-]+)*$/.test(key) && !key.includes('..')
const unfinished = '.part'

/** Uses one buffer for the whole file: separate buffers would pile up until the next garbage collection. */
async function writeAll(
  path: string,
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  isDurable: boolean,
) {
  const file = await open(path, 'w')
  try {
    const buffer = Buffer.allocUnsafeSlow(256 * 1024)
    let used = 0
    const flush = async () => {
      await file.writeFile(buffer.subarray(0, used))
      used = 0
    }
    for await (const piece of content) {
      const size = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
      if (used + size > buffer.length) await flush()
      if (size > buffer.length) await file.writeFile(piece)
      else if (typeof piece === 'string') used += buffer.write(piece, used)
      else {
        buffer.set(piece, used)
        used += size
      }
    }
    await flush()
    if (isDurable) await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the names in a folder durable. */
async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Blobs in a local folder. Several processes on one machine may share it; several machines need a shared folder. */
export function folderBlobs(root: string): Blobs {
  const base = resolve(root)
  const pathOf = (key: string) => {
    const path = join(base, key)
    if (!isSound(key) || !path.startsWith(base + sep)) throw new Error(`${JSON.stringify(key)} is not a blob key.`)
    return path
  }
  return {
    async put(key, content, { isDurable = false } = {}) {
      const path = pathOf(key)
      const part = path + unfinished
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeAll(part, content, isDurable)
        const { size } = await stat(part)
        await rename(part, path)
        if (isDurable) await syncFolder(dirname(path))
        return size
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key) {
      const path = pathOf(key)
      const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return file && { size: file.size, content: createReadStream(path) }
    },
    async size(key) {
      const file = await stat(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return file?.size
    },
    part: (key, start, end) => createReadStream(pathOf(key), { start, end }),
    async remove(key) {
      await rm(pathOf(key), { force: true })
      await rm(pathOf(key) + unfinished, { force: true })
    },
    async older(folder, than) {
      const entries = await readdir(pathOf(folder)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const keys: string[] = []
      for (const name of entries) {
        const key = `${folder}/${name}`
        const file = await stat(pathOf(key)).catch(() => undefined)
        if (file?.isFile() && file.mtime < than) keys.push(key)
      }
      return keys
    },
  }
}
