import { type Language, languages } from '#contract/vocabulary/world/languages.ts'

const isLanguage = (text: string | null | undefined): text is Language =>
  (languages as readonly string[]).includes(text ?? '')

/** The first of a browser's languages that the portal speaks: `pt-BR` is Portuguese. */
const supported = (browser: readonly string[]) => browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage)

/** The language: the one saved by the user, else the deployment's, else the browser's if available, else English. */
export function chooseLanguage(from: {
  saved?: string | null
  deployment?: string | null
  browser: readonly string[]
}): Language {
  if (isLanguage(from.saved)) return from.saved
  if (isLanguage(from.deployment)) return from.deployment
  return supported(from.browser) ?? 'en'
}
