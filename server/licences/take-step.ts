import type { Updateable } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { LicenceStatus, LicenceType, UnassignCase } from '#contract/vocabulary/licence.ts'
import type { DB } from '#database/frame/schema.gen.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type LicenceRecord, writeLicence } from '#database/licences/licence.ts'
import { addLicenceEvents, type NewLicenceEvent } from '#database/licences/licence-event.ts'
import { type LicenceFacts, type LicenceStep, stepOf } from '#domain/licences/licence-step.ts'
import { endOf } from '#domain/licences/licence-term.ts'

/** The facts of a stored licence that decide its steps. */
export const factsOf = (licence: LicenceRecord): LicenceFacts => ({
  status: licence.status as LicenceStatus,
  type: licence.type as LicenceType,
  isSent: licence.sent_at !== null,
  isConfirmed: licence.confirmed_at !== null,
  endsAt: endOf(licence.expires_on, licence.time_zone),
  unassignCase: licence.unassign_case as UnassignCase | null,
})

export interface Taken {
  now: Date
  by: NewLicenceEvent['by']
  /** Columns that change beside the status. */
  change?: Updateable<DB['licences']>
  unassignCase?: UnassignCase
  detail?: string
}

/** Refuses a step by the table of licences. Returns the status that follows. */
export function refuseStep(
  licence: LicenceRecord,
  step: LicenceStep,
  { now, unassignCase }: Pick<Taken, 'now' | 'unassignCase'>,
): LicenceStatus {
  const outcome = stepOf(factsOf(licence), step, now, unassignCase)
  if ('refused' in outcome) throw new ProductError(outcome.refused)
  return outcome.to
}

/** Takes a step with a locked licence and writes its history. Throws the code that refuses it. */
export async function takeStep(
  db: TenantDb,
  licence: LicenceRecord,
  step: Exclude<LicenceStep, 'beat' | 'remove'>,
  stepDetails: Taken,
): Promise<void> {
  const { now, by, change = {}, unassignCase, detail } = stepDetails
  const status = refuseStep(licence, step, stepDetails)
  await writeLicence(db, licence, { ...change, status })
  const posId = typeof change.machine_id === 'string' ? change.machine_id : licence.machine_id
  const eventDetails = { ...(unassignCase && { unassignCase }), ...(detail !== undefined && { detail }) }
  await addLicenceEvents(db, [{ licence, at: now, act: step, status, by, posId, ...eventDetails }])
}
