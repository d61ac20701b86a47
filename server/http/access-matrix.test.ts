import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { isOfCustomer, isOfKiosk } from '#contract/frame/endpoint.ts'
import { idNameOf } from '#contract/frame/ids.ts'
import { endCustomerClaim, type Role, roles } from '#contract/vocabulary/roles.ts'
import { roleFromClaim } from '#domain/people/role-claim.ts'
import { accessAims, groupedNouns } from '#testkit/access/access-aims.ts'
import { samples } from '#testkit/access/access-samples.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { triedAsCustomer } from '#testkit/access/customer-trial.ts'
import { openToKiosks, triedAsKiosk } from '#testkit/access/kiosk-trial.ts'
import { statusFor } from '#testkit/access/licence-samples.ts'
import { aRecord, sampledNouns } from '#testkit/access/record-samples.ts'
import { isNarrowing, may, placesOf, refusedLater, rowOf, titleOf, tried, type World } from '#testkit/access/trial.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aSession } from '#testkit/browser/sessions.ts'
import { anExport } from '#testkit/exports.ts'
import { aMachine, aUser } from '#testkit/fixtures.ts'
import { aCommand, aNote, anAlarm, aPlannedPrice, aPrice, aSharedView } from '#testkit/machines/machine-data.ts'
import { aNoVendProfile, aPicturedProduct } from '#testkit/nouns/catalogue.ts'
import { aDataRetrieval } from '#testkit/nouns/data-retrieval.ts'
import { anImport } from '#testkit/nouns/imports.ts'
import { aBlogPost, aClaim } from '#testkit/nouns/key-portal.ts'
import { aKiosk } from '#testkit/nouns/kiosks.ts'
import { aLicence } from '#testkit/nouns/licences.ts'
import { aReport } from '#testkit/nouns/reports.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'
import { aScreenFile, aWhitelistEntry } from '#testkit/nouns/screens.ts'
import { aFirmware } from '#testkit/nouns/updates.ts'
import { aPaymentService } from '#testkit/nouns/web-payments.ts'
import { aWebhook, aWebhookMessage } from '#testkit/nouns/webhooks.ts'

/*
 * Every endpoint × every role × own and foreign merchant × own and foreign group. The schemas define which ids an endpoint
 * takes, and of which noun; access.ts defines who may call. An endpoint without a sample does not compile. In the daily run, roles of equal reach
 * share the aims at ids out of reach.
 */

/** Plain uuids in calls, with the reason why they refer to no other merchant's data. */
const plain: Record<string, string> = {
  'listGroups query.ids[]':
    'the groups of an address: those out of reach are left out of the answer, and then of the address',
  'createNote body.id': 'the note’s own id, made by who writes it',
  'commentAlarm body.id': 'the comment’s own id, made by who writes it',
  'createVisit body.id': 'the visit’s own id, made by the phone',
  'bookChangeFund body.id': 'the entry’s own id, made by the caller',
  'pickRound body.id': 'the picking’s own id, made by the caller',
  'bookPieces body.id': 'the operation’s own id, made by the caller',
  'createVisit body.stopId':
    'a stop out of reach is the same as a stop that was removed: the visit is stored without it',
  'settleStockRefills body.refills[].id': 'only what waits for the machine of the path is settled',
  'refundMedia body.id': 'the refund’s own id, made by who refunds',
  'refundMediaAtMachine body.id': 'the same',
  'refundBatch body.id': 'the batch’s own id, made by who refunds',
  'startWebPayment body.id': 'the order’s own id, made by the caller',
  'startWebPayment body.serviceId': 'payment services are the same for all merchants',
  'createOwnClaim body.id': 'the claim’s own id, made by the customer’s app',
  'createClaim body.id': 'the claim’s own id, made by who opens it',
  'startOwnPayment body.id': 'the payment’s own id, made by the customer’s app',
  'getOwnPayment params.paymentId': 'found by its handler, by the customer’s id',
  'cancelOwnPayment params.paymentId': 'the same',
  'startOwnRecharge body.id': 'the order’s own id, made by the customer’s app',
  'startOwnRecharge body.serviceId': 'payment services are the same for all merchants',
  'updateWebPaymentConfig params.serviceId': 'payment services are the same for all merchants',
  'tryWebPaymentConfig params.serviceId': 'payment services are the same for all merchants',
  'getPortalFile params.fileId': 'public: files of other portals are not found',
  'saveTableState body.merchantId': 'a notice of one’s own of where a filter was made',
}
/** Plain uuids in any filter or selection. */
const plainAnywhere: Record<string, string> = {
  'driverIds[]': 'who drove a van is kept in the book of pieces: an unknown user drove none',
  'technicianIds[]': 'who visited a machine is kept in the visit: an unknown user has none',
  'assigneeIds[]': 'who drives a round or takes care of an alarm is kept in it: an unknown user has none',
  'except[]': 'a row that is left out of a selection is not acted on',
}

let api: TestApi
let world: World

/** Objects that a previous role may have deleted or used up, created for each call whose path names them. */
const fresh: Partial<Record<keyof Aim, (caller: Role) => Promise<string>>> = {
  ...Object.fromEntries(
    sampledNouns.map((noun) => [idNameOf(noun), () => aRecord(api, world.users.superAdmin, noun, world.ownAim)]),
  ),
  webPaymentServiceId: () => aPaymentService(api.database),
  alarmId: () => {
    const { posId, merchantId } = world.ownAim
    return anAlarm(api.database, { id: posId, merchantId }, { code: `T${++made}` })
  },
  noteId: (caller) =>
    aNote(api.database, { id: world.ownAim.posId, merchantId: world.ownAim.merchantId }, world.users[caller].subject),
  reportId: (caller) => aReport(api.database, world.ownAim.merchantId, world.users[caller].subject),
  viewId: (caller) => aSharedView(api.database, world.ownAim.merchantId, world.users[caller].subject),
  productId: () => aPicturedProduct(api.database, world.ownAim.merchantId),
  firmwareId: () => aFirmware(api.database, { deviceTypes: ['AZVT', 'CUNI'] }),
  claimId: () =>
    aClaim(
      api.database,
      { id: world.ownAim.posId, merchantId: world.ownAim.merchantId },
      { media_id: world.ownAim.mediaId },
    ),
  blogPostId: () => aBlogPost(api.database),
  noVendProfileId: () => aNoVendProfile(api.database, world.ownAim.merchantId),
  stopId: () => aStop(api.database, { id: world.ownAim.posId, merchantId: world.ownAim.merchantId }),
  screenFileId: () => aScreenFile(api.database, world.ownAim.merchantId, 'picture', api.blobs),
  whitelistEntryId: () => aWhitelistEntry(api.database, world.ownAim.merchantId),
  importId: (caller) => anImport(api.database, world.ownAim.merchantId, usersById[caller].id),
  exportId: async (caller) => (await anExport(api, usersById[caller], world.ownAim.merchantId)).id,
  dataRetrievalRequestId: async (caller) => (await aDataRetrieval(api, usersById[caller], world.ownAim.merchantId)).id,
  webhookId: async () => (await aSendingWebhook()).id,
  tokenId: async () => (await anApiToken(api.database, world.ownAim.merchantId)).id,
  kioskId: async () => (await aKiosk(api.database, world.ownAim.merchantId, { creatorId: usersById.superAdmin.id })).id,
  userId: async () => {
    const { merchantId, groupId } = world.ownAim
    return (await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }])).id
  },
  sessionId: (caller) => aSession(api.database, usersById[caller].id),
}
/** Beside the API, whose limit the calls of all roles would exceed; it has a secret, so that it can be tested. */
const aSendingWebhook = () =>
  aWebhook(api.database, world.ownAim.merchantId, { url: 'https://erp.example.com/', events: ['sale.made'] })
let made = 0
let usersById: Awaited<ReturnType<typeof accessAims>>['users']

/** Objects that a previous role has changed, restored to their first state. */
const undone: Partial<Record<EndpointName, string>> = {
  updateGroup: 'update groups set version = 1',
  updateAlarmSetting: 'delete from alarm_settings',
  sendRemoteCommand: 'delete from remote_commands where type = 4',
  createLicence: `update licences set status = 5, unassign_case = 'licenceEnd'`,
  createLicences: `update licences set status = 5, unassign_case = 'licenceEnd'`,
  sendVpConfiguration: 'delete from remote_commands where type = 19',
  createExport: `delete from exports where status <> 'done'`,
  createDataRetrievalRequest: `delete from data_retrieval_requests where status = 'created'`,
}

const undo = async (name: EndpointName) => undone[name] && (await api.database.admin(undone[name]))

/** Calls after which the next role could not see the machine. */
const takesMachineAway: readonly EndpointName[] = ['deleteMachine', 'leaveMachineGroup']

async function madeFresh(name: EndpointName, caller: Role): Promise<Partial<Aim>> {
  const { merchantId, groupId, posId } = world.ownAim
  if (name === 'cancelRemoteCommand')
    return { commandId: await aCommand(api.database, { id: posId, merchantId }, { type: 17 }) }
  if (name === 'cancelPricePlan')
    return { pricePlanId: await aPlannedPrice(api.database, await aMachine(api.database, merchantId, { groupId })) }
  if (name === 'sendPrices' || name === 'cancelPrices' || name === 'cancelPlannedPrices') {
    const machine = await aMachine(api.database, merchantId, { groupId })
    await aPrice(api.database, machine, { wanted: 160, wanted_at: new Date() })
    if (name === 'cancelPlannedPrices') await aPlannedPrice(api.database, machine)
    if (name === 'cancelPrices') await aCommand(api.database, machine, { type: 10 })
    return { posId: machine.id }
  }
  if (name === 'skipStop' || name === 'reopenStop') {
    const roundId = await aRound(api.database, merchantId)
    return { roundId, stopId: await aStop(api.database, { id: posId, merchantId }, { round_id: roundId }) }
  }
  if (name === 'getWebhookMessage' || name === 'retryWebhookMessage') {
    const { id: webhookId } = await aSendingWebhook()
    return { webhookId, webhookMessageId: await aWebhookMessage(api.database, { merchantId, webhookId }) }
  }
  if (name in statusFor) {
    const licence = await aLicence(api.database, { id: posId, merchantId }, { status: statusFor[name] })
    return { licenceId: licence.id }
  }
  if (takesMachineAway.includes(name)) return { posId: (await aMachine(api.database, merchantId, { groupId })).id }
  const named = Object.entries(fresh).filter(([key]) => rowOf(name).path.includes(`{${key}}`))
  return Object.fromEntries(await Promise.all(named.map(async ([key, make]) => [key, await make(caller)])))
}

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  const aims = await accessAims(api)
  usersById = aims.users
  world = { api, ...aims, fresh: madeFresh, undo, grouped: await groupedNouns(api.database) }
})
afterAll(() => api.close())

const names = Object.keys(endpoints) as EndpointName[]
const isStream = (name: EndpointName) => rowOf(name).timeOut === 'stream'

/** The end customer exists at the identity provider, but is no role here. */
const customer = roleFromClaim(endCustomerClaim, 'tenant')

test('the matrix contains every endpoint of the contract', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(samples).sort()).toEqual([...names].sort())
})

test('a wall display may make three calls', () => {
  expect(names.filter((name) => isOfKiosk(rowOf(name))).sort()).toEqual([...openToKiosks].sort())
})

test('every uuid in a call has a noun, or is listed here with its reason', () => {
  const untyped = names.flatMap((name) =>
    placesOf(name)
      .filter(({ field }) => field.noun === undefined)
      .map((place) => `${name} ${titleOf(place)}`),
  )
  const isExcused = (title: string) => title in plain || Object.keys(plainAnywhere).some((end) => title.endsWith(end))
  expect(untyped.filter((title) => !isExcused(title))).toEqual([])
  expect(untyped).toEqual(expect.arrayContaining(Object.keys(plain)))
  for (const end of Object.keys(plainAnywhere))
    expect(
      untyped.some((title) => title.endsWith(end)),
      end,
    ).toBe(true)
})

test('ids are found in paths, filters, bodies, arrays, rows and selections', () => {
  const titles = names.flatMap((name) => placesOf(name).map((place) => `${name} ${titleOf(place)} ${place.field.noun}`))
  expect(titles).toEqual(
    expect.arrayContaining([
      'getAlarm params.alarmId alarmId',
      'listMachines query.groupIds[] groupId',
      'updateMachine body.groupId groupId',
      'updateMachines body.rows[].id posId',
      'updateMachines body.rows[].groupId groupId',
      'repairAlarms body.alarms.ids[] alarmId',
      'repairAlarms body.alarms.matching.groupIds[] groupId',
      'exportShown body.posId posId',
    ]),
  )
})

test('only ids of users and orders may narrow a filter silently', () => {
  const nouns = new Set(
    names.flatMap((name) =>
      placesOf(name)
        .filter(isNarrowing)
        .map(({ field }) => field.noun),
    ),
  )
  expect(nouns).toEqual(new Set(['userId', 'orderId']))
})

test.each(names.filter((name) => !isStream(name)))('%s', async (name) => {
  const isForAnyone = rowOf(name).needs === 'anyone'
  const later = refusedLater[name]
  const publicly = later ? errors[later] : rowOf(name).status
  const stranger = await api.send(name, samples[name].input(world.ownAim))
  expect(`a stranger: ${stranger.statusCode}`).toBe(`a stranger: ${isForAnyone ? publicly : 401}`)
  const asCustomer = await api.send(name, samples[name].input(world.ownAim), world.users.superAdmin, customer)
  expect(`an end customer: ${asCustomer.statusCode}`).toBe(`an end customer: ${isForAnyone ? publicly : 403}`)
  expect(await triedAsCustomer(name, world)).toEqual([])
  expect(await triedAsKiosk(name, world)).toEqual([])
  const { wrong, allowed, refused, places } = await tried(name, world)
  expect(wrong).toEqual([])
  if (!isOfCustomer(rowOf(name)) && !isOfKiosk(rowOf(name))) expect(allowed, 'nobody was let in').toBeGreaterThan(0)
  // Endpoints without ids that are open to every role refuse only strangers.
  if (places > 0 && !isForAnyone) expect(refused, 'nothing was refused').toBeGreaterThan(0)
})

// A stream does not end; its content is tested in live.test.ts.
test.each(names.filter(isStream))('%s', async (name) => {
  const { users, ownAim } = world
  const { token } = await anApiToken(api.database, ownAim.merchantId)
  const call = { ...samples[name].input(ownAim), headers: { authorization: `Bearer ${token}` } }
  expect((await api.send(name, samples[name].input(ownAim))).statusCode).toBe(401)
  expect((await api.send(name, call)).statusCode).toBe(403)
  expect(await triedAsKiosk(name, world)).toEqual([])
  expect((await api.send(name, samples[name].input(ownAim), users.superAdmin, customer)).statusCode).toBe(403)
  for (const caller of roles.filter((caller) => !may(caller, name)))
    expect((await api.send(name, samples[name].input(ownAim), users[caller])).statusCode).toBe(403)
  const user = await aUser(api.database, 'merchantUser', [{ merchantId: ownAim.merchantId, groups: 'all' }])
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [user.id])
  for (const who of [user, { ...user, subject: 'nobody' }])
    expect((await api.send(name, call, who)).json()).toMatchObject({ code: 'UnauthorizedUserException' })
})

describe('role of token and database', () => {
  test('the lesser role applies, whether it is in the token or in the database', async () => {
    expect((await api.as(world.users.superAdmin, 'merchantUser').getMe({})).role).toBe('merchantUser')
    expect((await api.as(world.users.merchantUser, 'superAdmin').getMe({})).role).toBe('merchantUser')
  })

  test('a super admin with a lesser role in the token sees only assigned merchants', async () => {
    expect(await api.as(world.users.superAdmin, 'merchantAdmin').listMyMerchants({})).toEqual([])
  })

  test('a user who is suspended, unknown or without a role is refused on the next request', async () => {
    const user = await aUser(api.database, 'merchantUser', [{ merchantId: world.ownAim.merchantId, groups: 'all' }])
    const refused = { code: 'UnauthorizedUserException', status: 403 }
    await api.as(user).getMe({})
    await expect(api.as(user, null).getMe({})).rejects.toMatchObject(refused)
    await api.database.admin(`update users set status = 'suspended' where id = $1`, [user.id])
    await expect(api.as(user).getMe({})).rejects.toMatchObject(refused)
    await expect(api.as({ ...user, subject: 'nobody' }).getMe({})).rejects.toMatchObject(refused)
  })
})
