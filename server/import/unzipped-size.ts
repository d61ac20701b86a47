const endOfDirectory = 0x06054b50
const entryOfDirectory = 0x02014b50
/** In a 32-bit field: the value is in a 64-bit record, which only archives above 4 GB need. */
const isElsewhere = 0xffffffff
const usesDescriptor = 0x0008
/** So much of an archive's end may follow its directory: the record of 22 bytes and a comment. */
const longestEnd = 65_557
/** A workbook of one table has some twenty files. */
const mostEntries = 1_000
/** An empty entry is compressed to a few bytes. */
const emptyEntry = 8

/**
 * The bytes that a ZIP archive's directory says it unfolds to (PKWARE APPNOTE, 4.3.12). Undefined if the directory is unreadable,
 * leaves out a size or has too many files: then the archive may unfold to anything.
 */
export function unzippedSize(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  const first = Math.max(0, bytes.length - longestEnd)
  while (end >= first && view.getUint32(end, true) !== endOfDirectory) end--
  if (end < first) return undefined
  const entries = view.getUint16(end + 10, true)
  if (entries > mostEntries) return undefined
  let at = view.getUint32(end + 16, true)
  let total = 0
  for (let entry = 0; entry < entries; entry++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryOfDirectory) return undefined
    const packed = view.getUint32(at + 20, true)
    const unpacked = view.getUint32(at + 24, true)
    if (packed === isElsewhere || unpacked === isElsewhere) return undefined
    const hasNoSize = unpacked === 0 && packed > emptyEntry
    const isLater = packed === 0 && (view.getUint16(at + 8, true) & usesDescriptor) !== 0
    if (hasNoSize || isLater) return undefined
    total += unpacked
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return total
}
