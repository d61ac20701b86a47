/**
 * Claim of the embedded provider's access tokens: the user's `sessionsValidFrom` when the token was issued, in
 * milliseconds since 1970; 0 when sessions were never ended. Exact, independent of the processes' clocks.
 */
export const validFromClaim = 'sessionsValidFrom'

/** Claim of the same tokens: the provider session that issued them, by our own id. */
export const sessionIdClaim = 'gettoneSession'
