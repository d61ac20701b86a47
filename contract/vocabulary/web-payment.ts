/** Payment providers on the web, by number; proper names, the same in every language. */
export const webPaymentTypes = {
  0: 'Nexi',
  1: 'PayPal',
  2: 'Satispay',
  3: 'Assiopay',
  4: 'Vendon Gateway',
} as const satisfies Record<number, string>
