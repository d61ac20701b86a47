import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire } from '#contract/frame/instant.ts'
import type { ConnectorCall, connectorRows, LicenceGrant } from '#contract/licences/connector.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { holdLicence, type LicenceRecord, writeLicence } from '#database/licences/licence.ts'
import { licenceOfHash } from '#database/licences/licence-directory.ts'
import { beatHours, driftOf, endOf, grantUntil, mostDriftSeconds } from '#domain/licences/licence-term.ts'
import type { Call, Handlers } from '#server/http/handler.ts'
import { hashOfKey } from '#server/licences/licence-secrets.ts'
import { licencePublicKey, signLicence } from '#server/licences/sign-licence.ts'
import { refuseStep, takeStep } from '#server/licences/take-step.ts'

type OfConnector = Call & { body: ConnectorCall }

/** Refuses another machine, and another computer than that which has activated the licence. */
async function refuseOthers(db: TenantDb, licence: LicenceRecord, { machine }: ConnectorCall) {
  const licensed = await db
    .from('machines')
    .where('machines.merchant_id', '=', licence.merchant_id)
    .where('machines.id', '=', licence.machine_id)
    .select('machines.serial')
    .executeTakeFirst()
  // The machine was deleted.
  if (!licensed) throw new ProductError('LicenseNotAssignedYetException')
  const isOwn = licensed.serial === machine.serial
  if (!isOwn || (licence.board_serial !== null && licence.board_serial !== machine.boardSerial))
    throw new ProductError('LicenceOfOtherMachine')
}

/** A call with a licence key: the licence is locked, so that of two computers at one moment the first gets it. */
async function withKey(
  call: OfConnector,
  work: (db: TenantDb, licence: LicenceRecord) => Promise<void>,
): Promise<LicenceGrant> {
  const { doors, body } = call
  const hash = hashOfKey(body.licenceKey)
  const place = await licenceOfHash(doors, hash)
  if (!place) throw new ProductError('LicenseDoesNotExistException')
  const licence = await doors.withTenant([{ merchantId: place.merchant_id, groups: 'all' }], async (db) => {
    const held = await holdLicence(db, place.id)
    if (held?.key_hash !== hash) throw new ProductError('LicenseDoesNotExistException')
    await work(db, held)
    return held
  })
  return grantOf(call, licence)
}

const connectorFacts = ({ body, now }: OfConnector) => ({
  board_serial: body.machine.boardSerial,
  connector_version: body.machine.connectorVersion,
  last_beat_at: now,
  clock_drift_seconds: driftOf(fromWire(body.connectorTime), now),
})

/** The signed answer. The server's clock decides; the connector's is only compared. */
async function grantOf(call: OfConnector, licence: LicenceRecord): Promise<LicenceGrant> {
  const { doors, vault, config, body, now } = call
  const endsAt = endOf(licence.expires_on, licence.time_zone)
  const until = grantUntil(endsAt, now)
  const nextBeat = Math.min(now.getTime() + beatHours * 3_600_000, until.getTime())
  const drift = driftOf(fromWire(body.connectorTime), now)
  const jws = await signLicence(doors, vault, {
    id: licence.id,
    issuer: config.publicUrl,
    now,
    until,
    licence: {
      number: licence.name,
      type: licence.type,
      features: licence.features,
      operationMode: licence.operation_mode,
      organization: licence.organization,
      establishmentName: licence.establishment_name,
      machineSerial: body.machine.serial,
      boardSerial: body.machine.boardSerial,
      endsAt: endsAt && toWire(endsAt),
    },
  })
  return {
    licence: jws,
    serverTime: toWire(now),
    validUntil: toWire(until),
    nextBeatAt: toWire(new Date(nextBeat)),
    clockDriftSeconds: drift,
    isClockWrong: Math.abs(drift) > mostDriftSeconds,
  }
}

/** Calls of the connector application. They carry the licence key and no session. */
export const connectorHandlers: Handlers<typeof connectorRows> = {
  activateLicence: (call) =>
    withKey(call, async (db, licence) => {
      const { now, live, body } = call
      refuseStep(licence, 'activate', { now })
      await refuseOthers(db, licence, body)
      // A repeated call of the same computer: its answer was lost.
      if (licence.status === licenceStatuses.activated) return writeLicence(db, licence, connectorFacts(call))
      const dates = { activated_at: now, first_activated_at: licence.first_activated_at ?? now }
      const change = { ...connectorFacts(call), ...dates }
      await takeStep(db, licence, 'activate', { now, by: 'connector', change, detail: body.machine.boardSerial })
      db.afterCommit(() => live.announce(licence.merchant_id, 'licence'))
    }),

  beatLicence: (call) =>
    withKey(call, async (db, licence) => {
      refuseStep(licence, 'beat', call)
      await refuseOthers(db, licence, call.body)
      await writeLicence(db, licence, connectorFacts(call))
    }),

  getLicenceKeys: async ({ doors, vault }) => ({ keys: [await licencePublicKey(doors, vault)] }),
}
