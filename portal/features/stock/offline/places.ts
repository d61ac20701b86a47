/** The service worker's file; `scripts/portal/worker.ts` builds it. */
export const workerPath = '/round-worker.js'

/** Caches of the page and its parts, each of one build. */
export const pagePrefix = 'gettone-page '
