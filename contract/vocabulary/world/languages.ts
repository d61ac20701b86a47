import { z } from 'zod'

export const languages = ['it', 'es', 'en', 'fr', 'de', 'pt'] as const
export const Language = z.enum(languages)
export type Language = z.infer<typeof Language>

const locales: Partial<Record<string, string>> = { en: 'en-GB', pt: 'pt-PT' }
/** The locale of a language's dates and numbers: English and Portuguese as in Europe. */
export const localeOf = (language: string): string => locales[language] ?? language
