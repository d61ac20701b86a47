import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { fileForMachine, screenBlob } from '#database/configurations/screen-file.ts'
import { enrol } from '#database/configurations/screen-whitelist.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { rangeOf } from '#domain/updates/range.ts'
import type { Blobs } from '../../blobs.ts'

type OfFile = { Params: { serial: string; fileId: string } }

const mime: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  json: 'application/json',
}
/** The MIME type of a stored file. */
export const mimeOfScreen = (type: string | null) => mime[type ?? ''] ?? 'application/octet-stream'

/**
 * The files of screens: a machine fetches the document that was sent to it last, and the files in it, with its own secret. The screen of
 * a serial on the whitelist enrols with the first one.
 */
export function registerScreenRoutes(
  routes: FastifyInstance,
  {
    doors,
    blobs,
    signIn,
    callerOf,
  }: {
    doors: Doors
    blobs: Blobs
    signIn: (request: FastifyRequest<{ Params: { serial: string } }>) => Promise<void>
    callerOf: (request: FastifyRequest) => KnownMachine
  },
): void {
  routes.get<OfFile>(
    '/:serial/screens/:fileId',
    { onRequest: (request) => signIn(request as FastifyRequest<{ Params: { serial: string } }>) },
    async (request, reply) => {
      const { merchantId, id } = callerOf(request)
      const { fileId, serial } = request.params
      const file = z.uuid().safeParse(fileId).success
        ? await fileForMachine(doors, { merchantId, id }, fileId)
        : undefined
      const key = screenBlob(merchantId, fileId)
      const size = file && (await blobs.size(key))
      if (!file || size === undefined) throw new ProductError('NotFound')
      if (!(await enrol(doors, merchantId, serial, new Date()))) throw new ProductError('ScreenNotEnrolled')
      const tag = `"${file.sha256}"`
      reply.header('etag', tag).header('accept-ranges', 'bytes').type(mimeOfScreen(file.type))
      const { range: wanted, 'if-range': only } = request.headers
      const range = only === undefined || only === tag ? rangeOf(wanted, size) : 'whole'
      if (range === 'beyond') {
        reply.header('content-range', `bytes */${size}`).type('application/problem+json')
        return reply.status(416).send(JSON.stringify({ title: 'RangeNotSatisfiable', status: 416 }))
      }
      const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
      if (range !== 'whole') reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`)
      return reply.header('content-length', end - start + 1).send(blobs.part(key, start, end))
    },
  )
}
