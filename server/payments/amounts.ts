import { currencies } from '#contract/vocabulary/world/currencies.ts'

/** Amounts of a currency as decimal text with its stored digits: 1250 cents are `12.50`. */
export function storedDigits(currency: string) {
  const digits = currencies[currency as keyof typeof currencies]?.storageDigits ?? 2
  return {
    write: (minor: number): string => {
      const text = String(minor).padStart(digits + 1, '0')
      return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
    },
    /** Null: no such amount. */
    read: (text: unknown): number | null => {
      const [, whole = '', part = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(typeof text === 'string' ? text : '') ?? []
      if (whole === '' || part.slice(digits).replace(/0/g, '') !== '') return null
      return Number(whole + part.slice(0, digits).padEnd(digits, '0'))
    },
  }
}
