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

const [quote, lineBreak] = [0x22, 0x0a]

/** How a file's fields are told apart, and the columns whose fields stand between quotes whatever they hold. */
export interface CsvShape {
  separator: ',' | ';'
  forced?: readonly string[]
}

/** Some whole and broken lines as bytes, with how many lines end in them. */
export interface Lines {
  bytes: Buffer
  count: number
}

/** How many lines end in a piece of CSV, and whether it ends within quotes. */
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
 * The rows of a query as lines of CSV, each ended by LF, as PostgreSQL writes them: null is an empty field. It sends them without being
 * asked for each batch, and waits while they are not taken. Whoever stops in between breaks the connection off, and with it the
 * transaction: the pool makes another.
 */
export async function* csvOf(
  client: pg.PoolClient,
  query: CompiledQuery,
  { separator, forced = [] }: CsvShape,
): AsyncGenerator<Lines> {
  const quoted = forced.length > 0 ? `, force_quote (${forced.map(pg.escapeIdentifier).join()})` : ''
  const format = `format csv, delimiter ${pg.escapeLiteral(separator)}${quoted}`
  const stream = client.query(copyTo(`copy (${inlined(query)}) to stdout (${format})`, { highWaterMark: 256 * 1024 }))
  let isWithin = false
  let isOver = false
  try {
    for await (const bytes of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const counted = countIn(bytes, isWithin)
      isWithin = counted.isWithin
      yield { bytes, count: counted.count }
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
