import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineMemory } from './memory.ts'
import type { MachineItem } from './works/item-writer.ts'

/** The stored state of a machine: its memory, and its items that may not be stored by the gateway yet. */
export type Kept = { memory: MachineMemory; pending: MachineItem[] }

/**
 * Stores the machines in a folder, so that they continue even after being killed: all machines in `machines.json` from time
 * to time, and each change in a line of `since.ndjson`, written before anything is sent.
 */
export interface Store {
  machines: ReadonlyMap<string, Kept>
  /** Writes the latest items of a machine, and its memory after them. */
  note(serial: string, memory: MachineMemory, newItems: readonly MachineItem[]): void
  /** Rewrites all machines and starts an empty file of lines. */
  compact(all: Iterable<[serial: string, kept: Kept]>): void
}

type Line = { serial: string; memory: MachineMemory; newItems: MachineItem[] }

/** Bytes of an audit are stored as base64. */
const packed = (_key: string, value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
const unpacked = (_key: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'base64' in value
    ? new Uint8Array(Buffer.from(String(value.base64), 'base64'))
    : value

const files = (folder: string) => ({ all: join(folder, 'machines.json'), since: join(folder, 'since.ndjson') })

/** Writes the machines to continue with, replacing the content of the folder. */
export function writeStore(folder: string, machines: Iterable<[serial: string, kept: Kept]>): void {
  mkdirSync(folder, { recursive: true })
  const { all, since } = files(folder)
  writeFileSync(`${all}.new`, JSON.stringify(Object.fromEntries(machines), packed), { mode: 0o600 })
  renameSync(`${all}.new`, all)
  writeFileSync(since, '', { mode: 0o600 })
}

export function openStore(folder: string): Store {
  mkdirSync(folder, { recursive: true })
  const { all, since } = files(folder)
  const machines = new Map<string, Kept>(
    existsSync(all) ? Object.entries(JSON.parse(readFileSync(all, 'utf8'), unpacked) as Record<string, Kept>) : [],
  )
  for (const text of existsSync(since) ? readFileSync(since, 'utf8').split('\n') : []) {
    const line = parsed(text)
    if (!line) continue
    const stored = machines.get(line.serial)
    // After an interrupted compaction the file still has lines from before it.
    if (stored && line.memory.seq < stored.memory.seq) continue
    const before = stored?.memory.seq ?? 0
    const newItems = line.newItems.filter(({ seq }) => seq > before)
    machines.set(line.serial, { memory: line.memory, pending: [...(stored?.pending ?? []), ...newItems] })
  }
  return {
    machines,
    note(serial, memory, newItems) {
      const line: Line = { serial, memory, newItems: [...newItems] }
      appendFileSync(since, `${JSON.stringify(line, packed)}\n`, { mode: 0o600 })
    },
    compact: (stored) => writeStore(folder, stored),
  }
}

/** Parses a line; the last one may be truncated. */
function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text, unpacked) as Line
  } catch {
    return undefined
  }
}
