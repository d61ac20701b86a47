const locales: Partial<Record<string, string>> = { en: 'en-GB', pt: 'pt-PT' }

/** The locale of a language's dates and numbers: English and Portuguese as in Europe. */
export const localeOf = (language: string): string => locales[language] ?? language
