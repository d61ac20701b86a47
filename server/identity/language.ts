import type { IncomingMessage } from 'node:http'
import { spokenOf } from '../words/words.ts'

export const languageCookie = 'gettone_language'

const searchOf = (request: IncomingMessage) => new URLSearchParams((request.url ?? '').split('?')[1])
/** Whether the page’s own language links selected the language. */
export const isChosenHere = (request: IncomingMessage) => searchOf(request).has('language')

/** The reader's choice: by the page's own links, now or earlier, or in the portal, which sends it as ui_locales. */
export function chosenLanguage(request: IncomingMessage): string | undefined {
  const search = searchOf(request)
  const cookie = /(?:^|;\s*)gettone_language=([a-z]{2})/.exec(request.headers.cookie ?? '')?.[1]
  return search.get('language') ?? spokenOf(search.get('ui_locales') ?? '') ?? cookie
}
