/** Licences of the connector application by status, by number; 5 is also called withdrawn. */
export const licenceStatuses = {
  0: 'pending',
  1: 'sent',
  2: 'confirmed',
  3: 'activated',
  4: 'deactivated',
  5: 'unassigned',
  6: 'expired',
} as const satisfies Record<number, string>

/** Looks of the mobile app, by number. */
export const mobileThemes = { 0: 'light', 1: 'dark' } as const satisfies Record<number, string>
