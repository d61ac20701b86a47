// Over 400 lines because one table holds a sample call of each endpoint.
import { randomUUID } from 'node:crypto'
import type { EndpointName } from '#contract/endpoints.ts'
import { nothingSaid } from '#contract/merchants/merchant-edit.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { AnyInput } from '../api.ts'

/** What one call is aimed at: a machine and all that hangs on it, reached through some merchant's path. */
export interface Aim {
  merchantId: string
  groupId: string
  posId: string
  clientId: string
  alarmId: string
  transactionId: string
  auditId: string
  commandId: string
  configId: string
  noteId: string
  /** Somebody's own, whom nobody else has to do with. */
  exportId: string
  exportToken: string
  sessionId: string
  viewId: string
  changeId: string
  tokenId: string
  sapcodeId: string
  letterId: string
  /** A person who has the group among theirs. */
  userId: string
}

const today = new Date().toISOString().slice(0, 10)
const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
export const period = { startDate: lastWeek, endDate: today }
const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofSapCode = ({ merchantId, sapcodeId }: Aim) => ({ params: { merchantId, sapcodeId } })
const ofGroup = ({ merchantId, groupId }: Aim) => ({ params: { merchantId, groupId } })
const ofClient = ({ merchantId, clientId }: Aim) => ({ params: { merchantId, clientId } })
const ofMachine = ({ merchantId, posId }: Aim) => ({ params: { merchantId, posId } })
const filtered = ({ merchantId, groupId, posId }: Aim) => ({
  params: { merchantId },
  query: { ...period, groupIds: [groupId], posIds: [posId] },
})

const stretched = (aim: Aim) => ({
  ...ofMachine(aim),
  query: { from: `${lastWeek}T00:00:00`, to: `${today}T00:00:00` },
})

const aClientBody = (name: string) => ({ code: name, name, country: 'IT' })
const noSettings = { features: [], productFamilies: [], maximumMachines: null, maximumPeople: null }
const aNewMerchant = { country: 'MX', language: 'es', timeZone: 'America/Mexico_City', currency: 'MXN' }
const aTableState = { filter: {}, headers: [], dtOptions: {}, sortOptions: null }
const aPerson = { name: 'A person', language: null, role: 'groupAdmin', receiveNotifications: false }
const aView = { isShared: true, filter: {}, sortOptions: null, headers: null }

const someSettings = {
  pin: '12345678',
  maximumRefund: 10_000,
  peripheralEventsMinutes: 60,
  scheduledAuditMinutes: 1440,
  minimumSignalPercent: 45,
  auditExceededHours: 48,
  cloudCreditUnlockHours: 24,
  pricesSync: 'immediate',
  noDataMinutes: null,
  cashBoxFullPercent: 90,
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

/** A sound call of each endpoint. `names` says which foreign thing it names: then a stranger gets 404, else an answer without it. */
export const samples: Record<
  EndpointName,
  { input: (aim: Aim) => AnyInput; names: 'nothing' | 'merchant' | 'machine' }
> = {
  getSpaConfiguration: { input: () => ({}), names: 'nothing' },
  getMe: { input: () => ({}), names: 'nothing' },
  updateMe: { input: () => ({ body: { version: 1, name: 'Me', language: 'it' } }), names: 'nothing' },
  listMyMerchants: { input: () => ({}), names: 'nothing' },
  listSessions: { input: () => ({}), names: 'nothing' },
  endSession: { input: ({ sessionId }) => ({ params: { sessionId } }), names: 'nothing' },
  endOtherSessions: { input: () => ({}), names: 'nothing' },
  // Of nobody's mail: it is admitted, and refused as an unknown one.
  acceptInvitation: { input: () => ({ body: { token: 'x'.repeat(43) } }), names: 'nothing' },
  logSessionEvent: { input: () => ({ body: { type: 'logout', reason: 'test' } }), names: 'nothing' },
  watchLive: { input: () => ({}), names: 'nothing' },
  listTableStates: { input: () => ({}), names: 'nothing' },
  saveTableState: { input: () => ({ params: { tableId: 'machines' }, body: aTableState }), names: 'nothing' },
  deleteTableState: { input: () => ({ params: { tableId: 'machines' } }), names: 'nothing' },
  listViews: { input: ofMerchant, names: 'merchant' },
  createView: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...aView, tableId: 'machines', name: randomUUID() } }),
    names: 'merchant',
  },
  updateView: {
    input: ({ merchantId, viewId }) => ({
      params: { merchantId, viewId },
      body: { ...aView, version: 1, name: randomUUID() },
    }),
    names: 'merchant',
  },
  deleteView: { input: ({ merchantId, viewId }) => ({ params: { merchantId, viewId } }), names: 'merchant' },
  exportShown: { input: (aim) => ({ ...ofMerchant(aim), body: anOrder(aim) }), names: 'machine' },
  createExport: { input: (aim) => ({ ...ofMerchant(aim), body: anOrder(aim) }), names: 'machine' },
  listExports: { input: ofMerchant, names: 'merchant' },
  getExport: { input: ({ merchantId, exportId }) => ({ params: { merchantId, exportId } }), names: 'machine' },
  cancelExport: { input: ({ merchantId, exportId }) => ({ params: { merchantId, exportId } }), names: 'machine' },
  downloadExport: { input: ({ exportToken }) => ({ params: { token: exportToken } }), names: 'nothing' },
  listMerchants: { input: () => ({}), names: 'nothing' },
  getMerchantStats: { input: () => ({}), names: 'nothing' },
  getMachineStats: { input: () => ({}), names: 'nothing' },
  getUserStats: { input: () => ({}), names: 'nothing' },
  getSalesStats: { input: () => ({ query: period }), names: 'nothing' },
  getAlarmStats: { input: () => ({}), names: 'nothing' },
  getOperationStats: { input: () => ({}), names: 'nothing' },
  listDeadLetters: { input: () => ({}), names: 'nothing' },
  getDeadLetter: { input: ({ letterId }) => ({ params: { letterId } }), names: 'nothing' },
  replayDeadLetter: { input: ({ letterId }) => ({ params: { letterId } }), names: 'nothing' },
  getMerchantSettings: { input: ofMerchant, names: 'merchant' },
  // Of a version that was never stored, as further down: it is admitted, and refused as an older one.
  updateMerchantSettings: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...someSettings, version: 99 } }),
    names: 'merchant',
  },
  regeneratePin: { input: (aim) => ({ ...ofMerchant(aim), body: { version: 99 } }), names: 'merchant' },
  listAlarmSettings: { input: ofMerchant, names: 'merchant' },
  getAlarmSetting: { input: ({ merchantId }) => ({ params: { merchantId, code: 'ENE' } }), names: 'merchant' },
  updateAlarmSetting: {
    input: ({ merchantId }) => ({ params: { merchantId, code: 'ENE' }, body: { ...anAlarmSetting, version: 99 } }),
    names: 'merchant',
  },
  deleteAlarmSetting: { input: ({ merchantId }) => ({ params: { merchantId, code: 'ENE' } }), names: 'merchant' },
  listAlarmRecipients: { input: ofMerchant, names: 'merchant' },
  listApiTokens: { input: ofMerchant, names: 'merchant' },
  createApiToken: {
    input: (aim) => ({
      ...ofMerchant(aim),
      body: { name: randomUUID(), permissions: ['machine.read'], expiresAt: null },
    }),
    names: 'merchant',
  },
  rotateApiToken: {
    input: ({ merchantId, tokenId }) => ({ params: { merchantId, tokenId }, body: { graceHours: 0 } }),
    names: 'machine',
  },
  revokeApiToken: { input: ({ merchantId, tokenId }) => ({ params: { merchantId, tokenId } }), names: 'machine' },
  listChangeLog: { input: ofMerchant, names: 'merchant' },
  getChange: { input: ({ merchantId, changeId }) => ({ params: { merchantId, changeId } }), names: 'machine' },
  getChangeLogChoices: { input: ofMerchant, names: 'merchant' },
  listProviderLog: { input: () => ({}), names: 'nothing' },
  getProviderLogChoices: { input: () => ({}), names: 'nothing' },
  getProviderChange: { input: ({ changeId }) => ({ params: { changeId } }), names: 'nothing' },
  getSuperAdminSettings: { input: ofMerchant, names: 'merchant' },
  updateSuperAdminSettings: {
    // Of a version that was never stored: it is admitted, and refused as an older one.
    input: (aim) => ({ ...ofMerchant(aim), body: { ...noSettings, version: 99 } }),
    names: 'merchant',
  },
  getMerchant: { input: ofMerchant, names: 'merchant' },
  createMerchant: { input: () => ({ body: { ...aNewMerchant, name: `New ${randomUUID()}` } }), names: 'nothing' },
  // Of a version that was never stored: it is admitted, and refused as an older one.
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
    names: 'merchant',
  },
  listSapCodes: { input: ofMerchant, names: 'merchant' },
  getSapCode: { input: ofSapCode, names: 'merchant' },
  createSapCode: { input: (aim) => ({ ...ofMerchant(aim), body: { code: randomUUID() } }), names: 'merchant' },
  updateSapCode: {
    input: (aim) => ({ ...ofSapCode(aim), body: { version: 99, code: 'Old', description: '' } }),
    names: 'merchant',
  },
  deleteSapCode: { input: ofSapCode, names: 'merchant' },
  listEveryUser: { input: () => ({}), names: 'nothing' },
  exportUsers: {
    input: ({ merchantId, groupId }) => ({
      query: { groupIds: [groupId], ...(merchantId !== allMerchants && { merchantIds: [merchantId] }) },
    }),
    names: 'machine',
  },
  listUsersOfAll: {
    input: ({ merchantId, groupId }) => ({ query: { groupIds: [groupId], merchantIds: [merchantId] } }),
    names: 'machine',
  },
  listUsers: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { groupIds: [groupId] } }),
    names: 'machine',
  },
  getUser: { input: ({ userId }) => ({ params: { userId } }), names: 'machine' },
  createUser: {
    input: ({ merchantId, groupId }) => ({
      body: {
        ...aPerson,
        email: `${randomUUID()}@gettone.test`,
        merchants: [{ merchantId, allGroups: false, groupIds: [groupId] }],
      },
    }),
    names: 'machine',
  },
  updateUser: {
    // Of a version that was never stored: it is admitted, and refused as an older one.
    input: ({ merchantId, groupId, userId }) => ({
      params: { userId },
      body: {
        ...aPerson,
        version: 99,
        email: 'other@gettone.test',
        isSuspended: false,
        merchants: [{ merchantId, allGroups: false, groupIds: [groupId] }],
      },
    }),
    names: 'machine',
  },
  deleteUser: { input: ({ userId }) => ({ params: { userId } }), names: 'machine' },
  associateUserGroup: {
    input: ({ userId, groupId }) => ({ params: { userId }, body: { groupId } }),
    names: 'machine',
  },
  // Of somebody who came in long ago: it is admitted, and refused for that.
  resendInvitation: { input: ({ userId }) => ({ params: { userId } }), names: 'machine' },
  resendInvitationOfMerchant: {
    input: ({ merchantId, userId }) => ({ params: { merchantId, userId } }),
    names: 'machine',
  },
  listGroups: { input: ofMerchant, names: 'merchant' },
  getGroup: { input: ofGroup, names: 'machine' },
  createGroup: { input: (aim) => ({ ...ofMerchant(aim), body: { name: `Group ${randomUUID()}` } }), names: 'merchant' },
  updateGroup: { input: (aim) => ({ ...ofGroup(aim), body: { version: 1, name: aim.groupId } }), names: 'machine' },
  deleteGroup: { input: ofGroup, names: 'machine' },
  pageGroups: { input: ofMerchant, names: 'merchant' },
  listGroupMachines: { input: ofGroup, names: 'machine' },
  moveGroupMachines: { input: (aim) => ({ ...ofGroup(aim), body: { added: { ids: [aim.posId] } } }), names: 'machine' },
  listGroupPeople: { input: ofGroup, names: 'machine' },
  listClients: { input: ofMerchant, names: 'merchant' },
  getClient: { input: ofClient, names: 'merchant' },
  createClient: { input: (aim) => ({ ...ofMerchant(aim), body: aClientBody(randomUUID()) }), names: 'merchant' },
  updateClient: {
    input: (aim) => ({ ...ofClient(aim), body: { ...aClientBody(aim.clientId), version: 1 } }),
    names: 'merchant',
  },
  deleteClient: { input: ofClient, names: 'merchant' },
  listClientMachines: { input: ofClient, names: 'merchant' },
  moveClientMachines: {
    input: (aim) => ({ ...ofClient(aim), body: { added: { ids: [aim.posId] } } }),
    names: 'machine',
  },
  getDashboard: { input: ofMerchant, names: 'merchant' },
  listMachinesReport: { input: ofMerchant, names: 'merchant' },
  listMerchantsDashboard: { input: ofMerchant, names: 'merchant' },
  countMachines: { input: ofMerchant, names: 'merchant' },
  mapMachines: { input: ofMerchant, names: 'merchant' },
  getAssociation: { input: ofMerchant, names: 'merchant' },
  listMachines: {
    input: ({ merchantId, groupId, posId }) => ({
      params: { merchantId },
      query: { groupIds: [groupId], ids: [posId] },
    }),
    names: 'machine',
  },
  listAllMachines: {
    input: ({ merchantId, groupId, posId }) => ({
      params: { merchantId },
      query: { groupIds: [groupId], ids: [posId] },
    }),
    names: 'machine',
  },
  getMachine: { input: ofMachine, names: 'machine' },
  getMachineKpis: { input: ofMachine, names: 'machine' },
  updateMachine: {
    input: (aim) => ({ ...ofMachine(aim), body: { version: 1, groupId: aim.groupId } }),
    names: 'machine',
  },
  updateMachines: {
    input: ({ merchantId, posId, groupId }) => ({
      params: { merchantId },
      body: { rows: [{ id: posId, version: 1, groupId }] },
    }),
    names: 'machine',
  },
  getTimeline: { input: ofMachine, names: 'machine' },
  getMachineStatus: { input: ofMachine, names: 'machine' },
  hideMachine: { input: (aim) => ({ ...ofMachine(aim), body: { hidden: false } }), names: 'machine' },
  hideMachines: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, body: { machines: { ids: [posId] }, hidden: false } }),
    names: 'machine',
  },
  allowReassociation: { input: (aim) => ({ ...ofMachine(aim), body: { allowed: true } }), names: 'machine' },
  listExpectedMachines: { input: ofMerchant, names: 'merchant' },
  expectMachine: {
    input: ({ merchantId, groupId, clientId }) => ({
      params: { merchantId, serial: 'EXPECTED-1' },
      body: { name: null, groupId, clientId },
    }),
    names: 'machine',
  },
  forgetExpectedMachine: {
    input: ({ merchantId }) => ({ params: { merchantId, serial: 'EXPECTED-2' } }),
    names: 'merchant',
  },
  resetMachine: { input: ofMachine, names: 'machine' },
  deleteMachine: { input: ofMachine, names: 'machine' },
  setMachineGroup: { input: (aim) => ({ ...ofMachine(aim), body: { groupId: aim.groupId } }), names: 'machine' },
  setMachineGroups: {
    input: ({ merchantId, posId, groupId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, groupId },
    }),
    names: 'machine',
  },
  getMachineGroup: { input: ofMachine, names: 'machine' },
  // The machine stays in its group for the other calls: out of sight, its people would lose it.
  leaveMachineGroup: { input: ofMachine, names: 'machine' },
  setMachineClient: { input: (aim) => ({ ...ofMachine(aim), body: { clientId: null } }), names: 'machine' },
  setMachineClients: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, clientId: null },
    }),
    names: 'machine',
  },
  setNoVendProfile: { input: (aim) => ({ ...ofMachine(aim), body: { noVendProfileId: null } }), names: 'machine' },
  setManageStock: { input: (aim) => ({ ...ofMachine(aim), body: { manageStock: true } }), names: 'machine' },
  getQrCode: { input: ofMachine, names: 'machine' },
  getQrImage: { input: ofMachine, names: 'machine' },
  downloadQrCode: { input: ofMachine, names: 'machine' },
  listAlarms: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { groupIds: [groupId] } }),
    names: 'machine',
  },
  listMachineAlarms: { input: ofMachine, names: 'machine' },
  getAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
    names: 'machine',
  },
  repairAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId }, body: {} }),
    names: 'machine',
  },
  repairAlarms: {
    input: ({ merchantId, alarmId }) => ({ params: { merchantId }, body: { alarms: { ids: [alarmId] } } }),
    names: 'machine',
  },
  reopenAlarms: {
    input: ({ merchantId, alarmId }) => ({ params: { merchantId }, body: { ids: [alarmId] } }),
    names: 'machine',
  },
  deleteAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
    names: 'machine',
  },
  listSensors: { input: ofMachine, names: 'machine' },
  getSensorHistory: {
    input: (aim) => ({
      ...stretched(aim),
      query: { ...stretched(aim).query, submodule: 'coinValidator', name: 'entry' },
    }),
    names: 'machine',
  },
  listSensorThresholds: { input: () => ({}), names: 'nothing' },
  updateSensorThresholds: {
    // Of a version that was never stored: it is admitted, and refused as an older one.
    input: () => ({
      body: {
        rows: [
          { submodule: 'coinValidator', name: 'entry', warning: 1, critical: 2, valuesIncrease: true, version: 99 },
        ],
      },
    }),
    names: 'nothing',
  },
  listStock: { input: ofMachine, names: 'machine' },
  listPrices: { input: ofMachine, names: 'machine' },
  listMasterAlarms: { input: () => ({}), names: 'nothing' },
  getMasterAlarm: { input: () => ({ params: { code: 'ENE' } }), names: 'nothing' },
  getRepairGuide: { input: () => ({ params: { code: 'ENE' }, query: { language: 'it' } }), names: 'nothing' },
  getTroubleshooting: { input: () => ({ params: { code: 'ENE', language: 'it' } }), names: 'nothing' },
  updateTroubleshooting: {
    input: () => ({ params: { code: 'ENE', language: 'it' }, body: { content: '<p>1</p>', version: 0 } }),
    names: 'nothing',
  },
  listTransactions: { input: filtered, names: 'machine' },
  listTransactionPages: { input: filtered, names: 'machine' },
  listAllTransactions: { input: filtered, names: 'machine' },
  getTransaction: {
    input: ({ merchantId, transactionId }) => ({ params: { merchantId, transactionId } }),
    names: 'machine',
  },
  statsOfPeriod: { input: filtered, names: 'machine' },
  statsByPos: { input: filtered, names: 'machine' },
  typesUsed: { input: filtered, names: 'machine' },
  productsUsed: { input: filtered, names: 'machine' },
  priceTablesUsed: { input: filtered, names: 'machine' },
  mediaTypesUsed: { input: filtered, names: 'machine' },
  mediaSourcesUsed: { input: filtered, names: 'machine' },
  listAudits: { input: ofMachine, names: 'machine' },
  getAudit: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
    names: 'machine',
  },
  getRawAudit: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
    names: 'machine',
  },
  getAuditReconciliation: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
    names: 'machine',
  },
  listReconciledDays: { input: filtered, names: 'machine' },
  listConfigs: { input: ofMachine, names: 'machine' },
  getConfig: {
    input: ({ merchantId, posId, configId }) => ({ params: { merchantId, posId, configId } }),
    names: 'machine',
  },
  getCustomConfig: { input: ofMachine, names: 'machine' },
  updateCustomConfig: {
    input: (aim) => ({ ...ofMachine(aim), body: { version: 0, parameters: [{ name: 'sale.retries', value: '3' }] } }),
    names: 'machine',
  },
  // Of a version that was never saved: it is admitted, and refused as an older one.
  sendCustomConfig: { input: (aim) => ({ ...ofMachine(aim), body: { version: 99 } }), names: 'machine' },
  getSignalHistory: { input: stretched, names: 'machine' },
  getTemperatureHistory: { input: stretched, names: 'machine' },
  getMovementStats: { input: (aim) => ({ ...ofMachine(aim), query: period }), names: 'machine' },
  listRemoteCommands: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, query: { posIds: [posId] } }),
    names: 'machine',
  },
  getRemoteCommand: { input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }), names: 'machine' },
  sendRemoteCommand: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, order: { type: 4 } },
    }),
    names: 'machine',
  },
  cancelRemoteCommand: {
    input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }),
    names: 'machine',
  },
  cancelRemoteCommands: {
    input: ({ merchantId, commandId }) => ({ params: { merchantId }, body: { commands: { ids: [commandId] } } }),
    names: 'machine',
  },
  listNotes: { input: ofMachine, names: 'machine' },
  createNote: { input: (aim) => ({ ...ofMachine(aim), body: { note: 'A note' } }), names: 'machine' },
  deleteNote: {
    input: ({ merchantId, posId, noteId }) => ({ params: { merchantId, posId, noteId } }),
    names: 'machine',
  },
  listCollections: { input: () => ({ query: { locale: 'it' } }), names: 'nothing' },
  listCountries: { input: () => ({}), names: 'nothing' },
  listPosSectors: { input: () => ({}), names: 'nothing' },
  completePostalCode: { input: () => ({ params: { country: 'IT', code: '00185' } }), names: 'nothing' },
  getSimulation: { input: ofMachine, names: 'machine' },
  actOnMachine: { input: (aim) => ({ ...ofMachine(aim), body: { action: 'jam' } }), names: 'machine' },
}
