import { noMediaSerial } from '#contract/vocabulary/media.ts'

/** Any serial in upper case and without spaces, whether it names a medium or not. */
export const compactSerial = (text: string): string => text.replace(/\s+/g, '').toUpperCase()

const pattern = /^[0-9A-Z][0-9A-Z._:/-]{0,39}$/

/** A serial as it is stored: upper case, without spaces. Null: it names no medium. */
export function mediaSerialOf(text: string | null | undefined): string | null {
  const serial = compactSerial(text ?? '')
  return pattern.test(serial) && serial !== noMediaSerial ? serial : null
}
