import { sql } from 'kysely'

/** The lock of every process that writes a merchant's sums beside the ingest. */
export const sumsLock = (merchantId: string) => sql`hashtextextended(${`gettone.sums:${merchantId}`}, 0)`
