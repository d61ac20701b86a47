import type { FastifyRequest } from 'fastify'
import type { collections } from '#contract/collection.ts'
import type { Language } from '#contract/vocabulary/languages.ts'
import { changesOf, collectionsIn, countryFormatsIn } from '../collections.ts'
import type { Config } from '../config.ts'
import { spokenOf } from '../words.ts'
import type { Handlers } from './handler.ts'

interface Asked {
  query: { locale?: string | undefined }
  config: Config
  request: FastifyRequest
}

/** What was asked for, else what the browser speaks, else the deployment's own. */
const languageOf = ({ query, config, request }: Asked): Language =>
  spokenOf(query.locale ?? request.headers['accept-language']) ?? config.DEFAULT_LANGUAGE ?? 'en'

export const collectionHandlers: Handlers<typeof collections> = {
  listCollections: async (call) => {
    const { version } = call.config
    return { ...collectionsIn(languageOf(call)), releaseInfo: { version, changes: changesOf(version) } }
  },
  listCountries: async (call) => countryFormatsIn(languageOf(call)),
  listPosSectors: async (call) => collectionsIn(languageOf(call)).posSectors,
}
