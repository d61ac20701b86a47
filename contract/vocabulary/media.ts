/** Keys, cards and app accounts by status, by number. What kinds there are stands with transactions (`mediaTypes`). */
export const mediaStatuses = { 0: 'ok', 1: 'blocked', 2: 'lostKey' } as const satisfies Record<number, string>
