import { randomUUIDv7 } from 'node:crypto'
import { type IdName, idNameOf, idNames, type RecordIdName } from '#contract/frame/ids.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { tableOf } from '#database/frame/reach.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import type { TestApi, TestUser } from '../api.ts'
import { anApiToken } from '../api-tokens.ts'
import { aSession } from '../browser/sessions.ts'
import { aChange } from '../changes.ts'
import { anExport } from '../exports.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '../fixtures.ts'
import {
  aCollection,
  aCommand,
  aConfiguration,
  aDeadLetter,
  aNote,
  anAlarm,
  anAudit,
  anInterval,
  aPlannedPrice,
  aPostalCode,
  aSale,
  aSharedView,
  aSupply,
} from '../machines/machine-data.ts'
import { aFinding, aKeptRecharge, aMedia, aRefund } from '../nouns/cashless.ts'
import { aNoVendProfile, aPicturedProduct, aProductCode } from '../nouns/catalogue.ts'
import { aDataRetrieval } from '../nouns/data-retrieval.ts'
import { anImport } from '../nouns/imports.ts'
import { aBlogFile, aBlogPost, aClaim, aPortal, aPortalFile } from '../nouns/key-portal.ts'
import { aKiosk } from '../nouns/kiosks.ts'
import { aReport } from '../nouns/reports.ts'
import { aStop, aVisit } from '../nouns/rounds.ts'
import { aScreenFile, aWhitelistEntry } from '../nouns/screens.ts'
import { aFirmware } from '../nouns/updates.ts'
import { aPaymentConfig, aPaymentOrder, aPaymentService } from '../nouns/web-payments.ts'
import { aWebhookMessage } from '../nouns/webhooks.ts'
import type { Aim } from './aim.ts'
import { aRecord, type SampledNoun, sampledNouns } from './record-samples.ts'

/** Records of a merchant, created in order: each may refer to earlier ones. */
async function recordsOf(
  api: TestApi,
  provider: TestUser,
  place: { merchantId: string; groupId: string; posId: string },
) {
  const aim: Partial<Record<IdName, string>> = { ...place }
  for (const noun of sampledNouns) aim[idNameOf(noun)] = await aRecord(api, provider, noun, aim)
  return aim as Record<RecordIdName<SampledNoun>, string>
}

async function aimAt(
  api: TestApi,
  provider: TestUser,
  merchantId: string,
  groupId: string,
  machine: TestMachine,
  ownerId: string,
): Promise<Aim> {
  const { database } = api
  const someone = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const exported = await anExport(api, someone, merchantId)
  const retrieved = await aDataRetrieval(api, someone, merchantId)
  const records = await recordsOf(api, provider, { merchantId, groupId, posId: machine.id })
  const orderId = randomUUIDv7()
  await aSupply(database, machine)
  const mediaId = await aMedia(database, merchantId)
  // An order at Nexi starts without a call to it.
  const webPaymentServiceId = await aPaymentService(database, { type: 0 })
  const nexi = { credentials: { alias: 'shop' }, secrets: { macKey: 'a key' } }
  await aPaymentConfig(database, merchantId, webPaymentServiceId, nexi)
  const serviceId = await aPaymentService(database)
  const configId = await aPaymentConfig(database, merchantId, serviceId)
  const portalFileId = await aPortalFile(database, merchantId, api.blobs)
  await aPortal(database, merchantId, { logoId: portalFileId })
  const blogFileId = await aBlogFile(database, api.blobs)
  const content = JSON.stringify(readAudit(new TextEncoder().encode('DXS*X*VA*V0/6*1\r\n')))
  return {
    ...records,
    stopId: await aStop(database, machine, { round_id: records.roundId }),
    visitId: await aVisit(database, machine),
    merchantId,
    groupId,
    posId: machine.id,
    pastPosId: machine.id,
    alarmId: await anAlarm(database, machine),
    transactionId: await aSale(database, machine),
    auditId: await anInterval(database, machine, await anAudit(database, machine, { content })),
    commandId: await aCommand(database, machine, { order_id: orderId }),
    orderId,
    configId: await aConfiguration(database, machine),
    collectionId: await aCollection(database, machine),
    mediaId,
    findingId: await aFinding(database, merchantId, mediaId),
    bookedFindingId: await aKeptRecharge(database, { merchantId, mediaId, posId: machine.id }),
    refusedFindingId: await aKeptRecharge(database, { merchantId, mediaId, posId: machine.id }),
    refundId: await aRefund(database, merchantId, mediaId),
    webPaymentServiceId,
    webPaymentOrderId: await aPaymentOrder(database, { merchantId, configId, serviceId }),
    noteId: await aNote(database, machine, ownerId),
    exportId: exported.id,
    exportToken: exported.token,
    dataRetrievalRequestId: retrieved.id,
    retrievalToken: retrieved.token,
    machineCode: await codeOf(database, machine),
    paymentId: randomUUIDv7(),
    sessionId: await aSession(database, someone.id),
    reportId: await aReport(database, merchantId, ownerId),
    viewId: await aSharedView(database, merchantId, ownerId),
    productId: await aPicturedProduct(database, merchantId),
    productCodeId: await aProductCode(database, machine),
    pricePlanId: await aPlannedPrice(database, machine),
    noVendProfileId: await aNoVendProfile(database, merchantId),
    screenFileId: await aScreenFile(database, merchantId, 'picture', api.blobs),
    whitelistEntryId: await aWhitelistEntry(database, merchantId),
    claimId: await aClaim(database, machine, { media_id: mediaId }),
    portalFileId,
    blogFileId,
    blogPostId: await aBlogPost(database, { mediaId: blogFileId }),
    firmwareId: await aFirmware(database, { deviceTypes: ['AZVT', 'CUNI'] }),
    letterId: await aDeadLetter(database, machine),
    importId: await anImport(database, merchantId, ownerId),
    changeId: await aChange(database, merchantId, { subject_id: machine.id }),
    webhookMessageId: await aWebhookMessage(database, { merchantId, webhookId: records.webhookId }),
    tokenId: (await anApiToken(database, merchantId)).id,
    kioskId: (await aKiosk(database, merchantId, { creatorId: ownerId })).id,
    userId: (await aUser(database, 'merchantUser', [{ merchantId, groups: [groupId] }])).id,
  }
}

async function codeOf({ admin }: TestApi['database'], { id }: TestMachine): Promise<string> {
  const [row] = await admin<{ code: string }>('select code from machine_directory where machine_id = $1', [id])
  return row?.code as string
}

/** Tables of records that concern the groups they name. */
const tablesOfRules = ['firmware_rules', 'cash_database_rules']

/** Nouns of groups according to the catalog: each row of their table names a machine or a group, or is a group. */
export async function groupedNouns({ admin }: TestApi['database']): Promise<Set<IdName>> {
  const tables = await admin<{ name: string }>(
    `select distinct table_name as name from information_schema.columns where column_name = 'machine_id'`,
  )
  const named = tables.map(({ name }) => name)
  const grouped = new Set<string>([...named, ...tablesOfRules, 'machines', 'machinesEver', 'groups'])
  return new Set([...idNames.filter((name) => grouped.has(tableOf(name))), 'orderId'])
}

/**
 * A user of each role, and the records that calls aim at: within reach of all, in a group that the group admin and the
 * merchant user do not see, and at another merchant.
 */
export async function accessAims(api: TestApi): Promise<{
  users: Record<Role, TestUser & { id: string }>
  ownAim: Aim
  otherGroup: Aim
  foreign: Aim
}> {
  const { database } = api
  await aPostalCode(database)
  const ownMerchant = await aMerchant(database, { name: 'Own merchant' })
  const otherMerchant = await aMerchant(database, { name: 'Foreign merchant' })
  const groups = [
    await aGroup(database, ownMerchant.id),
    await aGroup(database, ownMerchant.id),
    await aGroup(database, otherMerchant.id),
  ] as const
  const scope = {
    whole: [{ merchantId: ownMerchant.id, groups: 'all' as const }],
    part: [{ merchantId: ownMerchant.id, groups: [groups[0]] }],
  }
  const users = {
    superAdmin: await aUser(database, 'superAdmin', []),
    merchantAdmin: await aUser(database, 'merchantAdmin', scope.whole, { allowLicensing: true }),
    groupAdmin: await aUser(database, 'groupAdmin', scope.part),
    merchantUser: await aUser(database, 'merchantUser', scope.part, { allowLicensing: true }),
  }
  const at = { latitude: 45, longitude: 9 }
  const machineIn = (merchantId: string, groupId: string) => aMachine(database, merchantId, { groupId, columns: at })
  const author = users.merchantUser.subject
  const ownAim = await aimAt(
    api,
    users.superAdmin,
    ownMerchant.id,
    groups[0],
    await machineIn(ownMerchant.id, groups[0]),
    author,
  )
  const otherGroup = await aimAt(
    api,
    users.superAdmin,
    ownMerchant.id,
    groups[1],
    await machineIn(ownMerchant.id, groups[1]),
    author,
  )
  const foreign = await aimAt(
    api,
    users.superAdmin,
    otherMerchant.id,
    groups[2],
    await machineIn(otherMerchant.id, groups[2]),
    author,
  )
  // The platform audit log, which has no merchant, uses the same id.
  await database.admin(
    `insert into provider_log (id, at, user_id, user_name, action, subject_type, subject_id)
     select id, at, $2, user_name, action, subject_type, subject_id from change_log where id = $1`,
    [ownAim.changeId, users.superAdmin.id],
  )
  // Firmware and the blog belong to the provider; merchants have none.
  const ofProvider = { firmwareId: randomUUIDv7(), blogPostId: randomUUIDv7(), blogFileId: randomUUIDv7() }
  return { users, ownAim, otherGroup, foreign: { ...foreign, ...ofProvider } }
}
