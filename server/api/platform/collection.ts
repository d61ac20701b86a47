import type { FastifyRequest } from 'fastify'
import type { collections } from '#contract/platform/collection.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Config } from '#server/config.ts'
import type { Handlers } from '#server/http/handler.ts'
import { changesOf, collectionsIn, countryFormatsIn } from '#server/words/collections.ts'
import { spokenOf } from '#server/words/words.ts'

interface Call {
  query: { locale?: string | undefined }
  config: Config
  request: FastifyRequest
}

/** The requested language, else the browser's, else the deployment's. */
const languageOf = ({ query, config, request }: Call): Language =>
  spokenOf(query.locale ?? request.headers['accept-language']) ?? config.DEFAULT_LANGUAGE ?? 'en'

export const collectionHandlers: Handlers<typeof collections> = {
  listCollections: async (call) => {
    const { version } = call.config
    return { ...collectionsIn(languageOf(call)), releaseInfo: { version, changes: changesOf(version) } }
  },
  listCountries: async (call) => countryFormatsIn(languageOf(call)),
  listPosSectors: async (call) => collectionsIn(languageOf(call)).posSectors,
}
