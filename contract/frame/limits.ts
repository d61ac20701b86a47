/**
 * Rate limits: a number of calls per interval, or of simultaneous calls. A row names its limit. Limits of public calls are per network; `isShared`
 * counts them for all servers together, which calls that guess at a secret need.
 */
export const limits = {
  /** Typed PINs per merchant and per user: each answer shows whether another merchant has the PIN. */
  typedPin: { most: 5, seconds: 3_600 },
  /** Invitation mails to one user, from all senders together. */
  invitation: { most: 5, seconds: 3_600 },
  /** Tries of a merchant's storage: each one is a connection of ours to an address that the user chose. */
  storageTry: { most: 20, seconds: 3_600 },
  /** A browser has one stream for all its tabs; a user has several browsers. */
  liveStream: { most: 30, seconds: null },
  /** Orders that a merchant starts or queries: each is a call to its provider. */
  webPaymentStart: { most: 120, seconds: 60 },
  /** Reports that a user mails to themselves. */
  reportMail: { most: 20, seconds: 3_600 },
  /** Tests of a merchant’s payment credentials. */
  webPaymentTrial: { most: 10, seconds: 60 },
  /** Links to sign in that customers request, from one network; an address gets a few of them. */
  customerLink: { most: 60, seconds: 900, isShared: true },
  /** Links used and passwords typed by customers, from one network. */
  customerSignIn: { most: 300, seconds: 900, isShared: true },
  /** Pages of machines, from one network: a works may have one address for all of its people. */
  machinePage: { most: 300, seconds: 60, isShared: true },
  /** Mails to the end client of one licence: the user has typed the address. */
  licenceMail: { most: 10, seconds: 3_600 },
  /** Opened links of licences, per network: right or wrong. */
  licenceLink: { most: 60, seconds: 900, isShared: true },
  /** Calls of connectors, per network: many connectors may share one. */
  licenceCall: { most: 300, seconds: 60, isShared: true },
  /** Public calls of a customers' portal, from one network: an office may have one address for all of its people. */
  publicPortal: { most: 600, seconds: 60 },
} as const satisfies Record<string, { most: number; seconds: number | null; isShared?: true }>

export type Limit = keyof typeof limits
