/** The subject of a report, products by default. It decides the figures, and the first grouping. The specification names only products. */
export const reportTypes = [
  'products',
  'machines',
  'clients',
  'groups',
  'priceTables',
  'medias',
  'hours',
  'transactions',
  'alarms',
  'cash',
  'refunds',
  'collections',
  'visits',
  'pieces',
  'availability',
] as const
export type ReportType = (typeof reportTypes)[number]

/** What rows of a report can be grouped by. `parameter` is one of the parameters of products. */
export const reportDimensions = [
  'product',
  'productType',
  'parameter',
  'machine',
  'client',
  'group',
  'priceTable',
  'media',
  'hour',
  'transactionType',
  'alarm',
  'severity',
  'denomination',
  'refundKind',
  'refundState',
  'collector',
  'month',
  'technician',
  'route',
  'stockPlace',
  'driver',
  'stockProduct',
] as const
export type ReportDimension = (typeof reportDimensions)[number]

/** Groupings whose rows are in their own order, not by the figure. */
export const numberedDimensions: readonly ReportDimension[] = [
  'hour',
  'priceTable',
  'denomination',
  'severity',
  'month',
]

const places = ['machine', 'client', 'group'] as const

/** Where a report's figures come from, with the possible groupings. */
export const reportSources = {
  sales: ['product', 'productType', 'parameter', ...places, 'priceTable', 'media', 'hour', 'transactionType'],
  alarms: ['alarm', 'severity', ...places],
  cash: ['denomination', ...places],
  refunds: ['refundKind', 'refundState', ...places],
  collections: ['collector', 'month', ...places],
  visits: ['technician', 'month', 'route', ...places],
  pieces: ['stockPlace', 'driver', 'stockProduct', 'month'],
  availability: ['stockProduct', 'month', ...places],
} as const satisfies Record<string, readonly ReportDimension[]>
export type ReportSource = keyof typeof reportSources

const ofTypes = {
  products: ['sales', 'product'],
  machines: ['sales', 'machine'],
  clients: ['sales', 'client'],
  groups: ['sales', 'group'],
  priceTables: ['sales', 'priceTable'],
  medias: ['sales', 'media'],
  hours: ['sales', 'hour'],
  transactions: ['sales', 'transactionType'],
  alarms: ['alarms', 'alarm'],
  cash: ['cash', 'denomination'],
  refunds: ['refunds', 'refundKind'],
  collections: ['collections', 'collector'],
  visits: ['visits', 'technician'],
  pieces: ['pieces', 'stockPlace'],
  availability: ['availability', 'machine'],
} as const satisfies Record<ReportType, readonly [ReportSource, ReportDimension]>

export const sourceOf = (type: ReportType): ReportSource => ofTypes[type][0]
/** The grouping of a report without one. */
export const ownDimension = (type: ReportType): ReportDimension => ofTypes[type][1]
export const dimensionsOf = (type: ReportType): readonly ReportDimension[] => reportSources[sourceOf(type)]

/** Groupings that need the sums by product. */
export const productDimensions: readonly ReportDimension[] = ['product', 'productType', 'parameter', 'priceTable']

/** Figures of reports with their units. A percent is a ratio: 0.25 is 25 %. */
export const reportFigures = {
  value: 'money',
  count: 'count',
  average: 'money',
  vends: 'count',
  freeCount: 'count',
  errorCount: 'count',
  refunded: 'money',
  vat: 'money',
  commission: 'money',
  cost: 'money',
  margin: 'money',
  marginRate: 'percent',
  /** Transactions that are no sales: recharges, collections, refunds and others. */
  otherCount: 'count',
  otherValue: 'money',
  visits: 'count',
  /** Pieces that visits loaded, and threw away. */
  loaded: 'count',
  wastedPieces: 'count',
  /** Net sales, without VAT, per visit. */
  netPerVisit: 'money',
  /** Of visits with known cost. */
  visitCost: 'money',
  /** The cost of what visits threw away, of products with known cost. */
  wasted: 'money',
  /** The margin without what visits cost and threw away. */
  profit: 'money',
  /** What sold-out selections lose per day now, by usual sales. Not a figure of the period. */
  lostPerDay: 'money',
  alarms: 'count',
  blocking: 'count',
  occurrences: 'count',
  open: 'count',
  cashValue: 'money',
  accepted: 'count',
  rejected: 'count',
  rejectionRate: 'percent',
  refunds: 'count',
  given: 'money',
  collections: 'count',
  uncounted: 'count',
  /** What warehouses and vans lost at cost: missing − found + expired + thrown away. */
  loss: 'money',
  missing: 'money',
  found: 'money',
  expired: 'money',
  discarded: 'money',
  lostPieces: 'count',
  /** Hours of selections in service and sold out, and the share of the hours in which they had pieces. */
  serviceLevel: 'percent',
  serviceHours: 'count',
  soldOutHours: 'count',
  counted: 'money',
  /** Of counted collections with a known expected amount, as over and short. */
  expected: 'money',
  difference: 'money',
  over: 'money',
  short: 'money',
} as const
export type ReportFigure = keyof typeof reportFigures
export const reportFigureNames = Object.keys(reportFigures) as [ReportFigure, ...ReportFigure[]]

/**
 * The orders of a report's rows: the name of its first or second grouping, the merchant, a figure, or `change`: how far the main figure
 * is from the compared one, in either direction.
 */
export const reportOrds = ['first', 'second', 'merchant', 'change', ...reportFigureNames] as const
export type ReportOrd = (typeof reportOrds)[number]

/** The figures of each source, in order. The first one orders the rows and is drawn. */
export const figuresOf = {
  sales: [
    'value',
    'count',
    'average',
    'vends',
    'otherCount',
    'otherValue',
    'freeCount',
    'errorCount',
    'refunded',
    'vat',
    'commission',
    'cost',
    'margin',
    'marginRate',
    'wasted',
    'visits',
    'visitCost',
    'profit',
    'netPerVisit',
    'lostPerDay',
  ],
  alarms: ['alarms', 'blocking', 'occurrences', 'open'],
  cash: ['cashValue', 'accepted', 'rejected', 'rejectionRate'],
  refunds: ['given', 'refunds'],
  collections: ['counted', 'expected', 'difference', 'over', 'short', 'collections', 'uncounted'],
  visits: ['visits', 'loaded', 'wastedPieces', 'counted', 'uncounted', 'wasted', 'visitCost'],
  pieces: ['loss', 'missing', 'found', 'expired', 'discarded', 'lostPieces'],
  availability: ['soldOutHours', 'serviceHours', 'serviceLevel'],
} as const satisfies Record<ReportSource, readonly ReportFigure[]>

/** Figures that appear only where they say something: not all merchants have costs, refunds or stock. */
export const optionalFigures: readonly ReportFigure[] = [
  'refunded',
  'vat',
  'commission',
  'cost',
  'margin',
  'marginRate',
  'otherCount',
  'otherValue',
  'visits',
  'netPerVisit',
  'visitCost',
  'wasted',
  'profit',
  'lostPerDay',
  'loss',
  'missing',
  'found',
  'expired',
  'discarded',
]

/** Figures whose rise is bad. */
export const lessIsBetter: readonly ReportFigure[] = [
  'errorCount',
  'refunded',
  'vat',
  'commission',
  'cost',
  'visitCost',
  'wasted',
  'lostPerDay',
  'alarms',
  'blocking',
  'occurrences',
  'open',
  'rejected',
  'rejectionRate',
  'refunds',
  'given',
  'wastedPieces',
  'loss',
  'missing',
  'expired',
  'discarded',
  'lostPieces',
  'soldOutHours',
  'uncounted',
  'over',
  'short',
]

/** What a report knows the cost of in part: what has none adds nothing to its sums. */
export const knownShares = ['visits', 'wastedPieces', 'lostPieces'] as const
export type KnownShare = (typeof knownShares)[number]

/** What "refunds" of a period may mean: each counts something else, and has its own list. */
export const refundFigures = ['ofSales', 'given', 'machineRefunds', 'reversals', 'cashOut'] as const
export type RefundFigure = (typeof refundFigures)[number]

/** The type of the transactions that a figure counts. */
export const typeOfRefunds = { machineRefunds: 6, reversals: 16, cashOut: 8 } as const satisfies Partial<
  Record<RefundFigure, number>
>
