import { sql } from 'kysely'
import type { SystemDb } from '../frame/tenant.ts'

/**
 * Places of a country whose code begins with `area`, those with the asked code itself first. Both are compact: capitals and
 * digits alone, so nothing in them is a pattern.
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
