// Over 400 lines because one table holds a sample call of each endpoint.
import { randomUUID } from 'node:crypto'
import type { EndpointName } from '#contract/endpoints.ts'
import { nothingSaid } from '#contract/merchants/merchant-edit.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { AnyInput } from '../api.ts'
import type { Aim } from './access-aims.ts'

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

/** A sound call of each endpoint. */
export const samples: Record<EndpointName, { input: (aim: Aim) => AnyInput }> = {
  getSpaConfiguration: { input: () => ({}) },
  getMe: { input: () => ({}) },
  updateMe: { input: () => ({ body: { version: 1, name: 'Me', language: 'it' } }) },
  listMyMerchants: { input: () => ({}) },
  listSessions: { input: () => ({}) },
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
  // Of a version that was never stored, as further down: it is admitted, and refused as an older one.
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
  listApiTokens: { input: ofMerchant },
  createApiToken: {
    input: (aim) => ({
      ...ofMerchant(aim),
      body: { name: randomUUID(), permissions: ['machine.read'], expiresAt: null },
    }),
  },
  rotateApiToken: {
    input: ({ merchantId, tokenId }) => ({ params: { merchantId, tokenId }, body: { graceHours: 0 } }),
  },
  revokeApiToken: { input: ({ merchantId, tokenId }) => ({ params: { merchantId, tokenId } }) },
  listChangeLog: { input: ofMerchant },
  getChange: { input: ({ merchantId, changeId }) => ({ params: { merchantId, changeId } }) },
  getChangeLogChoices: { input: ofMerchant },
  listProviderLog: { input: () => ({}) },
  getProviderLogChoices: { input: () => ({}) },
  getProviderChange: { input: ({ changeId }) => ({ params: { changeId } }) },
  getSuperAdminSettings: { input: ofMerchant },
  updateSuperAdminSettings: {
    // Of a version that was never stored: it is admitted, and refused as an older one.
    input: (aim) => ({ ...ofMerchant(aim), body: { ...noSettings, version: 99 } }),
  },
  getMerchant: { input: ofMerchant },
  createMerchant: { input: () => ({ body: { ...aNewMerchant, name: `New ${randomUUID()}` } }) },
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
  },
  listSapCodes: { input: ofMerchant },
  getSapCode: { input: ofSapCode },
  createSapCode: { input: (aim) => ({ ...ofMerchant(aim), body: { code: randomUUID() } }) },
  updateSapCode: {
    input: (aim) => ({ ...ofSapCode(aim), body: { version: 1, code: randomUUID(), description: '' } }),
  },
  deleteSapCode: { input: ofSapCode },
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
        ...aPerson,
        email: `${randomUUID()}@gettone.test`,
        merchants: [{ merchantId, allGroups: false, groupIds: [groupId] }],
      },
    }),
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
  },
  deleteUser: { input: ({ userId }) => ({ params: { userId } }) },
  associateUserGroup: {
    input: ({ userId, groupId }) => ({ params: { userId }, body: { groupId } }),
  },
  // A user who accepted long ago: admitted, then refused for that.
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
  listClients: { input: ofMerchant },
  getClient: { input: ofClient },
  createClient: { input: (aim) => ({ ...ofMerchant(aim), body: aClientBody(randomUUID()) }) },
  updateClient: {
    input: (aim) => ({ ...ofClient(aim), body: { ...aClientBody(aim.clientId), version: 1 } }),
  },
  deleteClient: { input: ofClient },
  listClientMachines: { input: ofClient },
  moveClientMachines: {
    input: (aim) => ({ ...ofClient(aim), body: { added: { ids: [aim.posId] } } }),
  },
  getDashboard: { input: ofMerchant },
  listMachinesReport: { input: ofMerchant },
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
  // The machine stays in its group for the other calls: out of sight, its people would lose it.
  leaveMachineGroup: { input: ofMachine },
  setMachineClient: { input: (aim) => ({ ...ofMachine(aim), body: { clientId: null } }) },
  setMachineClients: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, clientId: null },
    }),
  },
  setNoVendProfile: { input: (aim) => ({ ...ofMachine(aim), body: { noVendProfileId: null } }) },
  setManageStock: { input: (aim) => ({ ...ofMachine(aim), body: { manageStock: true } }) },
  getQrCode: { input: ofMachine },
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
  listSensors: { input: ofMachine },
  getSensorHistory: {
    input: (aim) => ({
      ...stretched(aim),
      query: { ...stretched(aim).query, submodule: 'coinValidator', name: 'entry' },
    }),
  },
  listSensorThresholds: { input: () => ({}) },
  updateSensorThresholds: {
    // Of a version that was never stored: it is admitted, and refused as an older one.
    input: () => ({
      body: {
        rows: [
          { submodule: 'coinValidator', name: 'entry', warning: 1, critical: 2, valuesIncrease: true, version: 99 },
        ],
      },
    }),
  },
  listStock: { input: ofMachine },
  listPrices: { input: ofMachine },
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
  listConfigs: { input: ofMachine },
  getConfig: {
    input: ({ merchantId, posId, configId }) => ({ params: { merchantId, posId, configId } }),
  },
  getCustomConfig: { input: ofMachine },
  updateCustomConfig: {
    input: (aim) => ({ ...ofMachine(aim), body: { version: 0, parameters: [{ name: 'sale.retries', value: '3' }] } }),
  },
  // Of a version that was never saved: it is admitted, and refused as an older one.
  sendCustomConfig: { input: (aim) => ({ ...ofMachine(aim), body: { version: 99 } }) },
  getSignalHistory: { input: stretched },
  getTemperatureHistory: { input: stretched },
  getMovementStats: { input: (aim) => ({ ...ofMachine(aim), query: period }) },
  listRemoteCommands: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, query: { posIds: [posId] } }),
  },
  getRemoteCommand: { input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }) },
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
  getSimulation: { input: ofMachine },
  actOnMachine: { input: (aim) => ({ ...ofMachine(aim), body: { action: 'jam' } }) },
}
