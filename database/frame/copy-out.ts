import type { Socket } from 'node:net'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { beginStatement } from './watching/statements.ts'

/** A parameter as the driver sends it: text or null. The driver's types lack it. */
const { prepareValue } = (pg as typeof pg & { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils

/** The socket of a connection; the driver's types lack it too. */
const socketOf = (client: pg.PoolClient) =>
  (client as pg.PoolClient & { connection: { stream: Socket } }).connection.stream

/** Literals, quoted names and parameters. */
const pieces = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g

/** A query with its parameters as literals, in the form that the driver would send: COPY takes no parameters. */
export function inlined({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string {
  return text.replace(pieces, (piece, place: string | undefined) => {
    if (place === undefined) return piece
    const value = prepareValue(parameters[Number(place) - 1])
    return value === null ? 'null' : pg.escapeLiteral(String(value))
  })
}

const quote = 0x22
const lineBreak = 0x0a

/** How a file writes local times: 31/12/2026, or 31.12.2026. */
export type DateStyle = 'SQL, DMY' | 'German, DMY'

/** The separator and date style of a file, and the columns that are always quoted. */
export interface CsvShape {
  separator: ',' | ';'
  dateStyle?: DateStyle
  forced?: readonly string[]
}

/** A chunk of CSV bytes, with the number of lines that end in it. */
export interface Lines {
  bytes: Buffer
  count: number
}

/** Counts the lines that end in a chunk of CSV; `isWithin`: whether the chunk ends inside quotes. */
function countIn(bytes: Buffer, isWithin: boolean): { count: number; isWithin: boolean } {
  let count = 0
  if (!isWithin && !bytes.includes(quote)) {
    for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1
    return { count, isWithin }
  }
  for (const byte of bytes) {
    if (byte === quote) isWithin = !isWithin
    else if (byte === lineBreak && !isWithin) count += 1
  }
  return { count, isWithin }
}

/**
 * The rows of a query as lines of CSV, each ended by LF; null is an empty field. PostgreSQL streams them with backpressure instead of
 * batch by batch. A reader who stops early destroys the connection and its transaction; the pool opens a new one. The date style is set for
 * these lines only: the program reads the results of all other statements.
 */
export async function* csvOf(
  client: pg.PoolClient,
  query: CompiledQuery,
  { separator, dateStyle, forced = [] }: CsvShape,
): AsyncGenerator<Lines> {
  const quoted = forced.length > 0 ? `, force_quote (${forced.map(pg.escapeIdentifier).join()})` : ''
  const format = `format csv, delimiter ${pg.escapeLiteral(separator)}${quoted}`
  if (dateStyle) await client.query(`set local datestyle = '${dateStyle}'`)
  const ended = beginStatement(`copy (${query.sql}) to stdout`)
  const stream = client.query(copyTo(`copy (${inlined(query)}) to stdout (${format})`, { highWaterMark: 256 * 1024 }))
  let isWithin = false
  let isOver = false
  try {
    for await (const bytes of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      ended()
      const counted = countIn(bytes, isWithin)
      isWithin = counted.isWithin
      yield { bytes, count: counted.count }
    }
    isOver = true
    if (dateStyle) await client.query(`set local datestyle = 'ISO, MDY'`)
  } catch (error) {
    ended(error)
    throw error
  } finally {
    ended()
    if (!isOver) {
      // The reader has stopped: ignore errors.
      stream.on('error', () => {})
      socketOf(client).destroy()
    }
  }
}
