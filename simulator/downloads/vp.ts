import { createHash } from 'node:crypto'
import type { SentVpConfig } from '#contract/commands/command-parameters.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '#contract/configurations/vp-document.ts'
import type { VpConfigItem } from '#contract/device-protocol.ts'
import { CommandFailedError } from '../command-actions.ts'
import type { VpState } from '../memory.ts'
import type { Random } from '../random.ts'
import { ForeignAddressError, fetchFromPortal, type PortalAccess } from './portal-files.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
/** A report leaves out a document that would not fit into a message with others. */
const longestReported = 200 * 1024

/** The document of a command: in the command itself, or in a file that only this machine can fetch. Both are checked. */
export async function takeVpDocument(sent: SentVpConfig, access: PortalAccess, signal: AbortSignal): Promise<VpState> {
  const { name } = sent
  if ('document' in sent) {
    if (hashOf(canonicalJson(sent.document)) !== sent.sha256) throw new CommandFailedError('E-73 wrong checksum')
    return { name, schemaVersion: sent.schemaVersion, document: sent.document }
  }
  const { url, sha256, bytes } = sent.file
  const answer = await fetchFromPortal(url, access, { signal }).catch((error: unknown) => {
    if (error instanceof ForeignAddressError) throw new CommandFailedError('E-71 not the address of the portal')
    return undefined
  })
  if (!answer?.ok) throw new CommandFailedError(`E-70 ${answer ? `HTTP ${answer.status}` : 'not reachable'}`)
  const text = await answer.text()
  if (Buffer.byteLength(text) !== bytes) throw new CommandFailedError('E-72 wrong size')
  if (hashOf(text) !== sha256) throw new CommandFailedError('E-73 wrong checksum')
  const document: unknown = JSON.parse(text)
  if (!isJsonObject(document)) throw new CommandFailedError('E-76 no document')
  return { name, schemaVersion: sent.schemaVersion ?? '', document }
}

/** A machine's report of its document. */
export function vpReportOf({ name, schemaVersion, document }: VpState): Omit<VpConfigItem, 'seq' | 'at' | 'origin'> {
  const text = canonicalJson(document)
  return {
    name,
    schemaVersion,
    sha256: hashOf(text),
    ...(Buffer.byteLength(text) <= longestReported && { document }),
  }
}

/** A technician changes one whole number of a section at the machine, by one. Returns the changed configuration. */
export function editOneVpValue(vp: VpState, random: Random): VpState {
  const numbers = Object.entries(vp.document).flatMap(([section, values]) =>
    isJsonObject(values)
      ? Object.entries(values).flatMap(([name, value]) =>
          typeof value === 'number' && Number.isInteger(value) && value > 5 ? [{ section, name, value }] : [],
        )
      : [],
  )
  if (numbers.length === 0) return vp
  const { section, name, value } = random.pick(numbers)
  const before: Record<string, Json> = vp.document[section] as JsonObject
  vp.document = { ...vp.document, [section]: { ...before, [name]: value - 1 } }
  return vp
}
