/** Keys, cards and app accounts by status number. Their kinds are in `mediaTypes`. */
export const mediaStatuses = { 0: 'ok', 1: 'blocked', 2: 'lostKey' } as const satisfies Record<number, string>

/** What machines send as a media's serial when they read none. It names no media: it is neither shown, nor linked, nor searched. */
export const noMediaSerial = 'FFFFFFFF'
