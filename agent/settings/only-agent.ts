import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Another agent runs in this folder. */
export class FolderTakenError extends Error {}

/** Takes the folder for this process, so that two agents do not number the same items. Returns what gives it back. */
export function takeFolder(folder: string): () => void {
  const path = join(folder, 'agent.pid')
  const holder = holderOf(path)
  if (holder !== undefined && holder !== process.pid && isAlive(holder))
    throw new FolderTakenError(`The agent with process ${holder} uses ${folder}.`)
  writeFileSync(path, String(process.pid))
  return () => rmSync(path, { force: true })
}

function holderOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  // Process 0 is a group, and below it all processes.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('agent')
  } catch {
    return false
  }
}
