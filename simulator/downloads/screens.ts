import { createHash } from 'node:crypto'
import { ForeignAddressError, fetchFromPortal, type PortalAccess } from './portal-files.ts'
import { UpdateFailedError } from './updates.ts'

interface ScreenDocument {
  files: { id: string; bytes: number; sha256: string }[]
}

/**
 * Fetches the document of a screen configuration and all files in it with the machine's own secret, and checks sizes and checksums, as a
 * machine does before it shows them. Throws UpdateFailedError.
 */
export async function fetchScreen(
  settings: Readonly<Record<string, string>>,
  access: PortalAccess,
  signal: AbortSignal,
): Promise<void> {
  const get = async (url: URL, sha256: string | undefined): Promise<Buffer> => {
    const answer = await fetchFromPortal(url, access, { signal }).catch((error: unknown) => {
      throw new UpdateFailedError(
        error instanceof ForeignAddressError ? 'E-81 not the address of the portal' : 'E-80 not reachable',
      )
    })
    if (!answer.ok) throw new UpdateFailedError(`E-80 HTTP ${answer.status}`)
    const content = Buffer.from(await answer.arrayBuffer())
    if (createHash('sha256').update(content).digest('hex') !== sha256)
      throw new UpdateFailedError('E-83 wrong checksum')
    return content
  }
  const url = URL.parse(settings['screen.url'] ?? '')
  if (!url) throw new UpdateFailedError('E-80 no address')
  const document = JSON.parse(String(await get(url, settings['screen.document']))) as ScreenDocument
  for (const { id, sha256 } of document.files) await get(new URL(id, url), sha256)
}
