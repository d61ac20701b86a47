/** How often a call is taken: so many in so many seconds, or so many that are open at once. A row names its limit. */
export const limits = {
  /** Typed PINs of a merchant, and of a person: each answer says whether another merchant has the PIN. */
  typedPin: { most: 5, seconds: 3_600 },
  /** Invitation mails to one user, from all senders together. */
  invitation: { most: 5, seconds: 3_600 },
  /** A browser has one stream, however many tabs; a person has some browsers. */
  liveStream: { most: 30, seconds: null },
} as const satisfies Record<string, { most: number; seconds: number | null }>

export type Limit = keyof typeof limits
