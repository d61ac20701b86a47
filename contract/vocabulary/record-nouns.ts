/**
 * Records that people create, edit and delete in one way (`editable` on the server), each with the codes that refuse a call of its own.
 * The noun is the name of its id (`clientId`), of its codes (`ClientNotFound`), of its actions in the change log (`client.create`) and of
 * the live hint that refreshes its screens. A new noun is one line here.
 */
export const nounsOfRecords = {
  group: ['NotFound', 'NameTaken', 'InUse'],
  client: ['NotFound', 'AlreadyExists', 'InUse'],
  sapCode: ['NotFound', 'Taken'],
  product: ['NotFound', 'AlreadyExists', 'InPlanograms'],
  planogram: ['NotFound', 'AlreadyExists', 'InUse'],
  noVendProfile: ['NotFound', 'AlreadyExists', 'InUse'],
  vpConfiguration: ['NotFound', 'NameAlreadyExists', 'InUse'],
  screenConfiguration: ['NotFound', 'AlreadyExists', 'InUse'],
  stockPlace: ['NotFound', 'NameTaken', 'InUse'],
  round: ['NotFound', 'InUse', 'Closed'],
  route: ['NotFound', 'NameTaken'],
  deposit: ['NotFound', 'ReferenceTaken'],
  customer: ['NotFound', 'AlreadyExists'],
  cashDatabase: ['NotFound', 'InUse'],
  firmwareRule: ['NotFound', 'AlreadyExists', 'InUse'],
  cashDatabaseRule: ['NotFound', 'AlreadyExists', 'InUse'],
  licence: ['NotFound', 'AlreadyExists', 'InUse'],
  webhook: ['NotFound', 'NameTaken', 'TooMany', 'NotSending'],
} as const satisfies Record<string, readonly ['NotFound', ...string[]]>

type Nouns = typeof nounsOfRecords
export type RecordNoun = keyof Nouns
export const recordNouns = Object.keys(nounsOfRecords) as RecordNoun[]

/** Codes of records: the noun and what is wrong. */
export type RecordError = { [N in RecordNoun]: `${Capitalize<N>}${Nouns[N][number]}` }[RecordNoun]

/** A noun in a name of several words: `Client` in `createClient`. */
export const capital = <N extends string>(noun: N) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}` as Capitalize<N>

/** Several of a noun: clients, companies. */
export type Plural<N extends string> = N extends `${infer Stem}y` ? `${Stem}ies` : `${N}s`
export const plural = <N extends string>(noun: N) => noun.replace(/y$/, 'ie').concat('s') as Plural<N>
