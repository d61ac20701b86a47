import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Shorter answers fit one packet either way, in bytes. */
const shortest = 1024

/** Text alone: pictures, fonts, PDF and workbooks are compressed by their formats. */
const texts =
  /^(?:application\/(?:[\w.-]+\+)?(?:json|xml|javascript)|text\/(?:html|css|javascript|plain|xml)|image\/svg\+xml)(?:;|$)/

/**
 * What is compressed: the API with its documents, and files that are the same for everyone. Pages of the identity provider
 * and of payers are not: they show what a form sent beside a secret of their own. Machines get short answers.
 */
const compressed = /^\/(?:api|assets|key|key-app|identity\/assets)\/|^\/\*$/

/**
 * Compresses answers in the best encoding that the reader accepts. A route stays as it is with `compress: false`: a file, a
 * stream, and an answer with a secret, whose compressed length would give it away (BREACH). Call it before routes are added.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!compressed.test(route.url)) route.compress = false
  })
  // Not awaited: it is ready before the next plugin that is.
  void app.register(compress, {
    globalDecompression: false,
    threshold: shortest,
    customTypes: texts,
    // The quickest first.
    encodings: ['zstd', 'br', 'gzip'],
  })
}
