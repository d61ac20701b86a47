import { ProductError } from '#contract/errors.ts'
import type { Licence } from '#contract/licences/licence.ts'
import { LicenceEvent, type licenceActRows } from '#contract/licences/licence-acts.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { holdLicence, type LicenceRecord, licenceList } from '#database/licences/licence.ts'
import { directLicence, forgetHashes } from '#database/licences/licence-directory.ts'
import { licenceEvents } from '#database/licences/licence-event.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { LicenceStep } from '#domain/licences/licence-step.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { machineOf } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { writeConfirmation } from '#server/licences/licence-letters.ts'
import { hashOfKey, hashOfLink, hintOfKey, newLicenceKey, newLinkToken } from '#server/licences/licence-secrets.ts'
import { limitAttempts } from '#server/licences/limit-attempts.ts'
import { refuseStep, type Taken, takeStep } from '#server/licences/take-step.ts'
import { presentLicence } from './licence.ts'

/** The link of a mail ends after this time. */
const linkDays = 14

/** Nothing of the connector that ran on the machine before. */
const noConnector = {
  board_serial: null,
  connector_version: null,
  last_beat_at: null,
  clock_drift_seconds: null,
  activated_at: null,
}

type OfLicence = TenantCall & { params: { licenceId: string } }

/** The licence of a path, locked. A write sees the user's whole scope. */
async function held(call: OfLicence) {
  const db = withinScope(call.db, call.user.scope)
  const licence = await holdLicence(db, call.params.licenceId)
  if (!licence) throw new ProductError('LicenceNotFound')
  return { db, licence }
}

interface Act extends Omit<Taken, 'now' | 'by'> {
  logged?: { before?: object; after?: object }
}

/** Takes a user's step: history, log, announcement. */
async function act(
  call: OfLicence,
  { db, licence }: Awaited<ReturnType<typeof held>>,
  step: Exclude<LicenceStep, 'beat' | 'remove' | 'confirm' | 'activate' | 'expire'>,
  { logged, ...stepDetails }: Act = {},
): Promise<Licence> {
  const { user, now, live, doors, request } = call
  await takeStep(db, licence, step, { ...stepDetails, now, by: user })
  await recordChange(db, {
    merchantId: licence.merchant_id,
    at: now,
    user,
    action: `licence.${step}`,
    subjectType: 'licence',
    subjectId: licence.id,
    ...logged,
  })
  const after = (await licenceList.find(db, licence.id)) as LicenceRecord
  call.db.afterCommit(() => {
    live.announce(licence.merchant_id, 'licence')
    // Not awaited: a leftover hash opens nothing.
    forgetHashes(doors, licence, [after.key_hash, after.link_hash]).catch((error: unknown) =>
      request.log.warn({ err: error }, 'The hashes of a licence were not removed'),
    )
  })
  return presentLicence(after)
}

export const licenceActHandlers: Handlers<typeof licenceActRows> = {
  listLicenceEvents: async ({ db, params, user }) => {
    const licence = await licenceList.find(db, params.licenceId)
    if (!licence) throw new ProductError('LicenceNotFound')
    const events = await licenceEvents(db, licence, seesInvisible(user))
    return events.map((event) =>
      wireOf(LicenceEvent, event, {
        by: event.by_kind as LicenceEvent['by'],
        byName: event.shown_name,
        posId: event.seen_pos_id,
      }),
    )
  },

  sendLicence: async (call) => {
    const { doors, config, mail, now, request } = call
    const heldLicence = await held(call)
    const { licence } = heldLicence
    refuseStep(licence, 'send', { now })
    await limitAttempts(doors, 'licenceMail', `licence ${licence.id}`, now)
    const token = newLinkToken()
    const hash = hashOfLink(token)
    const until = new Date(now.getTime() + linkDays * 86_400_000)
    await directLicence(doors, hash, licence, now)
    const change = { link_hash: hash, link_expires_at: until, sent_at: now }
    const sent = await act(call, heldLicence, 'send', { change })
    const href = `${config.publicUrl}/confirm-client-data/${token}`
    // Last: if the mail server refuses the mail, nothing is stored.
    await mail.send(writeConfirmation(licence, href, until, licence.time_zone)).catch((error: unknown) => {
      request.log.error({ err: error }, 'The mail of a licence could not be sent')
      throw new ProductError('LicenceNotSent')
    })
    return sent
  },

  issueLicenceKey: async (call) => {
    const heldLicence = await held(call)
    refuseStep(heldLicence.licence, 'issueKey', { now: call.now })
    const licenceKey = newLicenceKey()
    const hash = hashOfKey(licenceKey)
    await directLicence(call.doors, hash, heldLicence.licence, call.now)
    const change = { ...noConnector, key_hash: hash, key_hint: hintOfKey(licenceKey) }
    return { licence: await act(call, heldLicence, 'issueKey', { change }), licenceKey }
  },

  moveLicence: async (call) => {
    const heldLicence = await held(call)
    const { db, licence } = heldLicence
    const machine = await machineOf(db, call.body.posId)
    // Within reach under all merchants, but of another one.
    if (machine.merchant_id !== licence.merchant_id) throw new ProductError('MachineNotFound')
    const to = refuseStep(licence, 'move', { now: call.now })
    if (machine.id === licence.machine_id && to === licence.status) return presentLicence(licence)
    const restarts = to === 0
    const change = {
      ...noConnector,
      machine_id: machine.id,
      // The client confirms the data of the new machine, and then gets a new key.
      ...(restarts && { link_hash: null, link_expires_at: null, key_hash: null, key_hint: null }),
      ...(restarts && { confirmed_at: null, unassign_case: null }),
    }
    const logged = { before: { machine: licence.pos_name }, after: { machine: machine.name } }
    return act(call, heldLicence, 'move', { change, logged })
  },

  unassignLicence: async (call) => {
    const { unassignCase } = call.body
    const nothing = { link_hash: null, link_expires_at: null, key_hash: null, key_hint: null }
    const change = { ...noConnector, ...nothing, unassign_case: unassignCase }
    return act(call, await held(call), 'unassign', { unassignCase, change, logged: { after: { unassignCase } } })
  },

  deactivateLicence: async (call) => act(call, await held(call), 'deactivate', { change: { activated_at: null } }),
  reactivateLicence: async (call) => act(call, await held(call), 'reactivate'),
}
