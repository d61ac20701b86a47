import { z } from 'zod'

/**
 * The languages of the portal by their own names, in the order in which they are offered. A language is a line here and a folder in
 * `language/` (docs/recipes/language.md).
 */
export const languageNames = {
  it: 'Italiano',
  es: 'Español',
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
} as const

export type Language = keyof typeof languageNames
// The keys of a literal are its names, which Object.keys forgets.
export const languages = Object.keys(languageNames) as [Language, ...Language[]]
export const Language = z.enum(languages)

/** Something for each language. */
export const byLanguage = <T>(make: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, T>
