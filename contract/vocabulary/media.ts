/** Keys, cards and app accounts by status number. Their kinds are in `mediaTypes`. */
export const mediaStatuses = { 0: 'ok', 1: 'blocked', 2: 'lostKey' } as const satisfies Record<number, string>

/** The machines' placeholder for a media without a serial. It identifies no media: it is not shown, linked or searched. */
export const noMediaSerial = 'FFFFFFFF'
