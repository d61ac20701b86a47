import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant } from '../frame/shapes.ts'
import { LicenceEventAct, LicenceStatus, licenceActors, UnassignCase } from '../vocabulary/licence.ts'
import { Licence } from './licence.ts'

/** An entry of a licence's history. Machines outside the reader's groups are not named. */
export const LicenceEvent = z.strictObject({
  id: z.uuid(),
  at: Instant,
  act: LicenceEventAct,
  status: LicenceStatus,
  by: z.enum(licenceActors),
  /** Null for another one than a user, and for users who are hidden from the reader. */
  byName: z.string().nullable(),
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  unassignCase: UnassignCase.nullable(),
  /** The board that activated, the address that was mailed, or the days before the end. */
  detail: z.string().nullable(),
})
export type LicenceEvent = z.infer<typeof LicenceEvent>

/** A licence with its new key, which is shown this once: only its hash is stored. */
export const IssuedKey = z.strictObject({ licence: Licence, licenceKey: z.string() })

const one = '/merchants/{merchantId}/service-manager/licences/{licenceId}' as const
const acts = { method: 'PUT', needs: 'license.write', finds: ['licenceId'], ok: Licence } as const
const ended = ['LicenseDeactivatedException', 'LicenseExpiredException', 'LicenseNotAssignedYetException'] as const

/** What the service manager does with licences. */
export const licenceActRows = {
  listLicenceEvents: endpoint({
    method: 'GET',
    path: `${one}/events`,
    summary: 'List the history of a licence, newest first',
    needs: 'license.write',
    finds: ['licenceId'],
    topics: ['licence'],
    ok: z.array(LicenceEvent),
    fails: ['LicenceNotFound'],
  }),
  sendLicence: endpoint({
    ...acts,
    method: 'POST',
    path: `${one}/send-license`,
    summary: 'Send the end client a link to confirm the data; earlier links end',
    limit: 'licenceMail',
    fails: ['LicenceNotFound', 'LicenceConfirmed', 'LicenceNotSent', ...ended],
  }),
  issueLicenceKey: endpoint({
    ...acts,
    method: 'POST',
    path: `${one}/key`,
    summary: 'Create a new key, for another computer or a lost key; the former key ends at once',
    hasSecret: true,
    ok: IssuedKey,
    fails: ['LicenceNotFound', ...ended],
  }),
  moveLicence: endpoint({
    ...acts,
    path: `${one}/move-pos`,
    summary: 'Move a licence to another machine of the same merchant; the connector activates again',
    body: z.strictObject({ posId: ids.posId }),
    fails: ['LicenceNotFound', 'MachineNotFound', 'LicenceAlreadyExists', ...ended],
  }),
  unassignLicence: endpoint({
    ...acts,
    path: `${one}/unassign-license`,
    summary: 'Unassign a licence from its machine, with the case',
    body: z.strictObject({ unassignCase: UnassignCase }),
    fails: ['LicenceNotFound', 'LicenseNotUnassigned'],
  }),
  deactivateLicence: endpoint({
    ...acts,
    path: `${one}/deactivate`,
    summary: 'Deactivate a licence: the connector stops at its next heartbeat',
    fails: ['LicenceNotFound', ...ended],
  }),
  reactivateLicence: endpoint({
    ...acts,
    path: `${one}/reactivate`,
    summary: 'Allow a deactivated licence again, or an expired one with a later expiration date',
    fails: ['LicenceNotFound', 'LicenceNotDeactivated', 'LicenceAlreadyExists', ...ended],
  }),
}
