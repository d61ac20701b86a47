import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { fileForMachine, screenBlob } from '#database/configurations/screen-file.ts'
import { enrol } from '#database/configurations/screen-whitelist.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { Blobs } from '../../files/blobs.ts'
import { sendBlob } from '../../http/send-blob.ts'
import { storeOf } from '../../screens/copy-screens.ts'
import type { Vault } from '../../secrets/vault.ts'

type OfFile = { Params: { serial: string; fileId: string } }

/**
 * The files of screens: a machine fetches the document that was sent to it last, and the files in it, with its own secret. The screen of
 * a serial on the whitelist enrols with the first one. The bytes come from the merchant's storage when it has them. The portal relays them: a
 * machine sends no secret to another host, and never gets the storage's password.
 */
export function registerScreenRoutes(
  routes: FastifyInstance,
  {
    doors,
    blobs,
    vault,
    config,
    signIn,
    callerOf,
  }: {
    doors: Doors
    blobs: Blobs
    vault: Vault
    config: { production: boolean }
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
      const store = file && (await storeOf({ doors, blobs, vault, config }, merchantId, file))
      if (!file || (await store?.size(screenBlob(merchantId, fileId))) === undefined) throw new ProductError('NotFound')
      if (!(await enrol(doors, merchantId, serial, new Date()))) throw new ProductError('ScreenNotEnrolled')
      const { type, sha256 } = file
      await sendBlob(request, reply, store ?? blobs, {
        key: screenBlob(merchantId, fileId),
        type,
        sha256: sha256 ?? '',
      })
      return reply
    },
  )
}
