let distributed = false

/** Set once at start: whether the database is distributed over several nodes. */
export function setDistributed(is: boolean): void {
  distributed = is
}

/**
 * Whether the database is distributed over several nodes. Then a transaction with data from machines covers one merchant, and many rows
 * are inserted as multi-row VALUES: Citus would run INSERT … SELECT as COPY, which PostgreSQL refuses under row-level security.
 */
export const isDistributed = (): boolean => distributed
