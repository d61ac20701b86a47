import { randomBytes } from 'node:crypto'
import { hashOfSecret } from '../secrets/hash.ts'

/** Crockford's letters: none is taken for another. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const randomLetters = (count: number) => [...randomBytes(count)].map((byte) => letters[byte % 32]).join('')

/** The public number of a licence. */
export const newLicenceName = (): string => `LIC-${randomLetters(8)}`

/** A licence key: 125 random bits in five groups of five letters. */
export const newLicenceKey = (): string => Array.from({ length: 5 }, () => randomLetters(5)).join('-')

/** The hash of a typed key: case, hyphens and blanks do not matter, and O, I and L are the digits that they look like. */
export const hashOfKey = (key: string): string =>
  hashOfSecret(
    `licence ${key
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, '')
      .replace(/O/g, '0')
      .replace(/[IL]/g, '1')}`,
  )

export const hintOfKey = (key: string): string => key.slice(-5)

/** The secret of a mailed link: 256 random bits. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url')
export const hashOfLink = (token: string): string => hashOfSecret(`licence link ${token}`)
