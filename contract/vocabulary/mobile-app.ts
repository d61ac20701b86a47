/** Looks of the mobile app, by number. */
export const mobileThemes = { 0: 'light', 1: 'dark' } as const satisfies Record<number, string>
