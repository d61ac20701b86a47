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
  /** All complete files, or those of a folder and the folders in it, in any order, with their sizes in bytes. */
  all(folder?: string): AsyncIterable<{ key: string; size: number }>
  /** Releases connections; no call may follow. */
  close(): void
}

/** Refuses what is no key, such as a path upwards. */
export function checkKey(key: string): void {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(key) || key.includes('..'))
    throw new Error(`${JSON.stringify(key)} is not a blob key.`)
}
