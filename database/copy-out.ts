import type { Socket } from 'node:net'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** A parameter as the driver sends it: text, or null. The driver's types leave it out. */
const { prepareValue } = (pg as typeof pg & { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils

/** What a connection goes over; the driver's types leave it out too. */
const socketOf = (client: pg.PoolClient) =>
  (client as pg.PoolClient & { connection: { stream: Socket } }).connection.stream

/** Texts, names in quotes, and the places of parameters. */
const pieces = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g

/** A query with its parameters written out, each as the literal that the driver would have sent: COPY takes no parameters. */
export function inlined({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string {
  return text.replace(pieces, (piece, place: string | undefined) => {
    if (place === undefined) return piece
    const value = prepareValue(parameters[Number(place) - 1])
    return value === null ? 'null' : pg.escapeLiteral(String(value))
  })
}

/** Marks of COPY's own, which a text holds by accident alone: a line with a break or such a mark in it stands between two quotes. */
const [quote, delimiter, lineBreak] = [0x01, 0x02, 0x0a]
const sign = (code: number) => `e'\\x0${code}'`

/** Some whole and broken lines as bytes, with how many lines end in them. */
export interface Lines {
  bytes: Buffer
  count: number
}

function countIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1
  return count
}

/**
 * The lines of a query of one text column, each ended by LF. PostgreSQL sends them without being asked for each batch, and waits
 * while they are not taken. Whoever stops in between breaks the connection off, and with it the transaction: the pool makes another.
 */
export async function* linesOf(client: pg.PoolClient, query: CompiledQuery): AsyncGenerator<Lines> {
  const format = `format csv, quote ${sign(quote)}, delimiter ${sign(delimiter)}`
  const stream = client.query(copyTo(`copy (${inlined(query)}) to stdout (${format})`, { highWaterMark: 256 * 1024 }))
  let isWithin = false
  let isOver = false
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (!isWithin && !chunk.includes(quote)) {
        yield { bytes: chunk, count: countIn(chunk) }
        continue
      }
      const bytes = Buffer.allocUnsafe(chunk.length)
      let [used, count] = [0, 0]
      for (const byte of chunk) {
        if (byte === quote) {
          isWithin = !isWithin
          continue
        }
        if (byte === lineBreak && !isWithin) count += 1
        bytes[used++] = byte
      }
      yield { bytes: bytes.subarray(0, used), count }
    }
    isOver = true
  } finally {
    if (!isOver) {
      // Nobody listens any more to what becomes of it.
      stream.on('error', () => {})
      socketOf(client).destroy()
    }
  }
}
