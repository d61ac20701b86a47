/** Rules of a password; each rule's name is the key of its sentence. The length counts characters, not code units. */
export const passwordRules = {
  length: (text: string) => [...text].length >= 8,
  uppercase: (text: string) => /\p{Lu}/u.test(text),
  number: (text: string) => /\p{Nd}/u.test(text),
  special: (text: string) => /[^\p{L}\p{N}\s]/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>

export type PasswordRule = keyof typeof passwordRules

/** Longer passwords are refused, because hashing them takes too long. */
export const longestPassword = 256

/** The strength of a password, from 0 (empty) to 4: the length counts most, and a password that breaks a rule is weak. */
export function passwordStrength(text: string): 0 | 1 | 2 | 3 | 4 {
  if (text === '') return 0
  if (brokenPasswordRules(text).length > 0) return 1
  const length = [...text].length
  const isVaried = new Set(text).size >= Math.min(length, 10) - 2
  if (!isVaried || length < 10) return 2
  return length < 14 ? 3 : 4
}

/** The rules a password breaks, in the order they are shown. */
export const brokenPasswordRules = (text: string): PasswordRule[] =>
  (Object.keys(passwordRules) as PasswordRule[]).filter((rule) => !passwordRules[rule](text))
