import { Buffer } from 'node:buffer'
import pg from 'pg'
import { placeOf, placeText } from '#domain/backup/wal.ts'

/** PostgreSQL's streaming replication: a copy of all files of a server, and its log as it is written. Source: PostgreSQL, "Streaming Replication Protocol". */

/** The server to be copied. */
export interface ServerFacts {
  /** The same for a server and its restored copies, and for no other. */
  systemId: string
  timeline: number
  /** Where the log ends on disk. */
  end: bigint
  segmentBytes: number
  version: string
}

interface Wire {
  stream: { pause(): void; resume(): void; destroy(): void }
  on(event: 'copyData', heard: (message: { chunk: Buffer }) => void): void
  sendCopyFromChunk(chunk: Buffer): void
}

export interface Replication {
  facts: ServerFacts
  query: pg.Client['query']
  wire: Wire
  /** Rejects when the connection is lost. */
  lost: Promise<never>
  close(): Promise<void>
}

/** Opens a connection for replication as the user of `adminUrl`, which needs the attribute REPLICATION or to be a superuser. */
export async function openReplication(adminUrl: string): Promise<Replication> {
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: 'gettone_backup',
    keepAlive: true,
    // The driver hands it on as it is.
    ...({ replication: 'true' } as object),
  })
  const { promise: lost, reject } = Promise.withResolvers<never>()
  lost.catch(() => {})
  client.on('error', reject)
  client.on('end', () => reject(new Error('The connection for replication ended')))
  await client.connect()
  try {
    const [system] = (await client.query<{ systemid: string; timeline: string; xlogpos: string }>('IDENTIFY_SYSTEM'))
      .rows
    const [segment] = (await client.query<{ wal_segment_size: string }>('SHOW wal_segment_size')).rows
    const [version] = (await client.query<{ server_version: string }>('SHOW server_version')).rows
    if (!system || !segment || !version) throw new Error('The server does not say who it is')
    return {
      facts: {
        systemId: system.systemid,
        timeline: Number(system.timeline),
        end: placeOf(system.xlogpos),
        segmentBytes: bytesOf(segment.wal_segment_size),
        version: version.server_version,
      },
      query: client.query.bind(client) as pg.Client['query'],
      wire: client.connection as pg.Connection & Wire,
      lost,
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Reads `16MB`. */
function bytesOf(size: string): number {
  const [, number, unit] = /^(\d+)(MB|GB)$/.exec(size) ?? []
  if (number === undefined) throw new Error(`${size} is no size of a file of the log`)
  return Number(number) * 1024 ** (unit === 'GB' ? 3 : 2)
}

/** Bytes that a reader has not taken yet; above, the server waits. */
const mostWaiting = 8 * 1024 * 1024

/** Messages of a connection, one after another; the server waits while the reader is behind. */
function messagesOf({ wire, lost }: Replication) {
  const waiting: Buffer[] = []
  let bytes = 0
  let isEnded = false
  let wake = () => {}
  wire.on('copyData', ({ chunk }) => {
    // The driver reuses its buffer.
    waiting.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > mostWaiting) wire.stream.pause()
    wake()
  })
  return {
    end: () => {
      isEnded = true
      wake()
    },
    /** The next message; undefined after the end, or when `within` milliseconds have passed. */
    async next(within?: number): Promise<Buffer | undefined> {
      while (waiting.length === 0 && !isEnded) {
        let timer: NodeJS.Timeout | undefined
        const late = Promise.withResolvers<'late'>()
        if (within !== undefined) timer = setTimeout(late.resolve, within, 'late')
        const heard = new Promise<'heard'>((resolve) => {
          wake = () => resolve('heard')
        })
        const outcome = await Promise.race([heard, late.promise, lost]).finally(() => clearTimeout(timer))
        if (outcome === 'late') return undefined
      }
      const message = waiting.shift()
      bytes -= message?.length ?? 0
      if (bytes <= mostWaiting / 2) wire.stream.resume()
      return message
    },
  }
}

export interface BaseBackup {
  /** Recovery reads the log from here. */
  start: bigint
  /** From here on the copy is sound. */
  end: bigint
  timeline: number
}

/**
 * All files of the server as a tar, with the log that makes it sound. `write` takes the tar; the server's own tables may be written meanwhile. A
 * server with tablespaces is refused.
 */
export async function copyServer(
  replication: Replication,
  label: string,
  write: (tar: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BaseBackup> {
  const messages = messagesOf(replication)
  const copying = replication
    .query(`BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`)
    .finally(messages.end)
  copying.catch(() => {})
  async function* tar() {
    for (let archives = 0; ; ) {
      const message = await messages.next()
      if (!message) break
      const kind = message[0]
      if (kind === 0x6e /* n: a new archive */ && ++archives > 1)
        throw new Error('The server has tablespaces; use the tools of PostgreSQL for its backup.')
      if (kind === 0x64 /* d: its data */) yield message.subarray(1)
    }
    // An error of the server ends the messages too.
    await copying
  }
  await write(tar())
  // The server answers with several results.
  const results = [await copying].flat()
  const places = results.flatMap(({ rows }) => rows).filter((row) => row.recptr !== undefined)
  const [start, end] = [places[0], places.at(-1)]
  if (!start?.recptr || !end?.recptr || places.length < 2)
    throw new Error('The server does not say where its backup begins')
  return { start: placeOf(start.recptr), end: placeOf(end.recptr), timeline: Number(start.tli) }
}

export const slotName = 'gettone_backup'

/** Creates the slot, for which the server keeps its log until it is stored. Returns where it has begun to. */
export async function ensureSlot({ query }: Replication): Promise<bigint> {
  const read = async () => {
    const { rows } = await query<{ slot_type: string | null; restart_lsn: string | null }>(
      `READ_REPLICATION_SLOT ${slotName}`,
    )
    return rows[0]?.restart_lsn ? placeOf(rows[0].restart_lsn) : undefined
  }
  const known = await read()
  if (known !== undefined) return known
  await query(`CREATE_REPLICATION_SLOT ${slotName} PHYSICAL RESERVE_WAL`).catch((error: { code?: string }) => {
    // It exists, and the server has given up what it kept.
    if (error.code !== '42710') throw error
  })
  const created = await read()
  if (created !== undefined) return created
  await query(`DROP_REPLICATION_SLOT ${slotName} WAIT`)
  await query(`CREATE_REPLICATION_SLOT ${slotName} PHYSICAL RESERVE_WAL`)
  const again = await read()
  if (again === undefined) throw new Error('The server keeps no log for the backup')
  return again
}

/** Drops the slot if no one reads from it; a server without it is no error. */
export async function dropIdleSlot(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'gettone_backup' })
  await client.connect()
  try {
    await client.query(
      'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active',
      [slotName],
    )
  } finally {
    await client.end()
  }
}

export interface Received {
  start: bigint
  bytes: Buffer
}

export interface LogStream {
  /** The next bytes of the log; undefined when none came within so many milliseconds. */
  next(within: number): Promise<Received | undefined>
  /** Tells the server that the log before this place is stored. */
  stored(place: bigint): void
}

/** Microseconds since 2000, as the protocol counts. */
const protocolTime = () => (BigInt(Date.now()) - 946_684_800_000n) * 1000n

/** Follows the log from a place. */
export function followLog(replication: Replication, from: bigint, timeline: number): LogStream {
  const messages = messagesOf(replication)
  const { wire } = replication
  const following = replication.query(
    `START_REPLICATION SLOT ${slotName} PHYSICAL ${placeText(from)} TIMELINE ${timeline}`,
  )
  following.then(messages.end, messages.end)
  let storedPlace = from
  const report = () => {
    const status = Buffer.alloc(34)
    status.write('r', 0)
    for (const offset of [1, 9, 17]) status.writeBigUInt64BE(storedPlace, offset)
    status.writeBigInt64BE(protocolTime(), 25)
    wire.sendCopyFromChunk(status)
  }
  return {
    async next(within) {
      for (;;) {
        const message = await messages.next(within)
        if (!message) {
          report()
          // The server may have ended the stream with an error.
          await Promise.race([following, Promise.resolve()])
          return undefined
        }
        if (message[0] === 0x77 /* w: bytes of the log */)
          return { start: message.readBigUInt64BE(1), bytes: message.subarray(25) }
        if (message[0] === 0x6b /* k: are you there? */ && message[17] === 1) report()
      }
    },
    stored(place) {
      storedPlace = place
      report()
    },
  }
}
