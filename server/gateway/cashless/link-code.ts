import type { LinkCode, LinkCodeRequest } from '#contract/device-protocol.ts'
import { type LinkCodeRefusal, ownMediaTypes } from '#contract/vocabulary/cashless.ts'
import { mediaStatuses, noMediaSerial } from '#contract/vocabulary/media.ts'
import { holdMedias } from '#database/cashless/media-acts.ts'
import { noteMedia } from '#database/cashless/media-sight.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { saveLinkCode } from '#database/key-portal/link-code.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { compactSerial, mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { hashOfLinkCode, linkCodeSeconds, newLinkCode } from '../../customers/link-codes.ts'

/** Makes a code for the key in a machine, or says why not. The code is stored as a keyed hash, before it is sent. */
export async function giveLinkCode(
  db: TenantDb,
  machine: KnownMachine,
  { id, mediaSerial, mediaType }: LinkCodeRequest,
  { secretKey, now }: { secretKey: string; now: Date },
): Promise<LinkCode> {
  const refuse = (reason: LinkCodeRefusal): LinkCode => ({ id, reason })
  const { merchantId, serial: originSerial, id: posId } = machine
  if (!machine.hasMedia) return refuse('notEnabled')
  if (compactSerial(mediaSerial) === noMediaSerial) return refuse('anonymous')
  const serial = mediaSerialOf(mediaSerial)
  if (serial === null || !ownMediaTypes.includes(mediaType)) return refuse('unknownMedia')
  const sighting = { serial, type: mediaType, origin: 'machine' as const, originSerial, posId, at: now }
  const mediaId = (await noteMedia(db, merchantId, [sighting])).get(serial)
  const state = mediaId && (await holdMedias(db, merchantId, [mediaId])).get(mediaId)
  if (!state) return refuse('unknownMedia')
  if (state.status !== mediaStatuses.ok) return refuse(state.status === mediaStatuses.lostKey ? 'lost' : 'blocked')
  if (state.customer_id !== null) return refuse('alreadyLinked')
  const code = newLinkCode()
  const expiresAt = new Date(now.getTime() + linkCodeSeconds * 1000)
  const hash = hashOfLinkCode(secretKey, { mediaId: state.id, code })
  await saveLinkCode(db, { merchantId, mediaId: state.id, posId, hash, now, expiresAt })
  return { id, code, expiresInSeconds: linkCodeSeconds }
}
