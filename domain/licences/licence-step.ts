import type { ErrorCode } from '#contract/errors.ts'
import { isDemoType, type LicenceStatus, type LicenceType, type UnassignCase } from '#contract/vocabulary/licence.ts'

/** What may happen to a licence after its creation. */
export const licenceSteps = [
  'send',
  'confirm',
  'issueKey',
  'activate',
  'beat',
  'move',
  'unassign',
  'deactivate',
  'reactivate',
  'expire',
  'remove',
] as const
export type LicenceStep = (typeof licenceSteps)[number]

const notYet = 'LicenseNotAssignedYetException'
const off = 'LicenseDeactivatedException'
const over = 'LicenseExpiredException'
const confirmed = 'LicenceConfirmed'
const noLink = 'TokenNotFoundException'
const notUnassigned = 'LicenseNotUnassigned'
const isOn = 'LicenceNotDeactivated'
const inUse = 'LicenceInUse'

type Outcome = LicenceStatus | ErrorCode

/** Each step from each status: the status that follows, or the code that refuses it. */
export const licenceTable: Readonly<Record<LicenceStatus, Readonly<Record<LicenceStep, Outcome>>>> = {
  // pending
  0: {
    send: 1,
    confirm: noLink,
    issueKey: notYet,
    activate: notYet,
    beat: notYet,
    move: 0,
    unassign: notUnassigned,
    deactivate: notYet,
    reactivate: notYet,
    expire: 6,
    remove: 0,
  },
  // sent
  1: {
    send: 1,
    confirm: 2,
    issueKey: notYet,
    activate: notYet,
    beat: notYet,
    move: 0,
    unassign: 5,
    deactivate: notYet,
    reactivate: notYet,
    expire: 6,
    remove: inUse,
  },
  // confirmed
  2: {
    send: confirmed,
    confirm: noLink,
    issueKey: 2,
    activate: 3,
    beat: notYet,
    move: 2,
    unassign: 5,
    deactivate: 4,
    reactivate: isOn,
    expire: 6,
    remove: inUse,
  },
  // activated
  3: {
    send: confirmed,
    confirm: noLink,
    issueKey: 2,
    activate: 3,
    beat: 3,
    move: 2,
    unassign: 5,
    deactivate: 4,
    reactivate: isOn,
    expire: 6,
    remove: inUse,
  },
  // deactivated
  4: {
    send: off,
    confirm: noLink,
    issueKey: off,
    activate: off,
    beat: off,
    move: off,
    unassign: 5,
    deactivate: off,
    reactivate: 2,
    expire: 6,
    remove: inUse,
  },
  // unassigned: another machine starts it again, with a new confirmation
  5: {
    send: notYet,
    confirm: noLink,
    issueKey: notYet,
    activate: notYet,
    beat: notYet,
    move: 0,
    unassign: notUnassigned,
    deactivate: notYet,
    reactivate: notYet,
    expire: notYet,
    remove: inUse,
  },
  // expired
  6: {
    send: over,
    confirm: noLink,
    issueKey: over,
    activate: over,
    beat: over,
    move: over,
    unassign: 5,
    deactivate: over,
    reactivate: 2,
    expire: over,
    remove: inUse,
  },
}

/** The facts of a licence that decide a step. */
export interface LicenceFacts {
  status: LicenceStatus
  type: LicenceType
  /** Whether its data was ever mailed to the end client, and confirmed for its machine. */
  isSent: boolean
  isConfirmed: boolean
  /** The end of its last day; null: it does not end. */
  endsAt: Date | null
  unassignCase: UnassignCase | null
}

const isEnd = (unassignCase: UnassignCase | null) => unassignCase === 'demoEnd' || unassignCase === 'licenceEnd'
/** The end of a demo is that of a demo licence; the end of a licence is that of another. */
const fits = (unassignCase: UnassignCase, type: LicenceType) =>
  !isEnd(unassignCase) || isDemoType(type) === (unassignCase === 'demoEnd')

/** Steps that a licence past its last day does not take, also before its status says so. */
const beforeEnd: ReadonlySet<LicenceStep> = new Set([
  'send',
  'confirm',
  'issueKey',
  'activate',
  'beat',
  'move',
  'reactivate',
])

/** The status after a step, or the code that refuses it. `unassignCase` belongs to the step `unassign`. */
export function stepOf(
  licence: LicenceFacts,
  step: LicenceStep,
  now: Date,
  unassignCase?: UnassignCase,
): { to: LicenceStatus } | { refused: ErrorCode } {
  const outcome = licenceTable[licence.status][step]
  if (typeof outcome === 'string') return { refused: outcome }
  if (beforeEnd.has(step) && licence.endsAt !== null && licence.endsAt <= now)
    return { refused: step === 'confirm' ? noLink : over }
  if (step === 'remove' && licence.isSent) return { refused: inUse }
  if (step === 'move' && isEnd(licence.unassignCase)) return { refused: over }
  if (step === 'unassign' && (unassignCase === undefined || !fits(unassignCase, licence.type)))
    return { refused: notUnassigned }
  // An expired licence may have ended before its client had confirmed it.
  if (step === 'reactivate' && !licence.isConfirmed) return { to: 0 }
  return { to: outcome }
}

/** The steps that users may take now, for buttons. */
export const possibleSteps = (licence: LicenceFacts, now: Date): LicenceStep[] =>
  licenceSteps.filter((step) => {
    const unassignCase = step === 'unassign' ? ('defectivePos' as const) : undefined
    return 'to' in stepOf(licence, step, now, unassignCase)
  })
