// Our own, because the ZIP libraries take streams whose errors and end are events; here a file is read only when its turn comes.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<string | Uint8Array>
}

interface Written {
  name: Buffer
  crc: number
  packed: number
  size: number
  at: number
}

/** Sizes and places from here on need the fields of ZIP64. */
const limit = 0xffffffff
const dataDescriptor = 0x0008
const utf8 = 0x0800
const version = 20
const version64 = 45
const deflated = 8

/** MS-DOS date and time (two seconds). */
function dosTime(at: Date): { time: number; date: number } {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return { time, date }
}

/**
 * A ZIP archive (PKWARE APPNOTE 6.3) in pieces. Files are compressed as they are read; their sizes follow them. The memory does not depend
 * on the size of a file.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, now: Date): AsyncGenerator<Buffer> {
  const { time, date } = dosTime(now)
  const files: Written[] = []
  let place = 0
  const counted = (bytes: Buffer) => {
    place += bytes.length
    return bytes
  }
  for await (const { name, content } of entries) {
    const file: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: place }
    yield counted(
      Buffer.concat([
        numbers([
          [4, 0x04034b50],
          [2, version],
          [2, dataDescriptor | utf8],
          [2, deflated],
          [2, time],
          [2, date],
          [4, 0],
          [4, 0],
          [4, 0],
          [2, file.name.length],
          [2, 0],
        ]),
        file.name,
      ]),
    )
    for await (const bytes of deflatedOf(content, file)) yield counted(bytes)
    const width = isLarge(file) ? 8 : 4
    yield counted(
      numbers([
        [4, 0x08074b50],
        [4, file.crc],
        [width, file.packed],
        [width, file.size],
      ]),
    )
    files.push(file)
  }
  const start = place
  for (const file of files) yield counted(centralHeader(file, { time, date }))
  yield endOf(files.length, start, place - start)
}

const isLarge = ({ packed, size }: Written) => packed >= limit || size >= limit

async function* deflatedOf(content: ZipEntry['content'], file: Written): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw()
  const read = async function* () {
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      file.crc = crc32(bytes, file.crc)
      file.size += bytes.length
      yield bytes
    }
  }
  const writing = pipeline(Readable.from(read()), deflate)
  // Reading ends with the same error.
  writing.catch(() => {})
  for await (const bytes of deflate as AsyncIterable<Buffer>) {
    file.packed += bytes.length
    yield bytes
  }
  await writing
}

function centralHeader(file: Written, { time, date }: { time: number; date: number }): Buffer {
  const large = ([file.size, file.packed, file.at] as const).filter((value) => value >= limit)
  const extra =
    large.length === 0
      ? Buffer.alloc(0)
      : numbers([[2, 1], [2, 8 * large.length], ...large.map((value): Field => [8, value])])
  const small = (value: number) => Math.min(value, limit)
  const needed = large.length > 0 ? version64 : version
  return Buffer.concat([
    numbers([
      [4, 0x02014b50],
      [2, version64],
      [2, needed],
      [2, dataDescriptor | utf8],
      [2, deflated],
      [2, time],
      [2, date],
      [4, file.crc],
      [4, small(file.packed)],
      [4, small(file.size)],
      [2, file.name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, small(file.at)],
    ]),
    file.name,
    extra,
  ])
}

function endOf(count: number, start: number, size: number): Buffer {
  const end = numbers([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, Math.min(size, limit)],
    [4, Math.min(start, limit)],
    [2, 0],
  ])
  if (start < limit) return end
  const end64 = numbers([
    [4, 0x06064b50],
    [8, 44],
    [2, version64],
    [2, version64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  ])
  const locator = numbers([
    [4, 0x07064b50],
    [4, 0],
    [8, start + size],
    [4, 1],
  ])
  return Buffer.concat([end64, locator, end])
}

type Field = readonly [bytes: 2 | 4 | 8, value: number]

/** Little-endian numbers, one after the other. */
function numbers(fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}
