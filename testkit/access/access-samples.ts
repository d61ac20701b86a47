// Over 450 lines because one table holds a sample call of each endpoint.
import { createHash, randomUUID } from 'node:crypto'
import type { EndpointName } from '#contract/endpoints.ts'
import { nothingSaid } from '#contract/merchants/merchant-edit.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { newVpDocument, vpSchemaOf } from '#domain/configurations/vp-schema.ts'
import type { AnyInput } from '../api.ts'
import type { Aim } from './aim.ts'
import { cashlessSamples } from './cashless-samples.ts'
import { customerSamples } from './customer-samples.ts'
import { dataRetrievalSamples } from './data-retrieval-samples.ts'
import { keyPortalSamples } from './key-portal-samples.ts'
import { licenceSamples } from './licence-samples.ts'
import { productSamples } from './product-samples.ts'
import { type RecordCall, recordSamples } from './record-samples.ts'
import { reportSamples } from './report-samples.ts'
import { roundSamples } from './round-samples.ts'
import { screenSamples } from './screen-samples.ts'
import { webPaymentSamples } from './web-payment-samples.ts'

const today = new Date().toISOString().slice(0, 10)
const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
/** Until tomorrow: in the machines' time zone it may already be tomorrow. */
export const period = { startDate: lastWeek, endDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }
const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofGroup = ({ merchantId, groupId }: Aim) => ({ params: { merchantId, groupId } })
const ofClient = ({ merchantId, clientId }: Aim) => ({ params: { merchantId, clientId } })
const ofPlanogram = ({ merchantId, planogramId }: Aim) => ({ params: { merchantId, planogramId } })
const ofMachine = ({ merchantId, posId }: Aim) => ({ params: { merchantId, posId } })
const filtered = ({ merchantId, groupId, posId }: Aim) => ({
  params: { merchantId },
  query: { ...period, groupIds: [groupId], posIds: [posId] },
})

const ofKpis = ({ merchantId, groupId }: Aim) => ({ params: { merchantId }, query: { ...period, groupIds: [groupId] } })

const stretched = (aim: Aim) => ({
  ...ofMachine(aim),
  query: { from: `${lastWeek}T00:00:00`, to: `${today}T00:00:00` },
})

const aPlanogramBody = ({ productId }: Aim, name: string) => ({
  name,
  planogramType: 'B',
  lines: [{ selection: '11', productId, capacity: 10, warningLevel: 2, refillValue: 10, prices: { 1: 150 } }],
})
const ofCollection = ({ merchantId, collectionId }: Aim) => ({ params: { merchantId, collectionId } })
const ofVp = ({ merchantId, vpConfigurationId }: Aim) => ({ params: { merchantId, vpConfigurationId } })
const ofStockPlace = ({ merchantId, stockPlaceId }: Aim) => ({ params: { merchantId, stockPlaceId } })
const ofNoVend = ({ merchantId, noVendProfileId }: Aim) => ({ params: { merchantId, noVendProfileId } })
const aNoVendBody = (name: string) => ({
  name,
  selections: ['1'],
  windows: [{ days: [1], from: '08:00', to: '12:00' }],
})
const vpSchema = vpSchemaOf('AZVT')
const aVpFile = {
  format: 'gettone-vp',
  name: 'A file',
  deviceType: 'AZVT',
  schemaVersion: vpSchema?.['x-version'],
  document: vpSchema && newVpDocument(vpSchema),
}
const ofPricePlan = ({ merchantId, pricePlanId }: Aim) => ({ params: { merchantId, pricePlanId } })
const aPriceOrder = ({ posId, productId }: Aim) => ({
  machines: { ids: [posId] },
  scope: 'products',
  productIds: [productId],
  priceTables: [1],
  rule: { kind: 'set', price: 100 },
})
/** For a change without prices. */
const digestOfNothing = createHash('sha256').digest('base64url')
const noSettings = { features: [], productFamilies: [], maximumMachines: null, maximumPeople: null }
const aNewMerchant = { country: 'MX', language: 'es', timeZone: 'America/Mexico_City', currency: 'MXN' }
const aTableState = { filter: {}, headers: [], dtOptions: {}, sortOptions: null }
const aUser = { name: 'A user', language: null, role: 'groupAdmin', receiveNotifications: false }
/** A new version each time. */
const aFirmwareBody = () => ({ release: `1.0.0.${Math.floor(Math.random() * 1e9)}`, deviceTypes: ['CUNI'] })
const aView = { isShared: true, filter: {}, sortOptions: null, headers: null }

const someSettings = {
  pin: '12345678',
  maximumRefund: 10_000,
  peripheralEventsMinutes: 60,
  scheduledAuditMinutes: 1440,
  minimumSignalPercent: 45,
  auditExceededHours: 48,
  cloudCreditUnlockHours: 24,
  largestRecharge: null,
  largestBalance: null,
  largestDailyRecharge: 100_000,
  largestDailyRechargeOfMachine: null,
  pricesSync: 'immediate',
  priceBandPercent: 30,
  noDataMinutes: null,
  cashBoxFullPercent: 90,
  collectionTolerance: 100,
  visitCost: 1200,
  clockDriftMinutes: 5,
  lowStockSelections: 3,
  temperatureMinimum: null,
  temperatureMaximum: null,
}
const anAlarmSetting = {
  enabled: true,
  criticity: null,
  mailFrom: 4,
  delayMinutes: 5,
  toPeople: true,
  addresses: [],
  quietHours: null,
  blockingBreaksQuiet: true,
  reminderHours: 24,
  escalationHours: null,
  escalationPeople: [],
  escalationAddresses: [],
  serviceCycles: null,
}

const anOrder = ({ groupId }: Aim) => ({
  list: 'machines',
  format: 'csv',
  columns: ['name', 'serial'],
  filter: { groupIds: [groupId] },
  language: 'en',
})

const ofWebhook = ({ merchantId, webhookId }: Aim) => ({ params: { merchantId, webhookId } })
const ofWebhookMessage = ({ merchantId, webhookId, webhookMessageId }: Aim) => ({
  params: { merchantId, webhookId, webhookMessageId },
})

/** A file that is refused. */
const noAudit = { files: [{ name: 'letter.txt', data: Buffer.from('Dear operator').toString('base64') }] }

/** A file without rows. */
const anImportOfNothing = {
  kind: 'clients',
  file: { name: 'clients.csv', data: Buffer.from('name').toString('base64') },
  mapping: { name: 0 },
}
const digestOfNoRows = createHash('sha256').update(JSON.stringify(anImportOfNothing.mapping)).digest('base64url')

/** A valid call of each endpoint, except the calls of records (`record-samples.ts`). */
const samplesByHand: Record<Exclude<EndpointName, RecordCall>, { input: (aim: Aim) => AnyInput }> &
  Partial<typeof recordSamples> = {
  ...keyPortalSamples,
  getSpaConfiguration: { input: () => ({}) },
  getMe: { input: () => ({}) },
  updateMe: { input: () => ({ body: { version: 1, name: 'Me', language: 'it' } }) },
  listMyMerchants: { input: () => ({}) },
  getFirstScreen: { input: ({ merchantId }) => ({ query: { merchant: merchantId, dashboard: 'true' } }) },
  listSessions: { input: () => ({}) },
  listUserSessions: { input: ({ userId }) => ({ params: { userId } }) },
  endUserSession: { input: ({ userId, sessionId }) => ({ params: { userId, sessionId } }) },
  endUserSessions: { input: ({ userId }) => ({ params: { userId } }) },
  endSession: { input: ({ sessionId }) => ({ params: { sessionId } }) },
  endOtherSessions: { input: () => ({}) },
  // An unknown invitation: admitted, then refused as unknown.
  acceptInvitation: { input: () => ({ body: { token: 'x'.repeat(43) } }) },
  logSessionEvent: { input: () => ({ body: { type: 'logout', reason: 'test' } }) },
  watchLive: { input: () => ({}) },
  listTableStates: { input: () => ({}) },
  saveTableState: { input: () => ({ params: { tableId: 'machines' }, body: aTableState }) },
  deleteTableState: { input: () => ({ params: { tableId: 'machines' } }) },
  listViews: { input: ofMerchant },
  createView: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...aView, tableId: 'machines', name: randomUUID() } }),
  },
  updateView: {
    input: ({ merchantId, viewId }) => ({
      params: { merchantId, viewId },
      body: { ...aView, version: 1, name: randomUUID() },
    }),
  },
  deleteView: { input: ({ merchantId, viewId }) => ({ params: { merchantId, viewId } }) },
  exportShown: { input: (aim) => ({ ...ofMerchant(aim), body: anOrder(aim) }) },
  createExport: { input: (aim) => ({ ...ofMerchant(aim), body: anOrder(aim) }) },
  listExports: { input: ofMerchant },
  getExport: { input: ({ merchantId, exportId }) => ({ params: { merchantId, exportId } }) },
  cancelExport: { input: ({ merchantId, exportId }) => ({ params: { merchantId, exportId } }) },
  downloadExport: { input: ({ exportToken }) => ({ params: { token: exportToken } }) },
  listMerchants: { input: () => ({}) },
  getMerchantStats: { input: () => ({}) },
  getMachineStats: { input: () => ({}) },
  getUserStats: { input: () => ({}) },
  getSalesStats: { input: () => ({ query: period }) },
  getAlarmStats: { input: () => ({}) },
  getOperationStats: { input: () => ({}) },
  listDeadLetters: { input: () => ({}) },
  getDeadLetter: { input: ({ letterId }) => ({ params: { letterId } }) },
  replayDeadLetter: { input: ({ letterId }) => ({ params: { letterId } }) },
  getMerchantSettings: { input: ofMerchant },
  getFirstSteps: { input: ofMerchant },
  updateFirstSteps: { input: (aim) => ({ ...ofMerchant(aim), body: { isClosed: true } }) },
  getSignInRules: { input: ofMerchant },
  updateSignInRules: { input: (aim) => ({ ...ofMerchant(aim), body: { secondFactorRoles: [] } }) },
  // The version was never stored: the call is permitted, and refused as outdated. So are further calls below.
  updateMerchantSettings: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...someSettings, version: 99 } }),
  },
  regeneratePin: { input: (aim) => ({ ...ofMerchant(aim), body: { version: 99 } }) },
  listAlarmSettings: { input: ofMerchant },
  getAlarmSetting: { input: ({ merchantId }) => ({ params: { merchantId, code: 'ENE' } }) },
  updateAlarmSetting: {
    input: ({ merchantId }) => ({ params: { merchantId, code: 'ENE' }, body: { ...anAlarmSetting, version: 0 } }),
  },
  deleteAlarmSetting: { input: ({ merchantId }) => ({ params: { merchantId, code: 'ENE' } }) },
  listAlarmRecipients: { input: ofMerchant },
  listKiosks: { input: ofMerchant },
  createKiosk: {
    input: ({ merchantId, groupId }) => ({
      params: { merchantId },
      body: { name: `Display ${randomUUID()}`, shows: 'both', groupId, lastDay: period.endDate },
    }),
  },
  endKiosk: { input: ({ merchantId, kioskId }) => ({ params: { merchantId, kioskId } }) },
  getKiosk: { input: () => ({}) },
  getKioskDashboard: { input: () => ({}) },
  mapKiosk: { input: () => ({ query: { width: 400, height: 300 } }) },
  listApiTokens: { input: ofMerchant },
  createApiToken: {
    input: (aim) => ({
      ...ofMerchant(aim),
      body: { name: randomUUID(), scopes: ['machines.read'], expiresAt: null },
    }),
  },
  rotateApiToken: {
    input: ({ merchantId, tokenId }) => ({ params: { merchantId, tokenId }, body: { graceHours: 0 } }),
  },
  getPlatformStatus: { input: () => ({}) },
  rotateWebhookSecret: { input: (aim) => ({ ...ofWebhook(aim), body: { graceHours: 24 } }) },
  testWebhook: { input: ofWebhook },
  replayWebhook: {
    input: (aim) => ({ ...ofWebhook(aim), body: { from: '2026-11-01T00:00', to: '2026-11-02T00:00', which: 'all' } }),
  },
  listWebhookMessages: { input: ofWebhook },
  getWebhookMessage: { input: ofWebhookMessage },
  retryWebhookMessage: { input: ofWebhookMessage },
  revokeApiToken: { input: ({ merchantId, tokenId }) => ({ params: { merchantId, tokenId } }) },
  listChangeLog: { input: ofMerchant },
  getChange: { input: ({ merchantId, changeId }) => ({ params: { merchantId, changeId } }) },
  getChangeLogChoices: { input: ofMerchant },
  listProviderLog: { input: () => ({}) },
  getProviderLogChoices: { input: () => ({}) },
  getProviderChange: { input: ({ changeId }) => ({ params: { changeId } }) },
  getSuperAdminSettings: { input: ofMerchant },
  updateSuperAdminSettings: {
    // The version was never stored: the call is permitted, and refused as outdated.
    input: (aim) => ({ ...ofMerchant(aim), body: { ...noSettings, version: 99 } }),
  },
  getMerchant: { input: ofMerchant },
  createMerchant: { input: () => ({ body: { ...aNewMerchant, name: `New ${randomUUID()}` } }) },
  // The version was never stored: the call is permitted, and refused as outdated.
  updateMerchant: {
    input: ({ merchantId }) => ({
      body: {
        ...nothingSaid,
        ...aNewMerchant,
        id: merchantId,
        version: 99,
        name: 'Old',
        isDemo: false,
        demoExpiresOn: null,
      },
    }),
  },
  listEveryUser: { input: () => ({}) },
  exportUsers: {
    input: ({ merchantId, groupId }) => ({
      query: { groupIds: [groupId], ...(merchantId !== allMerchants && { merchantIds: [merchantId] }) },
    }),
  },
  listUsersOfAll: {
    input: ({ merchantId, groupId }) => ({ query: { groupIds: [groupId], merchantIds: [merchantId] } }),
  },
  listUsers: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { groupIds: [groupId] } }),
  },
  getUser: { input: ({ userId }) => ({ params: { userId } }) },
  createUser: {
    input: ({ merchantId, groupId }) => ({
      body: {
        ...aUser,
        email: `${randomUUID()}@gettone.test`,
        merchants: [{ merchantId, allGroups: false, groupIds: [groupId] }],
      },
    }),
  },
  updateUser: {
    // The version was never stored: the call is permitted, and refused as outdated.
    input: ({ merchantId, groupId, userId }) => ({
      params: { userId },
      body: {
        ...aUser,
        version: 99,
        email: 'other@gettone.test',
        isSuspended: false,
        merchants: [{ merchantId, allGroups: false, groupIds: [groupId] }],
      },
    }),
  },
  deleteUser: { input: ({ userId }) => ({ params: { userId } }) },
  removeSecondFactors: { input: ({ userId }) => ({ params: { userId } }) },
  associateUserGroup: {
    input: ({ userId, groupId }) => ({ params: { userId }, body: { groupId } }),
  },
  // A user who accepted long ago: the call is permitted, and refused for that reason.
  resendInvitation: { input: ({ userId }) => ({ params: { userId } }) },
  resendInvitationOfMerchant: {
    input: ({ merchantId, userId }) => ({ params: { merchantId, userId } }),
  },
  listGroups: { input: ofMerchant },
  getGroup: { input: ofGroup },
  createGroup: { input: (aim) => ({ ...ofMerchant(aim), body: { name: `Group ${randomUUID()}` } }) },
  updateGroup: { input: (aim) => ({ ...ofGroup(aim), body: { version: 1, name: aim.groupId } }) },
  deleteGroup: { input: ofGroup },
  pageGroups: { input: ofMerchant },
  listGroupMachines: { input: ofGroup },
  moveGroupMachines: { input: (aim) => ({ ...ofGroup(aim), body: { added: { ids: [aim.posId] } } }) },
  listGroupPeople: { input: ofGroup },
  getClientStatement: { input: (aim) => ({ ...ofClient(aim), query: { month: today.slice(0, 7) } }) },
  listClientMachines: { input: ofClient },
  listNoVendProfiles: { input: ofMerchant },
  getNoVendProfile: { input: ofNoVend },
  createNoVendProfile: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...aNoVendBody(randomUUID()), productIds: [aim.productId] } }),
  },
  updateNoVendProfile: {
    input: (aim) => ({
      ...ofNoVend(aim),
      body: { ...aNoVendBody(aim.noVendProfileId), productIds: [aim.productId], version: 1 },
    }),
  },
  deleteNoVendProfile: { input: ofNoVend },
  setNoVendProfile: { input: (aim) => ({ ...ofMachine(aim), body: { noVendProfileId: null } }) },
  setNoVendProfiles: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, noVendProfileId: null },
    }),
  },
  updateVpConfiguration: {
    input: (aim) => {
      const { schemaVersion = '', document = {} } = aVpFile
      return { ...ofVp(aim), body: { name: aim.vpConfigurationId, schemaVersion, document, version: 1 } }
    },
  },
  downloadVpConfiguration: { input: ofVp },
  uploadVpConfiguration: {
    input: (aim) => ({ ...ofVp(aim), body: { version: 1, file: aVpFile } }),
  },
  sendVpConfiguration: { input: (aim) => ({ ...ofVp(aim), body: { version: 1, machines: { ids: [aim.posId] } } }) },
  listVpMachines: { input: ofVp },
  getVpMachine: {
    input: ({ merchantId, vpConfigurationId, posId }) => ({ params: { merchantId, vpConfigurationId, posId } }),
  },
  listNoVendMachines: { input: ofNoVend },
  moveClientMachines: {
    input: (aim) => ({ ...ofClient(aim), body: { added: { ids: [aim.posId] } } }),
  },
  ...productSamples,
  previewAuditFiles: { input: (aim) => ({ ...ofMerchant(aim), body: noAudit }) },
  storeAuditFiles: { input: (aim) => ({ ...ofMerchant(aim), body: noAudit }) },
  listImports: { input: ofMerchant },
  previewImport: { input: (aim) => ({ ...ofMerchant(aim), body: anImportOfNothing }) },
  createImport: { input: (aim) => ({ ...ofMerchant(aim), body: { ...anImportOfNothing, digest: digestOfNoRows } }) },
  undoImport: { input: ({ merchantId, importId }) => ({ params: { merchantId, importId } }) },
  ...roundSamples,
  ...reportSamples,
  ...webPaymentSamples,
  ...dataRetrievalSamples,
  ...licenceSamples,
  ...cashlessSamples,
  listPlanograms: { input: ofMerchant },
  getPlanogram: { input: ofPlanogram },
  createPlanogram: { input: (aim) => ({ ...ofMerchant(aim), body: aPlanogramBody(aim, randomUUID()) }) },
  updatePlanogram: {
    input: (aim) => ({ ...ofPlanogram(aim), body: { ...aPlanogramBody(aim, aim.planogramId), version: 1 } }),
  },
  deletePlanogram: { input: ofPlanogram },
  getPlanogramPdf: { input: ofPlanogram },
  draftPlanogram: { input: ofMachine },
  comparePlanogram: {
    input: ({ merchantId, planogramId, posId }) => ({ params: { merchantId, planogramId, posId } }),
  },
  setMachinePlanogram: { input: (aim) => ({ ...ofMachine(aim), body: { planogramId: null } }) },
  setMachinePlanograms: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, planogramId: null },
    }),
  },
  listPlanogramMachines: { input: ofPlanogram },
  movePlanogramMachines: {
    input: (aim) => ({ ...ofPlanogram(aim), body: { added: { ids: [aim.posId] } } }),
  },
  listProductChoices: { input: ofMerchant },
  listThumbnails: {
    input: ({ merchantId, productId }) => ({ params: { merchantId }, query: { productIds: [productId] } }),
  },
  ...screenSamples,
  getDashboard: { input: ofMerchant },
  listHaltedRollouts: { input: ofMerchant },
  listMachinesReport: { input: ofMerchant },
  getCashAcceptance: { input: ofKpis },
  getFleetDowntime: { input: ofKpis },
  getFleetMcbf: { input: ofKpis },
  listPosKpis: { input: ofKpis },
  listMerchantKpis: { input: ofKpis },
  listMerchantsDashboard: { input: ofMerchant },
  countMachines: { input: ofMerchant },
  mapMachines: { input: ofMerchant },
  getAssociation: { input: ofMerchant },
  listMachines: {
    input: ({ merchantId, groupId, posId }) => ({
      params: { merchantId },
      query: { groupIds: [groupId], ids: [posId] },
    }),
  },
  listAllMachines: {
    input: ({ merchantId, groupId, posId }) => ({
      params: { merchantId },
      query: { groupIds: [groupId], ids: [posId] },
    }),
  },
  getMachine: { input: ofMachine },
  getMachineKpis: { input: ofMachine },
  updateMachine: {
    input: (aim) => ({ ...ofMachine(aim), body: { version: 1, groupId: aim.groupId } }),
  },
  updateMachines: {
    input: ({ merchantId, posId, groupId }) => ({
      params: { merchantId },
      body: { rows: [{ id: posId, version: 1, groupId }] },
    }),
  },
  getTimeline: { input: ofMachine },
  getMachineStatus: { input: ofMachine },
  hideMachine: { input: (aim) => ({ ...ofMachine(aim), body: { hidden: false } }) },
  hideMachines: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, body: { machines: { ids: [posId] }, hidden: false } }),
  },
  allowReassociation: { input: (aim) => ({ ...ofMachine(aim), body: { allowed: true } }) },
  listExpectedMachines: { input: ofMerchant },
  expectMachine: {
    input: ({ merchantId, groupId, clientId }) => ({
      params: { merchantId, serial: 'EXPECTED-1' },
      body: { name: null, groupId, clientId },
    }),
  },
  createAssociationCode: {
    input: ({ merchantId }) => ({ params: { merchantId, serial: 'EXPECTED-1' } }),
  },
  forgetExpectedMachine: {
    input: ({ merchantId }) => ({ params: { merchantId, serial: 'EXPECTED-2' } }),
  },
  resetMachine: { input: ofMachine },
  deleteMachine: { input: ofMachine },
  setMachineGroup: { input: (aim) => ({ ...ofMachine(aim), body: { groupId: aim.groupId } }) },
  setMachineGroups: {
    input: ({ merchantId, posId, groupId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, groupId },
    }),
  },
  getMachineGroup: { input: ofMachine },
  // Other calls need the machine in its group: without it, the group's users would lose access.
  leaveMachineGroup: { input: ofMachine },
  setMachineClient: { input: (aim) => ({ ...ofMachine(aim), body: { clientId: null } }) },
  setMachineClients: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, clientId: null },
    }),
  },
  setManageStock: { input: (aim) => ({ ...ofMachine(aim), body: { manageStock: true } }) },
  setManageStocks: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, manageStock: true },
    }),
  },
  getQrCode: { input: ofMachine },
  printMachineLabels: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { posIds: [posId], reader: 'staff', paper: 'roll50x30' },
    }),
  },
  getMachineLabels: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, body: { posIds: [posId] } }),
  },
  getQrImage: { input: ofMachine },
  downloadQrCode: { input: ofMachine },
  listAlarms: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { groupIds: [groupId] } }),
  },
  listMachineAlarms: { input: ofMachine },
  getAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
  },
  repairAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId }, body: {} }),
  },
  repairAlarms: {
    input: ({ merchantId, alarmId }) => ({ params: { merchantId }, body: { alarms: { ids: [alarmId] } } }),
  },
  reopenAlarms: {
    input: ({ merchantId, alarmId }) => ({ params: { merchantId }, body: { ids: [alarmId] } }),
  },
  deleteAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
  },
  acknowledgeAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId }, body: { minutes: 60 } }),
  },
  assignAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId }, body: { userId: null } }),
  },
  commentAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId }, body: { text: 'Seen' } }),
  },
  listAlarmAssignees: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
  },
  listSensors: { input: ofMachine },
  getSensorHistory: {
    input: (aim) => ({
      ...stretched(aim),
      query: { ...stretched(aim).query, submodule: 'coinValidator', name: 'entry' },
    }),
  },
  listSensorThresholds: { input: () => ({}) },
  updateSensorThresholds: {
    // The version was never stored: the call is permitted, and refused as outdated.
    input: () => ({
      body: {
        rows: [
          { submodule: 'coinValidator', name: 'entry', warning: 1, critical: 2, valuesIncrease: true, version: 99 },
        ],
      },
    }),
  },
  listStock: { input: ofMachine },
  listProductsToBuy: { input: ofMerchant },
  getProductsToBuyPdf: { input: ofMerchant },
  listPlaceLots: { input: ofStockPlace },
  listPieceOperations: { input: ofStockPlace },
  listPieceLosses: {
    input: (aim) => ({ ...ofMerchant(aim), query: { stockPlaceIds: [aim.stockPlaceId], productIds: [aim.productId] } }),
  },
  bookPieces: {
    input: (aim) => ({
      ...ofStockPlace(aim),
      body: { id: randomUUID(), kind: 'purchase', lines: [{ productId: aim.productId, pieces: 1 }] },
    }),
  },
  bookStock: {
    input: (aim) => ({ ...ofMachine(aim), body: { edits: [{ selection: '1', before: 0, refill: 1 }] } }),
  },
  settleStockDifferences: {
    input: (aim) => ({ ...ofMachine(aim), body: { selections: ['1'], keep: 'portal' } }),
  },
  settleStockRefills: {
    input: (aim) => ({
      ...ofMachine(aim),
      body: { refills: [{ id: '00000000-0000-4000-8000-000000000001', selection: '1' }], as: 'dropped' },
    }),
  },
  listStockMovements: { input: ofMachine },
  listSupplies: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { groupIds: [groupId] } }),
  },
  listPrices: { input: ofMachine },
  listPriceChanges: { input: ofMachine },
  updatePrices: {
    input: (aim) => ({
      ...ofMachine(aim),
      body: { edits: [{ selection: '1', priceTable: 1, before: null, price: 100 }] },
    }),
  },
  sendPrices: { input: ofMachine },
  cancelPrices: { input: ofMachine },
  previewPriceChange: { input: (aim) => ({ ...ofMerchant(aim), body: aPriceOrder(aim) }) },
  changePrices: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...aPriceOrder(aim), digest: digestOfNothing } }),
  },
  cancelPlannedPrices: { input: ofMachine },
  listPricePlans: { input: (aim) => ({ ...ofMerchant(aim), query: { posIds: [aim.posId] } }) },
  getPricePlan: { input: ofPricePlan },
  cancelPricePlan: { input: ofPricePlan },
  listPlannedPrices: { input: (aim) => ({ ...ofMerchant(aim), query: { posIds: [aim.posId] } }) },
  closeWrongPrices: {
    input: (aim) => ({
      ...ofMerchant(aim),
      body: { prices: [{ posId: aim.posId, selection: '1', priceTable: 1, sales: 1, lost: 10 }] },
    }),
  },
  listWrongPrices: {
    input: ({ merchantId, groupId, posId }) => ({
      params: { merchantId },
      query: { groupIds: [groupId], posIds: [posId] },
    }),
  },
  listMasterAlarms: { input: () => ({}) },
  getMasterAlarm: { input: () => ({ params: { code: 'ENE' } }) },
  getRepairGuide: { input: () => ({ params: { code: 'ENE' }, query: { language: 'it' } }) },
  getTroubleshooting: { input: () => ({ params: { code: 'ENE', language: 'it' } }) },
  updateTroubleshooting: {
    input: () => ({ params: { code: 'ENE', language: 'it' }, body: { content: '<p>1</p>', version: 0 } }),
  },
  listTransactions: { input: filtered },
  listTransactionPages: { input: filtered },
  listAllTransactions: { input: filtered },
  getTransaction: {
    input: ({ merchantId, transactionId }) => ({ params: { merchantId, transactionId } }),
  },
  dataBegins: { input: ofMerchant },
  statsOfPeriod: { input: filtered },
  statsByPos: { input: filtered },
  typesUsed: { input: filtered },
  productsUsed: { input: filtered },
  priceTablesUsed: { input: filtered },
  mediaTypesUsed: { input: filtered },
  mediaSourcesUsed: { input: filtered },
  listAudits: { input: ofMachine },
  getAudit: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
  },
  getRawAudit: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
  },
  getAuditReconciliation: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
  },
  listReconciledDays: { input: filtered },
  totalReconciledDays: { input: filtered },
  listConfigs: { input: ofMachine },
  getConfig: {
    input: ({ merchantId, posId, configId }) => ({ params: { merchantId, posId, configId } }),
  },
  getCustomConfig: { input: ofMachine },
  updateCustomConfig: {
    input: (aim) => ({ ...ofMachine(aim), body: { version: 0, parameters: [{ name: 'sale.retries', value: '3' }] } }),
  },
  // The version was never saved: the call is permitted, and refused as outdated.
  sendCustomConfig: { input: (aim) => ({ ...ofMachine(aim), body: { version: 99 } }) },
  getSignalHistory: { input: stretched },
  getTemperatureHistory: { input: stretched },
  getMachineCash: { input: ofMachine },
  getCashTrail: { input: ofMachine },
  updateCashFloats: {
    input: (aim) => ({
      ...ofMachine(aim),
      body: { version: 0, floats: [{ device: 'tube', value: 100, capacity: 50, wanted: 20 }] },
    }),
  },
  listCashCollections: { input: filtered },
  getCashCollection: { input: ofCollection },
  getCollectionTrail: { input: ofCollection },
  // Of a version that was never stored.
  countCashCollection: {
    input: (aim) => ({ ...ofCollection(aim), body: { version: 99, pieces: [{ value: 100, count: 1 }] } }),
  },
  setCashCollectionBag: {
    input: (aim) => ({ ...ofCollection(aim), body: { version: 99, bagNumber: randomUUID() } }),
  },
  disputeCashCollection: { input: (aim) => ({ ...ofCollection(aim), body: { version: 99, reason: 'Missing' } }) },
  closeCashCollection: { input: (aim) => ({ ...ofCollection(aim), body: { version: 99 } }) },
  reopenCashCollection: { input: (aim) => ({ ...ofCollection(aim), body: { version: 99, reason: 'Again' } }) },
  getCashCollectionReceipt: { input: ofCollection },
  getRoundMoney: { input: ({ merchantId, roundId }) => ({ params: { merchantId, roundId } }) },
  bookChangeFund: {
    input: ({ merchantId, roundId }) => ({
      params: { merchantId, roundId },
      body: { id: randomUUID(), kind: 'given', amount: 5000 },
    }),
  },
  listOpenChangeFunds: { input: ofMerchant },
  getMovementStats: { input: (aim) => ({ ...ofMachine(aim), query: period }) },
  listRemoteCommands: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, query: { posIds: [posId] } }),
  },
  getRemoteCommand: { input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }) },
  listFirmwares: { input: () => ({}) },
  getFirmware: { input: ({ firmwareId }) => ({ params: { firmwareId } }) },
  createFirmware: { input: () => ({ body: aFirmwareBody() }) },
  updateFirmware: { input: ({ firmwareId }) => ({ params: { firmwareId }, body: { ...aFirmwareBody(), version: 1 } }) },
  deleteFirmware: { input: ({ firmwareId }) => ({ params: { firmwareId } }) },
  uploadFirmwareFile: {
    input: ({ firmwareId }) => ({ params: { firmwareId }, query: { name: 'a.bin', bytes: 4 }, file: 'file' }),
  },
  uploadCashDatabaseFile: {
    input: ({ merchantId, cashDatabaseId }) => ({
      params: { merchantId, cashDatabaseId },
      query: { name: 'a.bin', bytes: 4 },
      file: 'file',
    }),
  },
  getFirmwareRollout: { input: ({ merchantId, firmwareRuleId }) => ({ params: { merchantId, firmwareRuleId } }) },
  listFirmwareRolloutMachines: {
    input: ({ merchantId, firmwareRuleId }) => ({ params: { merchantId, firmwareRuleId } }),
  },
  controlFirmwareRollout: {
    input: ({ merchantId, firmwareRuleId }) => ({ params: { merchantId, firmwareRuleId }, body: { command: 'start' } }),
  },
  getCashDatabaseRollout: {
    input: ({ merchantId, cashDatabaseRuleId }) => ({ params: { merchantId, cashDatabaseRuleId } }),
  },
  listCashDatabaseRolloutMachines: {
    input: ({ merchantId, cashDatabaseRuleId }) => ({ params: { merchantId, cashDatabaseRuleId } }),
  },
  controlCashDatabaseRollout: {
    input: ({ merchantId, cashDatabaseRuleId }) => ({
      params: { merchantId, cashDatabaseRuleId },
      body: { command: 'start' },
    }),
  },
  listRunningVersions: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { kind: 'firmware', groupIds: [groupId] } }),
  },
  sendRemoteCommand: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, order: { type: 4 } },
    }),
  },
  cancelRemoteCommand: {
    input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }),
  },
  cancelRemoteCommands: {
    input: ({ merchantId, commandId }) => ({ params: { merchantId }, body: { commands: { ids: [commandId] } } }),
  },
  listNotes: { input: ofMachine },
  createNote: { input: (aim) => ({ ...ofMachine(aim), body: { note: 'A note' } }) },
  deleteNote: {
    input: ({ merchantId, posId, noteId }) => ({ params: { merchantId, posId, noteId } }),
  },
  listCollections: { input: () => ({ query: { locale: 'it' } }) },
  listCountries: { input: () => ({}) },
  listPosSectors: { input: () => ({}) },
  completePostalCode: { input: () => ({ params: { country: 'IT', code: '00185' } }) },
  ...customerSamples,
  getSimulation: { input: ofMachine },
  actOnMachine: { input: (aim) => ({ ...ofMachine(aim), body: { action: 'jam' } }) },
}

/** A valid call of each endpoint. */
export const samples: Record<EndpointName, { input: (aim: Aim) => AnyInput }> = { ...recordSamples, ...samplesByHand }
