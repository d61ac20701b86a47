import i18next, { type TFunction } from 'i18next'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { readLanguage } from './language-files.ts'

const speaker = i18next.createInstance()
await speaker.init({
  resources: Object.fromEntries(languages.map((language) => [language, readLanguage(language)])),
  fallbackLng: 'en',
  defaultNS: 'identity',
  // The code that writes HTML escapes.
  interpolation: { escapeValue: false },
})

export type Words = TFunction

/** The sentences of one feature in one language, as in `language/<language>/<area>/<feature>.json`. */
export const wordsIn = (language: Language, feature: string): Words => speaker.getFixedT(language, feature)

const isLanguage = (text: string | undefined): text is Language => (languages as readonly string[]).includes(text ?? '')

/** The first supported language of an Accept-Language header, or of a space-separated ui_locales, by weight. */
export function spokenOf(header: string | undefined): Language | undefined {
  return (header ?? '')
    .split(',')
    .flatMap((part) => {
      const [tags = '', ...settings] = part.split(';').map((one) => one.trim())
      const weight = Number(settings.find((setting) => setting.startsWith('q='))?.slice(2) ?? 1)
      return tags.split(/\s+/).map((tag) => ({ language: tag.slice(0, 2).toLowerCase(), weight }))
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
    .find(isLanguage)
}

/** The language of a page: the reader's choice, else the deployment's, else the browser's, else English. */
export function pageLanguage(from: {
  chosen: string | undefined
  deployment: Language | undefined
  accept: string | undefined
}): Language {
  if (isLanguage(from.chosen)) return from.chosen
  return from.deployment ?? spokenOf(from.accept) ?? 'en'
}
