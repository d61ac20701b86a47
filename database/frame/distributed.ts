let distributed = false

/** Says once at start whether the database is spread over several nodes. */
export function setDistributed(is: boolean): void {
  distributed = is
}

/**
 * Whether the database is spread over several nodes. Then a transaction of machines' data is of one merchant, and many rows are inserted
 * as multi-row VALUES: under row-level security an INSERT … SELECT would become a COPY, which PostgreSQL refuses.
 */
export const isDistributed = (): boolean => distributed
