import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type CopyValue, copyLine } from '#database/platform/copy-line.ts'
import { type PostalRow, readPostalLine } from '#domain/frame/postal-line.ts'

export interface ImportedPostalCodes {
  /** Places per country after the import. */
  countries: { country: string; places: number }[]
  /** Lines that are not in GeoNames' format, without empty lines. */
  refused: number
}

const columns = [
  'country',
  'compact',
  'place',
  'province',
  'code',
  'latitude',
  'longitude',
] as const satisfies (keyof PostalRow)[]
const linesPerChunk = 2_000

/**
 * Replaces the places of whole countries from lines in GeoNames' format. Each country is replaced as a whole, so a second
 * run changes nothing. The lines stream; memory does not grow with the file. `adminUrl` is the owner's.
 */
export async function importPostalCodes(adminUrl: string, lines: AsyncIterable<string>): Promise<ImportedPostalCodes> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'import-postal-codes' })
  await client.connect()
  try {
    await client.query('begin; create temporary table incoming (like postal_codes) on commit drop')
    let refused = 0
    async function* copied() {
      let chunk = ''
      let count = 0
      for await (const line of lines) {
        const row = readPostalLine(line)
        if (row) chunk += copyLine(columns.map((column): CopyValue => row[column]))
        else if (line.trim() !== '') refused += 1
        if (++count % linesPerChunk === 0 && chunk !== '') {
          yield chunk
          chunk = ''
        }
      }
      yield chunk
    }
    await pipeline(copied, client.query(copyFrom(`copy incoming (${columns.join(', ')}) from stdin`)))
    await client.query('delete from postal_codes where country in (select country from incoming)')
    await client.query(
      `insert into postal_codes (${columns.join(', ')})
       select distinct on (country, compact, place, province) ${columns.join(', ')} from incoming
       order by country, compact, place, province, latitude`,
    )
    const { rows } = await client.query<{ country: string; places: number }>(
      `select country, count(*)::int as places from postal_codes
       where country in (select country from incoming) group by country order by country`,
    )
    await client.query('commit')
    await client.query('analyze postal_codes')
    return { countries: rows, refused }
  } finally {
    await client.end()
  }
}
