/**
 * What the clock of this computer shows at an instant, as machines write it: `2026-11-21T08:00:00.000`. Formats of Intl would load the data of all
 * zones, 8 MB.
 */
export const clockOf = (at: number) =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 23)
