import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a ZIP archive by name, each with its checksum verified; read from the central directory, as programs do. */
export function filesInZip(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const count = zip.readUInt16LE(end + 10)
  const files = new Map<string, string>()
  for (let [at, left] = [zip.readUInt32LE(end + 16), count]; left > 0; left--) {
    const [crc, packed, size] = [16, 20, 24].map((place) => zip.readUInt32LE(at + place)) as [number, number, number]
    const nameLength = zip.readUInt16LE(at + 28)
    const extra = zip.readUInt16LE(at + 30)
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = inflateRawSync(zip.subarray(start, start + packed))
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged.`)
    files.set(name, content.toString('utf8'))
    at += 46 + nameLength + extra
  }
  return files
}
