import { createHash } from 'node:crypto'
import type { UserCall } from '#server/http/handler.ts'
import { blobOfVp } from '#server/http/upload.ts'

/** An id of a content: sending the same document again names the same file. */
function idOf(merchantId: string, sha256: string): string {
  const bytes = createHash('sha256').update(`${merchantId} ${sha256}`).digest().subarray(0, 16)
  // Version 8 of RFC 9562: of the maker's own content.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Keeps a document that exceeds a message as a file. Returns the file of a command by the machine's serial: each machine fetches it under
 * its own address, and only while a command of its own names it.
 */
export async function keepVpFile(
  { blobs, config }: Pick<UserCall, 'blobs' | 'config'>,
  merchantId: string,
  canonical: string,
  sha256: string,
) {
  const id = idOf(merchantId, sha256)
  const bytes = await blobs.put(blobOfVp(id), [canonical])
  const root = config.publicUrl.replace(/\/$/, '')
  return (serial: string) => ({
    id,
    bytes,
    sha256,
    url: `${root}/device/v1/${encodeURIComponent(serial)}/files/${id}`,
  })
}
