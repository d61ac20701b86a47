import { createHash } from 'node:crypto'
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
  { serial, secret }: { serial: string; secret: string },
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Basic ${Buffer.from(`${serial}:${secret}`).toString('base64')}` }
  const get = async (url: URL, sha256: string | undefined): Promise<Buffer> => {
    const answer = await fetch(url, { headers, signal }).catch(() => {
      throw new UpdateFailedError('E-80 not reachable')
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
