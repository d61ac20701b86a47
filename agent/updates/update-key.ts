import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { disk } from '../disk/disk.ts'
import type { Access } from '../portal/link.ts'
import { FetchError, fetchFromPortal } from './fetch-file.ts'

const timeoutMs = 30_000
const fileIn = (folder: string) => join(folder, 'update-key.pem')

/** The portal's key for updates, fetched after the association. */
export async function updateKey(folder: string, access: Access): Promise<string> {
  const path = fileIn(folder)
  return existsSync(path) ? readFileSync(path, 'utf8') : await fetchUpdateKey(folder, access)
}

/** Fetches the key and keeps it: from now on the portal signs this agent's updates with it. */
export async function fetchUpdateKey(folder: string, access: Access): Promise<string> {
  const url = new URL(`/device/v1/${encodeURIComponent(access.serial)}/update-key`, access.portal)
  const response = await fetchFromPortal(url, access, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new FetchError(`The portal answers ${response.status} instead of its key for updates`)
  const key = await response.text()
  disk.write(`${fileIn(folder)}.new`, key)
  disk.rename(`${fileIn(folder)}.new`, fileIn(folder))
  return key
}
