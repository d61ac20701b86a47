import type { NewItem } from '../journal/items.ts'

/** A place where sales on the MDB bus are heard. */
export interface MdbSource {
  close(): Promise<void>
}

export interface MdbParts {
  /** The agent's own serial. */
  serial: string
  /** Writes items to the journal. Throws DiskFullError. */
  report(...items: NewItem[]): void
  /** Whether an item with this name is, or was, in the journal. */
  isKnown(source: string): boolean
  failed(error: unknown): void
}
