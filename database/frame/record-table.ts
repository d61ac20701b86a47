import { type Plural, plural, type RecordNoun, recordNouns } from '#contract/vocabulary/record-nouns.ts'
import { type Snake, snake } from './row.ts'

/** The table of a record: the noun in the plural, but where the word is too wide for a table. */
export type RecordTableName<N extends RecordNoun> = N extends 'sapCode' ? 'key_sap_codes' : Snake<Plural<N>>

export const tableOfRecord = <N extends RecordNoun>(noun: N) =>
  (noun === 'sapCode' ? 'key_sap_codes' : snake(plural(noun))) as RecordTableName<N>

/** Records are a merchant's, each in its table. */
export const tablesOfRecords = Object.fromEntries(recordNouns.map((noun) => [tableOfRecord(noun), 'tenant'])) as {
  readonly [N in RecordNoun as RecordTableName<N>]: 'tenant'
}
