import { z } from 'zod'
import { always, type RuleName, saying } from '../frame/broken.ts'
import { Text } from '../frame/shapes.ts'
import { brokenPasswordRules, longestPassword, type PasswordRule } from './password.ts'

/** A text that must be there, without blanks around it. */
export const requiredText = (maxLength: number) => Text.trim().min(1).max(maxLength)

/** A text with a minimum and maximum length. */
export const textBetween = (minLength: number, maxLength: number) => Text.trim().min(minLength).max(maxLength)

/** An address for mail; RFC 5321 ends a path at 254 characters. */
export const Email = z.email().max(254)

const webAddress = (text: string) => {
  if (!/^https?:\/\//i.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return username === '' && password === '' && (hostname === 'localhost' || /[.:]/.test(hostname))
}
/**
 * A web address: http or https only, with a public host name and without credentials. An empty address is missing, not
 * invalid.
 */
export const WebAddress = Text.trim().min(1).max(2048).refine(webAddress, saying('url'))

/** An address of a web socket: ws or wss only, with a public host name and without credentials. */
export const WebSocketAddress = Text.trim()
  .min(1)
  .max(2048)
  .refine((text) => /^wss?:\/\//i.test(text) && webAddress(text.replace(/^ws/i, 'http')), saying('webSocket'))

/** A firmware's build as SemVer writes build metadata: letters, digits and hyphens in parts parted by dots; 32 at most. */
export const FirmwareBuild = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[\dA-Za-z-]+(\.[\dA-Za-z-]+)*$/, saying('firmwareBuild'))

/** The PIN by which machines join a merchant: 8 digits, leading zeros and all. */
export const Pin = z
  .string()
  .min(1)
  .regex(/^\d{8}$/, saying('pin'))

/** The code with which one machine joins once: 12 digits. */
export const OneTimeCode = z.string().regex(/^\d{12}$/)

/** The sentence of each rule of a password. */
export const passwordSentences = {
  length: 'passwordLength',
  uppercase: 'passwordUppercase',
  number: 'passwordNumber',
  special: 'passwordSpecial',
} as const satisfies Record<PasswordRule, RuleName>

/** A new password; the first broken rule is shown. */
export const Password = Text.min(1)
  .max(longestPassword)
  .superRefine((text, context) => {
    const [rule] = brokenPasswordRules(text)
    if (rule && text !== '') context.addIssue({ code: 'custom', ...saying(passwordSentences[rule]) })
  })

/** A new password typed twice. */
export const PasswordTwice = z
  .strictObject({ password: Password, repeated: z.string().min(1) })
  .refine(({ password, repeated }) => repeated === '' || password === repeated, {
    ...saying('passwordMatch'),
    path: ['repeated'],
    ...always,
  })

/** The message to a machine: the maximum of the whole encoded message, in bytes. */
export const longestCloudMessage = 65_536
const bytesOf = (message: unknown) =>
  new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message)).length
export const CloudMessage = z
  .unknown()
  .refine((message) => bytesOf(message) <= longestCloudMessage, saying('cloudMessage'))
