import type { Numbers } from './numbers.ts'
/** Keys, cards and app accounts by status. Their kinds are in `mediaTypes`. */
export const mediaStatuses = { ok: 0, blocked: 1, lostKey: 2 } as const satisfies Numbers

/** The machines' placeholder for a media without a serial. It identifies no media: it is not shown, linked or searched. */
export const noMediaSerial = 'FFFFFFFF'
