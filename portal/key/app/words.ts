import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { chooseLanguage } from '#portal/app/i18n/language.ts'
import { slug } from './place.ts'
import { read, write } from './stored.ts'

/** The app's own words, and words that only some screens need. */
const files = import.meta.glob<Record<string, unknown>>(
  [
    '../../../language/*/key-portal/key-app.json',
    '../../../language/*/frame/errors.json',
    '../../../language/*/frame/form.json',
    '../../../language/*/frame/vocabulary.json',
  ],
  { import: 'default' },
)

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, feature, done) => {
    const [, load] =
      Object.entries(files).find(([path]) => path.includes(`/${language}/`) && path.endsWith(`/${feature}.json`)) ?? []
    if (!load) return done(new Error(`No words for ${feature} in ${language}`), null)
    load().then(
      (words) => done(null, words),
      (error: Error) => done(error, null),
    )
  },
}

const key = `key.language.${slug}`

export const languageFirst = (): Language => chooseLanguage({ saved: read(key), browser: navigator.languages })

/** Starts the app in the customer's language. */
export async function startWords() {
  const language = languageFirst()
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: ['key-app'],
      defaultNS: 'key-app',
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  document.documentElement.lang = language
}

/** Changes the language of this device. */
export async function speak(language: Language) {
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  write(key, language)
}

/** The languages by their own names. */
export const languageNames: readonly (readonly [Language, string])[] = languages.map((language) => [
  language,
  nameOf(language),
])

function nameOf(language: Language) {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
