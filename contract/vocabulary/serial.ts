/** A serial names a machine in topics and addresses, so it may hold no wildcard, slash or blank. */
export const serialPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,39}$/
