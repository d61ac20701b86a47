import { deviceTypeNames } from '../vocabulary/device.ts'
import { languageNames } from '../vocabulary/world/languages.ts'

/** Vocabularies whose codes have words. */
export type WordTable =
  | 'machineState'
  | 'connection'
  | 'posStatus'
  | 'posSector'
  | 'alarmCriticity'
  | 'alarmStatus'
  | 'alarmCategory'
  | 'alarmSource'
  | 'transactionType'
  | 'mediaType'
  | 'mediaSource'
  | 'mediaStatus'
  | 'mediaOrigin'
  | 'refundKind'
  | 'refundState'
  | 'reservationState'
  | 'rolloutMachineState'
  | 'claimState'
  | 'claimPayment'
  | 'priceTable'
  | 'priceSync'
  | 'priceFault'
  | 'wrongPriceStatus'
  | 'pricePlanStatus'
  | 'plannedPriceStatus'
  | 'priceSource'
  | 'productType'
  | 'allergen'
  | 'collectionStatus'
  | 'countSight'
  | 'depositStatus'
  | 'auditOrigin'
  | 'auditPort'
  | 'crc'
  | 'dayAgreement'
  | 'intervalKind'
  | 'settingOrigin'
  | 'stockStatus'
  | 'stockType'
  | 'roundStatus'
  | 'stockMovementKind'
  | 'stockPlaceKind'
  | 'pieceOperationKind'
  | 'pieceLossKind'
  | 'stockCounter'
  | 'dirtiness'
  | 'sensorPart'
  | 'sensorName'
  | 'deadLetterReason'
  | 'replayState'
  | 'commandType'
  | 'whitelistState'
  | 'peripheral'
  | 'rolloutState'
  | 'commandStatus'
  | 'commandResult'
  | 'deviceType'
  | 'changeAction'
  | 'changeSubject'
  | 'warrantyState'
  | 'role'
  | 'userStatus'
  | 'language'
  | 'webPaymentKind'
  | 'webPaymentResult'
  | 'webPaymentReason'
  | 'retrievalType'
  | 'retrievalStatus'
  | 'retrievalMessage'
  | 'licenceStatus'
  | 'licenceType'
  | 'licenceFeature'
  | 'operationMode'
  | 'maintenanceType'
  | 'unassignCase'
  | 'webhookEvent'
  | 'webhookState'
  | 'webhookMessageState'

/** Where the words of a vocabulary are, if not in `vocabulary` under its name. Codes that are numbers have names as keys. */
export const wordPlaces = {
  changeAction: 'change-log:action',
  changeSubject: 'change-log:subject',
  countSight: 'cash-collection:sight',
  depositStatus: 'deposit:status',
  dayAgreement: 'reconciliation:state',
  intervalKind: 'reconciliation:kind',
  settingOrigin: 'alarm-setting:origin',
  stockStatus: 'stock:status',
  roundStatus: 'round:status',
  stockCounter: 'stock:counter',
  stockMovementKind: 'stock-movement:kind',
  stockType: 'stock:type',
  deadLetterReason: 'dead-letter:reason',
  replayState: 'dead-letter:state',
  dirtiness: 'sensor:state',
  sensorPart: 'sensor:part',
  sensorName: 'sensor:name',
  peripheral: 'remote-command:peripheral',
  role: 'shell:roles',
  whitelistState: 'screen-whitelist:state',
  claimState: 'claim:state',
  claimPayment: 'claim:payment',
  userStatus: 'user:status',
  retrievalType: 'data-retrieval-request:type',
  retrievalStatus: 'data-retrieval-request:status',
  retrievalMessage: 'data-retrieval-request:message',
  reservationState: 'media:reservationState',
  rolloutMachineState: 'update-rule:machine',
  webhookEvent: 'webhook:event',
  webhookState: 'webhook:state',
  webhookMessageState: 'webhook:messageState',
} as const satisfies Partial<Record<WordTable, `${string}:${string}`>>

/** Vocabularies whose words are names in every language. */
export const namedAlike = {
  deviceType: deviceTypeNames,
  language: languageNames,
} as const satisfies Partial<Record<WordTable, Readonly<Record<string, string>>>>

export const isNamedAlike = (table: WordTable): table is keyof typeof namedAlike => table in namedAlike

/** The key of the words of a vocabulary, such as `round:status` or `vocabulary:connection`. */
export const wordPlaceOf = (table: WordTable): string =>
  table in wordPlaces ? wordPlaces[table as keyof typeof wordPlaces] : `vocabulary:${table}`

interface Named {
  /** The key of its name, such as `client:field.code`, on the screen and in the file. */
  heading: string
  /** The field of a row that holds it on the screen; by default that of the column's name. */
  field?: string
  /** The name of its sort order; by default that of the column. */
  ord?: string
  /** The list is not sorted by it; docs/list-screen.md has the reasons. */
  sort?: false
  /** Where it is alone: files omit what only the screen has, and screens what only files have. */
  only?: 'screen' | 'file'
}

/** One fact of a row, with its format on the screen and in the file. */
export type Fact = Named &
  /**
   * `plain` holds nothing that a spreadsheet would take for anything else, such as an id; `decimal` has the decimals that it has, `percent`
   * is in hundredths, and `alarm` is a code that is shown by name.
   */
  (
    | { kind: 'text' | 'plain' | 'decimal' | 'percent' | 'flag' | 'alarm' }
    /** A count by default. Files write the unit into the heading, as they do that of amounts. */
    | { kind: 'number'; unit?: 'percent' | 'minutes' | 'bytes' }
    /** A calendar day. */
    | { kind: 'day' }
    /** A text that is copied, a user (the provider's, if there is no name), the code of a country. */
    | { kind: 'serial' | 'person' | 'country' }
    /** Relative to now, or written out. */
    | { kind: 'instant'; as?: 'minute' | 'exact' }
    /** Minor units of the currency in the row's field `currency`, or in the named one. */
    | { kind: 'amount'; currency?: string }
    /** A code of a vocabulary, or an array of them. */
    | { kind: 'word' | 'words'; of: WordTable }
    /** A code whose words have colour and icon. */
    | { kind: 'status'; of: WordTable }
    /** Another record, by name: a link on the screen. */
    | { kind: 'place'; of: PlaceKind }
    /** Buttons of the row, or a chart of it: nothing that a file could hold. */
    | { kind: 'own' }
  )

/** Records that rows name and lead to. */
export type PlaceKind = 'machine' | 'customer' | 'media' | 'product'

/** Several facts in one column of the screen; each has a column in the file. Without a heading, that of the first. */
export interface Facts {
  heading?: string
  facts: Readonly<Record<string, Fact>>
  ord?: string
  sort?: false
  only?: 'screen' | 'file'
}

/** A column of a list. */
export type ListColumn = Fact | Facts
/** The columns of a list, by their ids. */
export type ListColumns = Readonly<Record<string, ListColumn>>

const isFact = (column: ListColumn): column is Fact => 'kind' in column

/** The facts of a column. Its only one has the column's own name. */
const factsOf = (id: string, column: ListColumn): Readonly<Record<string, Fact>> =>
  isFact(column) ? { [id]: column } : column.facts

/** Whether a file has the column. */
export const isInFile = (column: ListColumn): boolean =>
  column.only !== 'screen' && !(isFact(column) && column.kind === 'own')

/** Whether a screen has it. */
export const isInScreen = ({ only }: ListColumn): boolean => only !== 'file'

/** The facts of a list's columns that a file has, by column. */
export const factsInFile = (columns: ListColumns): [string, Readonly<Record<string, Fact>>][] =>
  Object.entries(columns).flatMap(([id, column]) => (isInFile(column) ? [[id, factsOf(id, column)] as const] : []))

/** The fact whose format a column has on the screen, with its heading there. */
export const shownFactOf = (column: ListColumn): Fact => {
  if (isFact(column)) return column
  const [first] = Object.values(column.facts)
  if (!first) throw new Error('A column without facts')
  const { facts: _, ...presentation } = column
  return { ...first, ...presentation }
}

type Columnless = { only: 'screen' } | { kind: 'own' }
/** Names of the columns that a file has. */
export type FileColumnName<Columns extends ListColumns> = {
  [Id in keyof Columns & string]: Columns[Id] extends Columnless ? never : Id
}[keyof Columns & string]
/** Names of all facts that they hold. */
export type FactName<Columns extends ListColumns> = {
  [Id in FileColumnName<Columns>]: Columns[Id] extends { facts: infer Of } ? keyof Of & string : Id
}[FileColumnName<Columns>]

type Unsorted = { sort: false } | { kind: 'own' | 'person' } | { only: 'file' }
/** Names of the sort orders of a list's columns. */
type OrdName<Columns extends ListColumns> = {
  [Id in Exclude<keyof Columns & string, 'id'>]: Columns[Id] extends Unsorted
    ? never
    : Columns[Id] extends { ord: infer Ord extends string }
      ? Ord
      : Id
}[Exclude<keyof Columns & string, 'id'>]

const isSorted = (id: string, column: ListColumn) =>
  id !== 'id' &&
  column.sort !== false &&
  column.only !== 'file' &&
  !(isFact(column) && ['own', 'person'].includes(column.kind))

/**
 * The sort orders of a list: those of its columns, and orders without a column. The default is first. Unsorted are columns that say
 * `sort: false`, ids, buttons, and the names of users: an order would show hidden names.
 */
export const ordsOf = <const Columns extends ListColumns, First extends string, const More extends string = never>(
  columns: Columns,
  first: First,
  ...more: readonly More[]
): readonly [First, ...(OrdName<Columns> | More)[]] => {
  const names = Object.entries<ListColumn>(columns).flatMap(([id, column]) =>
    isSorted(id, column) ? [(column.ord ?? id) as OrdName<Columns>] : [],
  )
  return [first, ...new Set([...names, ...more].filter((name) => (name as string) !== first))]
}
