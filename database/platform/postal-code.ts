import { sql } from 'kysely'
import type { SystemDb } from '../frame/tenant.ts'

/**
 * Places of a country whose code begins with `area`, exact matches of the requested code first. Both are compact, letters and digits
 * only, so they contain no pattern characters.
 */
export const findPostalPlaces = (
  db: SystemDb,
  { country, compact, area, most }: { country: string; compact: string; area: string; most: number },
) =>
  db
    .selectFrom('postal_codes')
    .where('country', '=', country)
    .where('compact', 'like', `${area}%`)
    .select(['country', 'code', 'place', 'province', 'latitude', 'longitude'])
    .orderBy(sql`compact = ${compact}`, 'desc')
    .orderBy('compact')
    .orderBy('place')
    .limit(most)
    .execute()
