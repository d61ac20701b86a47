/**
 * Claim of the embedded provider's access tokens: what the person's sessions were valid from when the token was made, in
 * milliseconds since 1970; 0 when nothing has ever ended them. Exact, whatever the clocks of the processes say.
 */
export const validFromClaim = 'sessionsValidFrom'

/** Claim of the same tokens: the session at the provider that they were made in, by our own id. */
export const sessionIdClaim = 'gettoneSession'
