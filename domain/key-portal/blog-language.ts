import type { Language } from '#contract/vocabulary/world/languages.ts'

/** A text of the blog in its two languages; empty: not written. */
export interface BlogText {
  it: string
  en: string
}

/** The blog's language for a reader: Italian for Italian readers, otherwise English. */
export const blogLanguageOf = (language: Language): keyof BlogText => (language === 'it' ? 'it' : 'en')

/** A text for a reader, in the other language where theirs is not written. */
export function blogTextFor(text: BlogText, language: Language): string {
  const blogLanguage = blogLanguageOf(language)
  return text[blogLanguage] || text[blogLanguage === 'it' ? 'en' : 'it']
}
