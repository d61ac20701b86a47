import { sql } from 'kysely'

/** Whoever writes a merchant's sums beside the ingest holds this. */
export const sumsLock = (merchantId: string) => sql`hashtextextended(${`gettone.sums:${merchantId}`}, 0)`
