import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { saying } from '../frame/broken.ts'
import { Text } from '../frame/shapes.ts'

const read = (text: string, country?: string) =>
  // The whole text must be the number: a number inside a sentence is refused.
  parsePhoneNumberFromString(text, {
    extract: false,
    ...(country && isSupportedCountry(country) && { defaultCountry: country as CountryCode }),
  })

/** The stored form (E.164) of a typed number, international or national. Undefined for an invalid number. */
export function phoneOf(text: string, country: string): string | undefined {
  const phone = read(text, country)
  return phone?.isValid() && !phone.ext ? phone.number : undefined
}

/** A stored number in readable form. An invalid number is returned unchanged. */
export const writePhone = (stored: string): string => read(stored)?.formatInternational() ?? stored

/** A phone number of any country, as it is stored: E.164. */
export const Phone = Text.min(1)
  .max(20)
  .refine((text) => text === '' || phoneOf(text, '') === text, saying('phone'))
