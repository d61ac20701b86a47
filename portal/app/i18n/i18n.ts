import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { ApiError } from '../apiError.ts'
import { reachable } from '../reachable.ts'
import { remember } from '../theme/preferences.ts'

type Load = () => Promise<Record<string, unknown>>

/** The word files of a language. A map of all languages would be a sixth of the first screen. */
const maps = import.meta.glob<{ words: Record<string, Load> }>('./words/*.gen.ts')

async function readWords(language: string, feature: string) {
  const map = maps[`./words/${language}.gen.ts`]
  if (!map) throw new Error(`No words in ${language}`)
  const { words } = await reachable(map)()
  const [, load] = Object.entries(words).find(([path]) => path.endsWith(`/${feature}.json`)) ?? []
  if (!load) throw new Error(`No words for ${feature} in ${language}`)
  return reachable(load)()
}

/** Each language and feature is a chunk of its own, loaded when a screen first needs it. */
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, feature, done) => {
    readWords(language, feature).then(
      (words) => done(null, words),
      (error: Error) => done(error, null),
    )
  },
}

/** Starts the portal's language; the words of the shell load before the first paint. */
export async function startWords(language: Language) {
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: ['shell', 'ui'],
      defaultNS: 'ui',
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  document.documentElement.lang = language
}

/**
 * Changes the language without a reload: the words already shown are fetched first, then all of them change at once.
 *
 * @throws ApiError `Unreachable` if they fail to load; then nothing changes
 */
export async function speak(language: Language) {
  if (i18next.language === language) return
  await fetchMissing(language, [i18next.options.ns ?? []].flat())
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  remember('language', language)
}

/**
 * The words of features, fetched beside a screen's code.
 *
 * @throws ApiError `Unreachable` if some fail to load: a screen of raw keys would help no user
 */
export async function loadWords(features: readonly string[]) {
  await i18next.loadNamespaces([...features])
  await fetchMissing(i18next.language, features)
}

/** A failed part is requested again under its plain name. */
async function fetchMissing(language: string, features: readonly string[]) {
  const missing = () => features.filter((feature) => !i18next.hasResourceBundle(language, feature))
  if (missing().length > 0) await i18next.reloadResources([language], missing())
  if (missing().length > 0) throw new ApiError('Unreachable')
}
