import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type Blobs, checkKey } from './blobs.ts'

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

/** Undefined where a file or folder is missing. */
const ifThere = <Found>(looking: Promise<Found>): Promise<Found | undefined> =>
  looking.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Blobs in a local folder. Several processes on one machine may share it; several machines need a shared folder. */
export function folderBlobs(root: string): Blobs {
  const base = resolve(root)
  const pathOf = (key: string) => {
    checkKey(key)
    const path = join(base, key)
    if (!path.startsWith(base + sep)) throw new Error(`${JSON.stringify(key)} is not a blob key.`)
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
      const file = await ifThere(stat(path))
      return file && { size: file.size, content: createReadStream(path) }
    },
    async size(key) {
      const file = await ifThere(stat(pathOf(key)))
      return file?.size
    },
    part: (key, start, end) => createReadStream(pathOf(key), { start, end }),
    async remove(key) {
      await rm(pathOf(key), { force: true })
      await rm(pathOf(key) + unfinished, { force: true })
    },
    async older(folder, than) {
      const entries = (await ifThere(readdir(pathOf(folder)))) ?? []
      const keys: string[] = []
      for (const name of entries) {
        const key = `${folder}/${name}`
        const file = await stat(pathOf(key)).catch(() => undefined)
        if (file?.isFile() && file.mtime < than) keys.push(key)
      }
      return keys
    },
    async *all(folder) {
      const top = folder === undefined ? base : pathOf(folder)
      const entries = (await ifThere(readdir(top, { recursive: true, withFileTypes: true }))) ?? []
      for (const entry of entries) {
        if (!entry.isFile() || entry.name.endsWith(unfinished)) continue
        const path = join(entry.parentPath, entry.name)
        const file = await ifThere(stat(path))
        if (file) yield { key: relative(base, path).replaceAll(sep, '/'), size: file.size }
      }
    },
    close() {},
  }
}
