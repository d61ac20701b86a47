import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { fileOfCommand } from '#database/commands/command-outbox.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { rangeOf } from '#domain/updates/range.ts'
import type { Blobs } from '../../files/blobs.ts'
import { blobOfUpdate, blobOfVp } from '../../http/upload.ts'
import type { Vault } from '../../secrets/vault.ts'
import { updatePublicKey } from '../../updates/signing-key.ts'

/** Requests for files by one machine in a minute; a machine on a bad line asks for a small range each time. */
const mostRequests = 120
const minuteMs = 60_000

/**
 * Files for machines: `GET /device/v1/{serial}/files/{fileId}`, for the machine alone and only while a command of its own names the
 * file. The tag is the SHA-256, so a range always continues the same file.
 */
export function registerFileRoutes(
  routes: FastifyInstance,
  services: { doors: Doors; blobs: Blobs; vault: Vault },
  access: {
    signIn: (request: FastifyRequest<{ Params: { serial: string } }>) => Promise<void>
    callerOf: (request: FastifyRequest) => KnownMachine
  },
): void {
  const { doors, blobs, vault } = services
  const used = new Map<string, { since: number; requests: number }>()
  const refuseHasty = (machineId: string, reply: FastifyReply) => {
    const now = Date.now()
    if (used.size > 50_000) used.clear()
    const current = used.get(machineId)
    const window = current && now - current.since < minuteMs ? current : { since: now, requests: 0 }
    window.requests++
    used.set(machineId, window)
    if (window.requests <= mostRequests) return
    reply.header('retry-after', Math.ceil((window.since + minuteMs - now) / 1000))
    throw new ProductError('TooManyRequests')
  }

  routes.get<{ Params: { serial: string } }>(
    '/:serial/update-key',
    { onRequest: access.signIn },
    async (request, reply) =>
      reply.type('application/x-pem-file').send(await updatePublicKey(doors, vault, access.callerOf(request))),
  )

  routes.get<{ Params: { serial: string; fileId: string } }>(
    '/:serial/files/:fileId',
    { onRequest: access.signIn },
    async (request, reply) => {
      const machine = access.callerOf(request)
      refuseHasty(machine.id, reply)
      const { fileId } = request.params
      if (!z.uuid().safeParse(fileId).success) throw new ProductError('NotFound')
      const scope = [{ merchantId: machine.merchantId, groups: 'all' as const }]
      const named = await doors.withTenant(scope, (db) => fileOfCommand(db, machine, fileId), 'read')
      const blob = named?.type === remoteCommandTypes.sendVpConfig ? blobOfVp(fileId) : blobOfUpdate(fileId)
      const stored = named && (await blobs.size(blob))
      if (!named || stored === undefined) throw new ProductError('NotFound')
      const tag = `"${named.sha256}"`
      reply.header('etag', tag).header('accept-ranges', 'bytes').type('application/octet-stream')
      const { range: requestedRange, 'if-range': only } = request.headers
      const range = only === undefined || only === tag ? rangeOf(requestedRange, stored) : 'whole'
      if (range === 'beyond') {
        reply.header('content-range', `bytes */${stored}`).type('application/problem+json')
        return reply.status(416).send(JSON.stringify({ title: 'RangeNotSatisfiable', status: 416 }))
      }
      const { start, end } = range === 'whole' ? { start: 0, end: stored - 1 } : range
      if (range !== 'whole') reply.status(206).header('content-range', `bytes ${start}-${end}/${stored}`)
      reply.header('content-length', end - start + 1)
      return reply.send(blobs.part(blob, start, end))
    },
  )
}
