import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { type Permission, roleMay } from '#contract/access.ts'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { groupsHeader, isOfManyMachines } from '#contract/frame/group-lens.ts'
import type { IdName } from '#contract/frame/ids.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import type { AnyInput, TestApi, TestUser } from '../api.ts'
import { isFullRun } from '../full-run.ts'
import { period, samples } from './access-samples.ts'
import type { Aim } from './aim.ts'
import { type IdField, idFields } from './id-fields.ts'

export const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
export const may = (caller: Role, name: EndpointName) => {
  const { needs } = rowOf(name)
  return needs === 'anyone' || needs === 'newcomer' || roleMay(caller, needs as Permission)
}

/** Where an endpoint takes an id. */
export interface Place {
  part: 'params' | 'query' | 'body'
  field: IdField
}
export const titleOf = ({ part, field }: Place) => `${part}.${field.path}`

/** Every place where an endpoint takes an id, according to its schemas. */
export const placesOf = (name: EndpointName): Place[] =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    idFields(rowOf(name)[part]).map((field) => ({ part, field })),
  )

/** These filters narrow what the caller sees anyway: an id out of reach finds nothing, like an unknown id. */
export const isNarrowing = ({ field }: Place) => /(^|\.)(userIds|createdBy|orderIds)(\[\])?$/.test(field.path)

/** The answer to an unknown id: not found, except for users chosen in a setting, which its field's rule refuses. */
const answerOfNothing = ({ field }: Place) => (field.path === 'escalationPeople[]' ? '400 ValidationFailed' : '404')

/** Valid, permitted samples that are refused because of stored data, each with its error code. */
export const refusedLater: Partial<Record<EndpointName, ErrorCode>> = {
  // The link belongs to no invitation.
  acceptInvitation: 'InvitationNotFound',
  getRoundPicking: 'RoundWithoutVan',
  pickRound: 'RoundWithoutVan',
  // The version was never stored.
  updateUser: 'EditConflict',
  updateMerchantSettings: 'EditConflict',
  regeneratePin: 'EditConflict',
  updateSuperAdminSettings: 'EditConflict',
  updateScreenStorage: 'EditConflict',
  updateMerchant: 'EditConflict',
  sendCustomConfig: 'EditConflict',
  countCashCollection: 'EditConflict',
  setCashCollectionBag: 'EditConflict',
  disputeCashCollection: 'EditConflict',
  closeCashCollection: 'EditConflict',
  reopenCashCollection: 'EditConflict',
  // A medium replaces no other than a lost one; the sale has no medium; the serials are unknown.
  lostMyKey: 'ValidationFailed',
  refundMedia: 'TransactionNotRefundable',
  refundMediaAtMachine: 'TransactionNotRefundable',
  refundBatch: 'NoMediasRefunded',
  // Users who have signed in, a group with machines, an alarm that was closed by others.
  resendInvitation: 'UserNotInvited',
  removeSecondFactors: 'SecondFactorNotFound',
  resendInvitationOfMerchant: 'UserNotInvited',
  // The session is the caller's own.
  endUserSession: 'SessionNotFound',
  deleteGroup: 'GroupInUse',
  reopenAlarms: 'UndoTooLate',
  // The link and the password are unknown, and there is no cookie.
  signInByLink: 'SignInLinkEnded',
  signInByPassword: 'SignInRefused',
  renewCustomerSession: 'Unauthorized',
  // The key and the link belong to no licence.
  activateLicence: 'LicenseDoesNotExistException',
  beatLicence: 'LicenseDoesNotExistException',
  getClientData: 'TokenNotFoundException',
  confirmClientData: 'TokenNotFoundException',
  // No simulator answers here.
  getSimulation: 'ServiceUnavailable',
  actOnMachine: 'ServiceUnavailable',
}
/** Users who see only some groups would lose a machine without a group. */
const laterOf = (name: EndpointName, caller: Role): ErrorCode | undefined =>
  name === 'leaveMachineGroup' && caller === 'groupAdmin' ? 'GroupRequired' : refusedLater[name]

export interface World {
  api: TestApi
  users: Record<Role, TestUser>
  ownAim: Aim
  otherGroup: Aim
  foreign: Aim
  /** Nouns that belong to a group, because their table refers to machines or groups. */
  grouped: ReadonlySet<IdName>
  /** Creates what an earlier call may have deleted or used up. Returns its ids. */
  fresh: (name: EndpointName, caller: Role) => Promise<Partial<Aim>>
  /** Undoes what an earlier call has stored. */
  undo: (name: EndpointName) => Promise<unknown>
}

const seesAll = (caller: Role) => caller === 'superAdmin'
const seesGroup = (caller: Role) => seesAll(caller) || caller === 'merchantAdmin'

/**
 * Who aims at ids out of reach. The door narrows by reach, not by role: a merchant user and a group admin see the same part, and what is hidden
 * from a merchant admin is hidden from them too. The full run aims as every role.
 */
const aiming = (permitted: readonly Role[]) =>
  isFullRun ? permitted : permitted.filter((caller) => seesAll(caller) || caller === permitted.at(-1))

const answerText = (answer: LightMyRequestResponse) => {
  const isProblem = answer.statusCode >= 400
  return isProblem ? `${answer.statusCode} ${(answer.json() as { code: string }).code}` : `${answer.statusCode}`
}
/** An answer without its request id. */
const withoutRequest = ({ statusCode, payload }: LightMyRequestResponse) =>
  `${statusCode} ${payload.replace(/"requestId":"[^"]*"/, '')}`

/**
 * Calls one endpoint as every role, and aims at every id. `wrong` has the role, id and answer of each error; the result counts
 * the answers.
 */
export async function tried(name: EndpointName, world: World) {
  const { api, users, ownAim, otherGroup, foreign, grouped } = world
  const row = rowOf(name)
  const { input } = samples[name]
  const places = placesOf(name).filter(({ field }) => field.noun !== undefined)
  const outcome = { wrong: [] as string[], allowed: 0, refused: 0, aimed: new Set<string>() }
  const permitted = roles.filter((caller) => may(caller, name))
  const aims = aiming(permitted)

  const check = (who: string, what: string, answer: LightMyRequestResponse, expected: string) => {
    const got = answerText(answer)
    if (!(got === expected || got.split(' ')[0] === expected))
      outcome.wrong.push(`${who}, ${what}: ${got} instead of ${expected}`)
    else if (answer.statusCode >= 400) outcome.refused++
    else outcome.allowed++
  }

  /** An id at a place: unknown ids get a 404, and ids out of reach get the same answer. */
  const tryPlace = async (caller: Role, place: Place, merchantId: string) => {
    const { part, field } = place
    const noun = field.noun as IdName
    outcome.aimed.add(titleOf(place))
    // Otherwise each call would start another export.
    if (isNarrowing(place) && name === 'createExport') return
    const sample: AnyInput = input({ ...ownAim, merchantId })
    const send = (id: string) =>
      api.send(name, { ...sample, [part]: field.aimed(sample[part], id, ownAim[noun]) }, users[caller])
    const unknown = await send(randomUUID())
    const where = `${titleOf(place)}${merchantId === allMerchants ? ' under all merchants' : ''}`
    if (!isNarrowing(place)) check(caller, `${where} of nothing`, unknown, answerOfNothing(place))
    const isKept = row.path.includes('{merchantId}') && merchantId !== allMerchants && noun !== 'merchantId'
    const hidden = [
      ...(seesAll(caller) && !isKept ? [] : [['another merchant', foreign] as const]),
      ...(!seesGroup(caller) && grouped.has(noun) ? [['another group', otherGroup] as const] : []),
    ]
    for (const [whose, aim] of hidden) {
      const answer = await send(aim[noun])
      if (isNarrowing(place)) check(caller, `${where} of ${whose}`, answer, answerText(unknown))
      else check(caller, `${where} of ${whose}`, answer, answerOfNothing(place))
      const isSame =
        isNarrowing(place) && row.method !== 'GET' ? true : withoutRequest(answer) === withoutRequest(unknown)
      if (!isSame) outcome.wrong.push(`${caller}, ${where} of ${whose} has another answer than an unknown one`)
    }
  }

  const tryIds = async (caller: Role) => {
    for (const place of places) {
      await tryPlace(caller, place, ownAim.merchantId)
      if (place.part === 'params' && place.field.noun !== 'merchantId' && row.path.includes('{merchantId}'))
        await tryPlace(caller, place, allMerchants)
    }
  }

  /** Lists contain no records out of reach. */
  const tryAnswer = async (caller: Role) => {
    if (row.method !== 'GET' || !row.path.includes('{merchantId}')) return
    // Payment services are the same for all merchants.
    const ofMerchant = (aim: Aim) =>
      Object.entries(aim).filter(([noun]) => !['merchantId', 'webPaymentServiceId'].includes(noun))
    const ofGroup = (aim: Aim) => Object.entries(aim).filter(([noun]) => grouped.has(noun as IdName))
    const hidden = [...(seesAll(caller) ? [] : ofMerchant(foreign)), ...(seesGroup(caller) ? [] : ofGroup(otherGroup))]
    if (hidden.length === 0) return
    const { params } = input(ownAim) as { params: Record<string, string> }
    for (const merchantId of [ownAim.merchantId, allMerchants]) {
      const query = /stats|transactions/.test(row.path) ? period : {}
      const { payload } = await api.send(name, { params: { ...params, merchantId }, query }, users[caller])
      for (const [noun, id] of hidden)
        if (payload.includes(id)) outcome.wrong.push(`${caller} under ${merchantId}: the answer names ${noun} ${id}`)
    }
  }

  /** A group lens narrows, and names only groups within reach. */
  const tryLens = async (caller: Role) => {
    if (!isOfManyMachines(row)) return
    const lookingAt = ({ groupId }: Aim) =>
      api.send(name, { ...input(ownAim), headers: { [groupsHeader]: groupId } }, users[caller])
    for (const hidden of seesGroup(caller) ? [foreign] : [foreign, otherGroup])
      check(caller, 'a look at a group out of reach', await lookingAt(hidden), '404 GroupNotFound')
    if ((await lookingAt(ownAim)).payload.includes('GroupNotFound'))
      outcome.wrong.push(`${caller}: a look at one’s own group is refused`)
    const { query, body } = input(ownAim)
    const isNamed = [ownAim.posId, ownAim.groupId, ownAim.alarmId, ownAim.commandId].some((id) =>
      JSON.stringify([query, body]).includes(id),
    )
    // A group within reach that the lens excludes.
    if (isNamed && seesGroup(caller) && (await lookingAt(otherGroup)).statusCode === 200)
      outcome.wrong.push(`${caller}: what is not looked at is found`)
  }

  const tryOwn = async (caller: Role) => {
    await world.undo(name)
    const answer = await api.send(name, input({ ...ownAim, ...(await world.fresh(name, caller)) }), users[caller])
    const code = laterOf(name, caller)
    if (!code) return check(caller, 'one’s own', answer, `${row.status}`)
    if (answerText(answer).split(' ')[1] === code) outcome.allowed++
    else outcome.wrong.push(`${caller}, one’s own: ${answerText(answer)} instead of ${code}`)
  }

  for (const caller of roles) {
    if (!permitted.includes(caller)) {
      for (const aim of [ownAim, foreign])
        check(caller, 'without the permission', await api.send(name, input(aim), users[caller]), '403')
      continue
    }
    await world.undo(name)
    if (aims.includes(caller)) {
      await tryIds(caller)
      await tryAnswer(caller)
      await tryLens(caller)
    }
    await tryOwn(caller)
  }
  if (new Set(places.map(titleOf)).size !== outcome.aimed.size && permitted.length > 0)
    outcome.wrong.push(`only ${[...outcome.aimed].join(', ')} were aimed at`)
  return { ...outcome, places: outcome.aimed.size }
}
