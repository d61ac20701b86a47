import { offsetAt } from '#domain/time/local-hour.ts'

/** The zone of this computer. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the clock of this computer shows at an instant, as machines write it: `2026-11-21T08:00:00.000`. */
export const clockOf = (at: number) => new Date(at + offsetAt(at, zone)).toISOString().slice(0, 23)
