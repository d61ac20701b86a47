import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'

/** The bytes are no release of the agent, or not one for this computer; the text says why. */
export class ReleaseError extends Error {}

/** Files have plain names: none leaves its folder. */
const name = z.string().regex(/^\w[\w.-]{0,80}$/)

const Header = z.object({
  product: z.literal('gettone-agent'),
  version: z.string().regex(/^\d+\.\d+\.\d+\.\d+$/),
  /** The oldest Node that runs it. */
  node: z.int(),
  files: z.array(z.object({ name, bytes: z.int().min(0) })).max(50),
})
type Header = z.infer<typeof Header>

/** A version of the agent: its program `main.mjs`, and the drivers of serial ports for some computers. */
export interface Release extends Omit<Header, 'product' | 'files'> {
  files: { name: string; content: Uint8Array }[]
}

/** The driver of serial ports for a computer, beside the program. */
export const driverName = (platform: string, arch: string) => `serialport-${platform}-${arch}.node`

/** The largest release that an agent takes, packed and unpacked. */
export const largestRelease = 32 * 1024 * 1024

/** A release as the portal has it as firmware: a line of JSON and the contents of the files, compressed. */
export function packRelease({ files, ...facts }: Release): Uint8Array {
  const header: Header = {
    product: 'gettone-agent',
    ...facts,
    files: files.map(({ name, content }) => ({ name, bytes: content.length })),
  }
  return gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...files.map(({ content }) => content)]), {
    level: 9,
  })
}

/** Reads a release for this computer. Throws ReleaseError. */
export function unpackRelease(packed: Uint8Array, { node, driver }: { node: number; driver: string }): Release {
  const { header, contents } = partsOf(packed)
  const { product: _, files, ...facts } = header
  if (facts.node > node) throw new ReleaseError(`The release needs Node ${facts.node}, and this is ${node}`)
  if (!files.some((file) => file.name === driver)) throw new ReleaseError(`The release has no ${driver}`)
  if (!files.some((file) => file.name === 'main.mjs')) throw new ReleaseError('The release has no program')
  let at = 0
  const unpacked = files.map(({ name, bytes }) => {
    const content = contents.subarray(at, at + bytes)
    at += bytes
    return { name, content }
  })
  if (at !== contents.length) throw new ReleaseError('The release has another size')
  // The drivers of other computers only take space.
  return { ...facts, files: unpacked.filter((file) => !file.name.endsWith('.node') || file.name === driver) }
}

function partsOf(packed: Uint8Array): { header: Header; contents: Uint8Array } {
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: largestRelease })
    const end = bytes.indexOf('\n')
    return { header: Header.parse(JSON.parse(bytes.toString('utf8', 0, end))), contents: bytes.subarray(end + 1) }
  } catch {
    throw new ReleaseError('The file is no release of gettone-agent')
  }
}
