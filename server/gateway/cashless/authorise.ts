import {
  type Authorise,
  type Authorised,
  type BlockChanges,
  type BlocksRequest,
  deviceLimits,
  type LinkCode,
  type LinkCodeRequest,
} from '#contract/device-protocol.ts'
import { type AuthorisationRefusal, ownMediaTypes } from '#contract/vocabulary/cashless.ts'
import { noMediaSerial } from '#contract/vocabulary/media.ts'
import { reserveToCollect } from '#database/cashless/collect.ts'
import { blockListAfter, blockVersionOf, creditSwitchesOf, idsBySerial } from '#database/cashless/media.ts'
import { noteMedia } from '#database/cashless/media-sight.ts'
import { type Authorisation, reserve } from '#database/cashless/reservation.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { readJournal } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { compactSerial, mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { MachineGoneError } from '../receiving/machine-gone.ts'
import type { Announce } from '../store-batch.ts'
import { giveLinkCode } from './link-code.ts'

export interface Cashless {
  /** Holds credit for a machine, or says why not. The decision is stored before it is sent. */
  authorise(machine: KnownMachine, request: Authorise): Promise<Authorised>
  /** What changed in the block list since the machine's version. */
  blocksAfter(machine: KnownMachine, request: BlocksRequest): Promise<BlockChanges>
  /** A code for the key in the machine, by which its holder links it to their account. */
  linkCode(machine: KnownMachine, request: LinkCodeRequest): Promise<LinkCode>
}

const hourMs = 3_600_000
const scopeOf = ({ merchantId }: KnownMachine) => [{ merchantId, groups: 'all' as const }]

/** The medium of a request; a new key, card or app account is registered. */
async function mediaOf(db: TenantDb, machine: KnownMachine, { mediaSerial, mediaType }: Authorise, at: Date) {
  const serial = mediaSerialOf(mediaSerial)
  if (serial === null) return null
  const { merchantId, serial: originSerial, id: posId } = machine
  if (!ownMediaTypes.includes(mediaType)) return (await idsBySerial(db, merchantId, [serial])).get(serial) ?? null
  const sighting = { serial, type: mediaType, origin: 'machine' as const, originSerial, posId, at }
  return (await noteMedia(db, merchantId, [sighting])).get(serial) ?? null
}

/** Decides a request and reserves its amount. */
async function decide(db: TenantDb, machine: KnownMachine, request: Authorise, now: Date): Promise<Authorised> {
  const { merchantId } = machine
  const { id, amount, purpose } = request
  const refuse = (reason: AuthorisationRefusal, credit: number, blockVersion: number) => ({
    id,
    approved: false,
    reason,
    credit,
    blockVersion,
  })
  // The gateway keeps its machines for some seconds; a feature that was turned off ends credit at once.
  const { blockVersion, hasMedia } = await creditSwitchesOf(db, merchantId)
  if (!hasMedia) return refuse('notEnabled', 0, 0)
  if (request.currency !== undefined && request.currency !== machine.currency)
    return refuse('otherCurrency', 0, blockVersion)
  if (compactSerial(request.mediaSerial) === noMediaSerial) return refuse('anonymous', 0, blockVersion)
  const mediaId = await mediaOf(db, machine, request, now)
  if (mediaId === null) return refuse('unknownMedia', 0, blockVersion)
  const expiresAt = new Date(now.getTime() + machine.unlockHours * hourMs)
  const authorisation: Authorisation = { merchantId, id, mediaId, posId: machine.id, amount, expiresAt }
  const answer =
    purpose === 'vend' ? await reserve(db, authorisation, now) : await reserveToCollect(db, authorisation, now)
  if ('refusal' in answer) return refuse(answer.refusal, answer.free, blockVersion)
  const { reservation, free } = answer
  const leftMs = reservation.expiresAt.getTime() - now.getTime()
  if (reservation.state !== 'held' || leftMs <= 0) return refuse('ended', free, blockVersion)
  return {
    id,
    approved: true,
    reservationId: reservation.id,
    amount: reservation.credit + reservation.bonus,
    credit: free,
    expiresInSeconds: Math.floor(leftMs / 1000),
    blockVersion,
  }
}

/** Answers machines about cloud credit. */
export function createCashless(
  { doors, secretKey }: { doors: Doors; secretKey: string },
  announce: Announce,
  forgetMachine: (serial: string) => void,
): Cashless {
  return {
    async authorise(machine, request) {
      const answer = await doors.withTenant(scopeOf(machine), async (db) =>
        // The cached machine may have been deleted or moved to another merchant.
        (await readJournal(db, machine)) ? decide(db, machine, request, new Date()) : null,
      )
      if (!answer) {
        forgetMachine(machine.serial)
        throw new MachineGoneError()
      }
      if (answer.approved) announce(machine.merchantId, 'media', machine.id)
      return answer
    },

    async linkCode(machine, request) {
      const answer = await doors.withTenant(scopeOf(machine), async (db) =>
        (await readJournal(db, machine)) ? giveLinkCode(db, machine, request, { secretKey, now: new Date() }) : null,
      )
      if (answer) return answer
      forgetMachine(machine.serial)
      throw new MachineGoneError()
    },

    async blocksAfter(machine, { id, version }) {
      const none = { id, since: 0, version: 0, blocked: [], unblocked: [], more: false }
      if (!machine.hasMedia) return none
      return doors.withTenant(
        scopeOf(machine),
        async (db) => {
          const newest = await blockVersionOf(db, machine.merchantId)
          // A list that is newer than ours belongs to another merchant or to a lost database.
          const since = version > newest ? 0 : version
          const changes = await blockListAfter(db, machine.merchantId, since, deviceLimits.blocks + 1)
          const sent = changes.slice(0, deviceLimits.blocks)
          const more = changes.length > sent.length
          const serials = (isBlocked: boolean) =>
            sent.filter((one) => one.isBlocked === isBlocked).map(({ serial }) => serial)
          return {
            id,
            since,
            version: more ? (sent.at(-1)?.version ?? since) : newest,
            blocked: serials(true),
            unblocked: serials(false),
            more,
          }
        },
        'read',
      )
    },
  }
}
