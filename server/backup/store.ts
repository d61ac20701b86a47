import type { Readable } from 'node:stream'
import { z } from 'zod'
import { type CompanionVersion, companionKey, companionOf } from '#domain/backup/companion.ts'
import { type Piece, pieceName, pieceOf } from '#domain/backup/wal.ts'
import type { Blobs } from '../files/blobs.ts'
import { type Seal, sealed, unsealed } from './seal.ts'

/*
 * Where backups are: `<system>/base/<stamp>/` has a copy of the server, and `backup.json` once it is complete; `<system>/log/` has pieces of its
 * log; `<system>/files/` has the files of the deployment; `<system>/companions/` has versions of files of other programs. `<system>` is the identifier that PostgreSQL gave to the server.
 */

/** A sentence about a backup for the person who made or restores it. */
export class BackupError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'BackupError'
  }
}

/** What is known of a complete copy of the server. */
export const Base = z.strictObject({
  /** UTC, to the second, as in the name of its folder: 20261127T101500Z. */
  stamp: z.string(),
  systemId: z.string(),
  timeline: z.int(),
  /** Places in the log, in hex. */
  start: z.string(),
  end: z.string(),
  segmentBytes: z.int(),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  postgres: z.string(),
  gettone: z.string(),
  /** Bytes of the server's files, before compression. */
  bytes: z.int(),
  isEncrypted: z.boolean(),
  /** Tells the right SECRET_KEY from a wrong one, and nothing about it. */
  keyFingerprint: z.string(),
})
export type Base = z.infer<typeof Base>

export interface BackupStore {
  /** The systems of which there are backups. */
  systems(): Promise<string[]>
  /** The complete copies of a system, oldest first. */
  bases(systemId: string): Promise<Base[]>
  /** Writes a part of a copy. */
  putPart(systemId: string, stamp: string, name: BasePart, content: Content): Promise<void>
  /** Makes a copy complete. */
  complete(base: Base): Promise<void>
  /** A part of a copy; undefined where there is none. */
  part(base: Base, name: BasePart): Promise<Readable | undefined>
  pieces(systemId: string): Promise<Piece[]>
  putPiece(systemId: string, piece: Piece, bytes: Uint8Array): Promise<void>
  piece(systemId: string, piece: Piece): Promise<Readable>
  files(systemId: string): Promise<Set<string>>
  putFile(systemId: string, key: string, content: Content): Promise<void>
  file(systemId: string, key: string): Promise<Readable>
  companions(systemId: string): Promise<CompanionVersion[]>
  putCompanion(systemId: string, version: CompanionVersion, bytes: Uint8Array): Promise<void>
  companion(systemId: string, version: CompanionVersion): Promise<Readable>
  removeCompanion(systemId: string, version: CompanionVersion): Promise<void>
  removePiece(systemId: string, piece: Piece): Promise<void>
  removeBase(base: Base): Promise<void>
}

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
export type BasePart = 'server.tar' | 'secret-key'

/** Backups at an address. `identities` are needed to read encrypted ones. */
export function openBackupStore(blobs: Blobs, seal: Seal, identities: readonly string[] = []): BackupStore {
  const put = async (key: string, content: Content) => {
    await blobs.put(key, await sealed(content, seal), { isDurable: true })
  }
  const read = async (key: string): Promise<Readable | undefined> => {
    const file = await blobs.get(key)
    return file && unsealed(file.content, identities)
  }
  const present = async (key: string, what: string): Promise<Readable> => {
    const content = await read(key)
    if (!content) throw new BackupError(`${what} is missing in the backup.`)
    return content
  }
  const keysIn = async (folder: string) => {
    const keys: string[] = []
    for await (const { key } of blobs.all(folder)) keys.push(key.slice(folder.length + 1))
    return keys
  }
  const baseKey = (systemId: string, stamp: string, name: string) => `${systemId}/base/${stamp}/${name}`
  const logKey = (systemId: string, piece: Piece) => `${systemId}/log/${pieceName(piece)}`
  const companionPath = (systemId: string, version: CompanionVersion) =>
    `${systemId}/companions/${companionKey(version)}`
  return {
    async systems() {
      const found = new Set<string>()
      for await (const { key } of blobs.all()) if (/^\d+\//.test(key)) found.add(key.slice(0, key.indexOf('/')))
      return [...found]
    },
    async bases(systemId) {
      const stamps = (await keysIn(`${systemId}/base`)).filter((key) => key.endsWith('/backup.json'))
      const bases = await Promise.all(
        stamps.map(async (key) => {
          const file = await blobs.get(`${systemId}/base/${key}`)
          return Base.parse(JSON.parse(Buffer.concat((await file?.content.toArray()) ?? []).toString()))
        }),
      )
      return bases.toSorted((a, b) => a.endedAt.localeCompare(b.endedAt))
    },
    putPart: (systemId, stamp, name, content) => put(baseKey(systemId, stamp, name), content),
    async complete(base) {
      await blobs.put(baseKey(base.systemId, base.stamp, 'backup.json'), [JSON.stringify(base, null, 2)], {
        isDurable: true,
      })
    },
    part: ({ systemId, stamp }, name) => read(baseKey(systemId, stamp, name)),
    pieces: async (systemId) => (await keysIn(`${systemId}/log`)).flatMap((name) => pieceOf(name) ?? []),
    putPiece: (systemId, piece, bytes) => put(logKey(systemId, piece), [bytes]),
    piece: (systemId, piece) => present(logKey(systemId, piece), `The piece ${pieceName(piece)} of the log`),
    files: async (systemId) => new Set(await keysIn(`${systemId}/files`)),
    putFile: (systemId, key, content) => put(`${systemId}/files/${key}`, content),
    file: (systemId, key) => present(`${systemId}/files/${key}`, `The file ${key}`),
    companions: async (systemId) => (await keysIn(`${systemId}/companions`)).flatMap((key) => companionOf(key) ?? []),
    putCompanion: (systemId, version, bytes) => put(companionPath(systemId, version), [bytes]),
    companion: (systemId, version) => present(companionPath(systemId, version), `The file ${version.name}`),
    removeCompanion: (systemId, version) => blobs.remove(companionPath(systemId, version)),
    removePiece: (systemId, piece) => blobs.remove(logKey(systemId, piece)),
    async removeBase({ systemId, stamp }) {
      // Without its last part it counts as incomplete.
      for (const name of ['backup.json', 'secret-key', 'server.tar']) await blobs.remove(baseKey(systemId, stamp, name))
    },
  }
}
