import type { Ack } from '#contract/device-protocol.ts'
import type { AgentItem, NewItem } from './items.ts'
import { DiskFullError, type LogFiles, openRecordLog, type RecordLog } from './record-log.ts'

/**
 * What the agent has to report, on disk: items are numbered, kept until the portal has confirmed them, and for ten minutes longer, since a restored
 * portal may lack its last ones (docs/device-protocol.md). Also the commands, so that none runs twice.
 */
export interface AgentJournal {
  epoch(): number
  /** The number that was given last. */
  lastSeq(): number
  /** The oldest item that is held, confirmed or not. */
  oldestSeq(): number
  /** Numbers items and writes them to the disk. Throws DiskFullError. */
  add(...items: NewItem[]): void
  /** Items without a confirmation, in order. */
  pending(): AgentItem[]
  /** Takes an acknowledgement of this epoch. */
  acknowledge(ack: Pick<Ack, 'committed' | 'missing'>, now: number): void
  /** After an association: numbers begin at 1, and what was never confirmed gets new ones. */
  beginEpoch(epoch: number): void
  /** Whether an item of a source was added before, under the name that the source gave it. */
  has(source: string): boolean
  /** Whether the command was received before. */
  knows(commandId: string): boolean
  /** A go was received: from here on the command counts as executed. */
  begin(commandId: string): void
  /** Commands that began and have no result: the power failed meanwhile. */
  underway(): string[]
  /** Lines of the file that could not be read. */
  damaged: number
  close(): void
}

/** A confirmed item is dropped when it is confirmed again after so long. While the portal is away, none is. */
const keptMs = 600_000
/** Commands whose ids are remembered. */
const rememberedCommands = 100
/** Names of items of sources that are remembered, also after the items were dropped. */
const rememberedSources = 500
/** The file is written again without what was dropped. */
const compactBytes = 2 * 1024 * 1024

/** One line of the journal. */
type Entry =
  | { is: 'item'; item: AgentItem }
  | { is: 'ack'; committed: number; missing: [number, number][]; at: number }
  | { is: 'epoch'; epoch: number }
  | { is: 'begun'; commandId: string }
  | {
      is: 'state'
      epoch: number
      lastSeq: number
      confirmedAt: [seq: number, at: number][]
      commands: string[]
      underway: string[]
      sources?: string[]
    }

interface State {
  epoch: number
  lastSeq: number
  items: Map<number, { item: AgentItem; confirmedAt: number | null }>
  commands: string[]
  underway: Set<string>
  sources: string[]
}

export function openJournal(path: string, files?: LogFiles): AgentJournal {
  const log: RecordLog<Entry> = openRecordLog(path, files)
  let state = emptyState()
  for (const entry of log.records) state = follow(state, entry)
  let compactAt = Math.max(compactBytes, 2 * sizeOf(state))

  function write(...entries: Entry[]) {
    log.append(entries)
    for (const entry of entries) state = follow(state, entry)
    if (log.size() < compactAt) return
    log.rewrite(snapshot(state))
    compactAt = Math.max(compactBytes, 2 * log.size())
  }

  return {
    epoch: () => state.epoch,
    lastSeq: () => state.lastSeq,
    oldestSeq: () => state.items.keys().next().value ?? state.lastSeq + 1,
    add(...items) {
      write(...items.map((item, index): Entry => ({ is: 'item', item: { ...item, seq: state.lastSeq + 1 + index } })))
    },
    pending: () => [...state.items.values()].flatMap(({ item, confirmedAt }) => (confirmedAt === null ? [item] : [])),
    acknowledge({ committed, missing }, now) {
      const entry: Entry = { is: 'ack', committed, missing, at: now }
      if (!changes(state, entry)) return
      try {
        write(entry)
      } catch (error) {
        // After a start the items would be sent again, which the portal notices.
        if (!(error instanceof DiskFullError)) throw error
        state = follow(state, entry)
      }
    },
    has: (source) => state.sources.includes(source),
    beginEpoch: (epoch) => write({ is: 'epoch', epoch }),
    knows: (commandId) => state.commands.includes(commandId),
    begin: (commandId) => write({ is: 'begun', commandId }),
    underway: () => [...state.underway],
    damaged: log.damaged,
    close: log.close,
  }
}

const emptyState = (): State => ({
  epoch: 1,
  lastSeq: 0,
  items: new Map(),
  commands: [],
  underway: new Set(),
  sources: [],
})

/** The state after a line. */
function follow(state: State, entry: Entry): State {
  switch (entry.is) {
    case 'item': {
      const { item } = entry
      state.items.set(item.seq, { item, confirmedAt: null })
      if (item.kind === 'result') state.underway.delete(item.commandId)
      const source = 'source' in item ? item.source : undefined
      const sources = source === undefined ? state.sources : [...state.sources, source].slice(-rememberedSources)
      return { ...state, sources, lastSeq: Math.max(state.lastSeq, item.seq) }
    }
    case 'ack':
      return confirm(state, entry)
    case 'epoch': {
      const left = [...state.items.values()].filter(({ confirmedAt }) => confirmedAt === null)
      const items = left.map(
        ({ item }, index) => [index + 1, { item: { ...item, seq: index + 1 }, confirmedAt: null }] as const,
      )
      return { ...state, epoch: entry.epoch, lastSeq: items.length, items: new Map(items) }
    }
    case 'begun':
      state.underway.add(entry.commandId)
      return { ...state, commands: [...state.commands, entry.commandId].slice(-rememberedCommands) }
    case 'state': {
      const { epoch, lastSeq, commands, underway, confirmedAt, sources = [] } = entry
      for (const [seq, at] of confirmedAt) {
        const held = state.items.get(seq)
        if (held) held.confirmedAt = at
      }
      return { ...state, epoch, lastSeq, commands, sources, underway: new Set(underway) }
    }
    default:
      // A newer version wrote it, before it was left.
      return state
  }
}

function confirm(state: State, { committed, missing, at }: Extract<Entry, { is: 'ack' }>): State {
  for (const [seq, held] of state.items) {
    if (seq > committed) continue
    held.confirmedAt ??= at
    if (at - held.confirmedAt >= keptMs) state.items.delete(seq)
  }
  for (const [from, to] of missing)
    for (const [seq, held] of state.items) if (seq >= from && seq <= to) held.confirmedAt = null
  // Numbers that the portal has must not be given again.
  return { ...state, lastSeq: Math.max(state.lastSeq, committed) }
}

/** Whether an acknowledgement says something new, so that the disk is not written for each. */
function changes(state: State, { committed, missing, at }: Extract<Entry, { is: 'ack' }>): boolean {
  if (committed > state.lastSeq) return true
  return [...state.items].some(
    ([seq, { confirmedAt }]) =>
      (seq <= committed && (confirmedAt === null || at - confirmedAt >= keptMs)) ||
      (confirmedAt !== null && missing.some(([from, to]) => seq >= from && seq <= to)),
  )
}

/** The lines that lead to a state. */
function snapshot({ epoch, lastSeq, items, commands, underway, sources }: State): Entry[] {
  const held = [...items.values()]
  return [
    ...held.map(({ item }): Entry => ({ is: 'item', item })),
    {
      is: 'state',
      epoch,
      lastSeq,
      commands,
      underway: [...underway],
      ...(sources.length > 0 && { sources }),
      confirmedAt: held.flatMap(({ item, confirmedAt }) =>
        confirmedAt === null ? [] : [[item.seq, confirmedAt] as [number, number]],
      ),
    },
  ]
}

const sizeOf = (state: State) => JSON.stringify(snapshot(state)).length
