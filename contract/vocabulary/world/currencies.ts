import { z } from 'zod'

/**
 * The product's currencies. Amounts are stored as integers scaled by `storageDigits` (ISO 4217) and shown with `shownDigits`;
 * nothing is ever scaled by the shown digits. `numeric` is the ISO 4217 number that machines report in their audits.
 */
export const currencies = {
  COP: { numeric: 170, storageDigits: 2, shownDigits: 0, group: '.', decimal: ',', symbol: '$' },
  CZK: { numeric: 203, storageDigits: 2, shownDigits: 0, group: '.', decimal: ',', symbol: 'Kč' },
  EUR: { numeric: 978, storageDigits: 2, shownDigits: 2, group: '.', decimal: ',', symbol: '€' },
  GBP: { numeric: 826, storageDigits: 2, shownDigits: 2, group: ',', decimal: '.', symbol: '£' },
  QAR: { numeric: 634, storageDigits: 2, shownDigits: 2, group: ',', decimal: '.', symbol: 'QAR' },
  RON: { numeric: 946, storageDigits: 2, shownDigits: 2, group: '.', decimal: ',', symbol: 'lei' },
  RSD: { numeric: 941, storageDigits: 2, shownDigits: 2, group: '.', decimal: ',', symbol: 'RSD' },
  ZAR: { numeric: 710, storageDigits: 2, shownDigits: 2, group: ' ', decimal: ',', symbol: 'R' },
  MXN: { numeric: 484, storageDigits: 2, shownDigits: 2, group: ',', decimal: '.', symbol: '$' },
  UYU: { numeric: 858, storageDigits: 2, shownDigits: 0, group: '.', decimal: ',', symbol: '$U' },
  CLP: { numeric: 152, storageDigits: 0, shownDigits: 0, group: '.', decimal: ',', symbol: '$' },
  BRL: { numeric: 986, storageDigits: 2, shownDigits: 2, group: '.', decimal: ',', symbol: 'R$' },
  PEN: { numeric: 604, storageDigits: 2, shownDigits: 2, group: ',', decimal: '.', symbol: 'S/' },
  PYG: { numeric: 600, storageDigits: 0, shownDigits: 0, group: '.', decimal: ',', symbol: '₲' },
  USD: { numeric: 840, storageDigits: 2, shownDigits: 2, group: ',', decimal: '.', symbol: 'US$' },
} as const satisfies Record<
  string,
  { numeric: number; storageDigits: number; shownDigits: number; group: string; decimal: string; symbol: string }
>

export type Currency = keyof typeof currencies
export const Currency = z.enum(Object.keys(currencies) as [Currency, ...Currency[]])
