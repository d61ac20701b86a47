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

/** One fact of a row. `heading` is the key of its name, such as `client:field.code`; the words are the reader's. */
export type Fact =
  | {
      /**
       * `plain` holds nothing that a spreadsheet would take for anything else, such as an id; `decimal` has the decimals that it has, `percent`
       * is in hundredths, `amount` in minor units of the row's currency, and `alarm` is a code that is shown by name.
       */
      kind: 'text' | 'plain' | 'number' | 'decimal' | 'percent' | 'amount' | 'instant' | 'flag' | 'alarm'
      heading: string
    }
  /** A code of a vocabulary, or an array of them. */
  | { kind: 'word' | 'words'; heading: string; of: WordTable }

/** A column of a list. A column with several facts becomes several columns in a file. */
export type ListColumn = Fact | Readonly<Record<string, Fact>>
/** The columns of a list, by their ids. */
export type ListColumns = Readonly<Record<string, ListColumn>>

const isFact = (column: ListColumn): column is Fact => typeof column.heading === 'string'

/** The facts of a column. Its only one has the column's own name. */
export const factsOf = (id: string, column: ListColumn): Readonly<Record<string, Fact>> =>
  isFact(column) ? { [id]: column } : column

/** Names of all facts that a list's columns hold. */
export type FactName<Columns extends ListColumns> = {
  [Id in keyof Columns & string]: Columns[Id] extends Fact ? Id : keyof Columns[Id] & string
}[keyof Columns & string]
