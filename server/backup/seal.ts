import { type Duplex, pipeline, Readable } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'

/** How the parts of a backup are written: compressed, and encrypted for a public key when there is one. */
export interface Seal {
  /** Public keys of age (`age1…`); each private key of them opens the backup. */
  recipients: readonly string[]
}

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const bytesOf = (content: Content) => Readable.from(content, { objectMode: false })
/** Carries an error of one stream on to the next, which ends with it. */
const through = (from: Readable, to: Duplex): Readable => pipeline(from, to, () => {})

/** The sealed form of a content. A checksum of the content is part of it. */
export async function sealed(content: Content, { recipients }: Seal): Promise<AsyncIterable<Uint8Array>> {
  const compressed = through(
    bytesOf(content),
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }),
  )
  if (recipients.length === 0) return compressed
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter.encrypt(Readable.toWeb(compressed) as ReadableStream<Uint8Array>)
}

/** A part of a backup cannot be read. */
export class SealError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'SealError'
  }
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The content of what was sealed. `identities`: private keys of age (`AGE-SECRET-KEY-1…`). */
export async function unsealed(content: Readable, identities: readonly string[]): Promise<Readable> {
  const [head, whole] = await withHead(content)
  if (head.subarray(0, 4).equals(zstdMagic)) return through(whole, createZstdDecompress())
  if (!head.toString('latin1').startsWith('age-encryption.org/'))
    throw new SealError('A part of the backup is no backup.')
  if (identities.length === 0)
    throw new SealError('The backup is encrypted: give the file with its private key by --identity.')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  const plain = await decrypter.decrypt(Readable.toWeb(whole) as ReadableStream<Uint8Array>).catch((error: unknown) => {
    throw new SealError('The private key does not open this backup.', { cause: error })
  })
  return through(bytesOf(plain), createZstdDecompress())
}

/** The first bytes of a stream, and the whole stream. */
async function withHead(content: Readable): Promise<[Buffer, Readable]> {
  const parts = content[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let length = 0
  while (length < 32) {
    const { value, done } = await parts.next()
    if (done) break
    first.push(Buffer.from(value as Uint8Array))
    length += first.at(-1)?.length ?? 0
  }
  async function* whole() {
    yield* first
    for (;;) {
      const { value, done } = await parts.next()
      if (done) return
      yield value as Uint8Array
    }
  }
  return [Buffer.concat(first), bytesOf(whole())]
}
