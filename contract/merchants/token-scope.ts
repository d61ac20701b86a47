import { z } from 'zod'

/**
 * What an API token may be given: each scope is one kind of calls, by their names in the contract. A call of the public API is in exactly one
 * scope (`token-scope.test.ts`); a call in none is closed to tokens. Tokens change master data and bring audit files: money, machines and people are
 * the users'.
 */
export const tokenScopes = {
  'machines.read': [
    'listAllMachines',
    'listMachines',
    'countMachines',
    'mapMachines',
    'getMachine',
    'getMachineGroup',
    'getMachineStatus',
    'getTimeline',
    'getQrCode',
    'getQrImage',
    'downloadQrCode',
    'listRunningVersions',
  ],
  'signals.read': ['getSignalHistory', 'getTemperatureHistory'],
  'stock.read': ['listStock', 'listStockMovements'],
  'prices.read': [
    'listPrices',
    'listPriceChanges',
    'listPricePlans',
    'getPricePlan',
    'listPlannedPrices',
    'listWrongPrices',
  ],
  'figures.read': [
    'getDashboard',
    'listMerchantsDashboard',
    'statsOfPeriod',
    'statsByPos',
    'getMachineKpis',
    'listPosKpis',
    'listMerchantKpis',
    'getMovementStats',
    'getCashAcceptance',
    'getFleetDowntime',
    'getFleetMcbf',
  ],
  'transactions.read': [
    'listTransactions',
    'listTransactionPages',
    'listAllTransactions',
    'getTransaction',
    'dataBegins',
    'typesUsed',
    'mediaTypesUsed',
    'mediaSourcesUsed',
    'productsUsed',
    'priceTablesUsed',
  ],
  'cash.read': ['getMachineCash', 'getCashTrail'],
  'collections.read': [
    'getCollectionTrail',
    'listCashCollections',
    'getCashCollection',
    'getCashCollectionReceipt',
    'listDeposits',
    'getDeposit',
  ],
  'alarms.read': ['listAlarms', 'listMachineAlarms', 'getAlarm'],
  'audits.read': [
    'listAudits',
    'getAudit',
    'getRawAudit',
    'getAuditReconciliation',
    'listReconciledDays',
    'totalReconciledDays',
  ],
  'configurations.read': ['listConfigs', 'getConfig', 'getCustomConfig'],
  'commands.read': ['listRemoteCommands', 'getRemoteCommand'],
  'notes.read': ['listNotes'],
  'groups.read': ['listGroups', 'pageGroups', 'getGroup', 'listGroupMachines'],
  'clients.read': ['listClients', 'getClient', 'listClientMachines'],
  'statements.read': ['getClientStatement'],
  'products.read': [
    'listProducts',
    'getProduct',
    'getProductPicture',
    'listProductChoices',
    'listThumbnails',
    'listProductCodes',
  ],
  'planograms.read': [
    'listPlanograms',
    'getPlanogram',
    'getPlanogramPdf',
    'draftPlanogram',
    'comparePlanogram',
    'listPlanogramMachines',
  ],
  'rounds.read': [
    'listRounds',
    'getRound',
    'listRoundLoads',
    'listRoundProducts',
    'listRoundRoutes',
    'listRoutes',
    'getRoute',
    'getWeekPlan',
    'getRoundPdf',
    'getRoundMoney',
    'listVisits',
    'getVisit',
    'getVisitPicture',
  ],
  'refunds.read': ['listRefunds', 'listMediaRefunds', 'getRefund', 'getRefundLimits'],
  'claims.read': ['listClaims', 'getClaim'],
  'audits.write': ['previewAuditFiles', 'storeAuditFiles'],
  'products.write': ['createProduct', 'updateProduct', 'deleteProduct', 'setProductPicture', 'mapProductCode'],
  'planograms.write': ['createPlanogram', 'updatePlanogram', 'deletePlanogram'],
  'clients.write': ['createClient', 'updateClient', 'deleteClient', 'moveClientMachines'],
  /** Users and groups of a directory, at `/scim/v2` instead of a call of the contract. */
  'users.provision': [],
} as const satisfies Record<string, readonly string[]>

export type TokenScope = keyof typeof tokenScopes
export const tokenScopeNames = Object.keys(tokenScopes) as [TokenScope, ...TokenScope[]]
export const TokenScopeName = z.enum(tokenScopeNames)

/** What a scope is about, and whether it may change it. */
export type ScopeSubject = TokenScope extends `${infer Subject}.${string}` ? Subject : never
export const subjectOf = (scope: TokenScope) => scope.slice(0, scope.indexOf('.')) as ScopeSubject
export const isReading = (scope: TokenScope): boolean => scope.endsWith('.read')

const scopes = new Map<string, TokenScope>(
  tokenScopeNames.flatMap((scope) => tokenScopes[scope].map((call) => [call, scope] as const)),
)

/** The scope that opens a call to tokens, by the call's name; undefined: no token may make it. */
export const scopeOfCall = (name: string): TokenScope | undefined => scopes.get(name)
