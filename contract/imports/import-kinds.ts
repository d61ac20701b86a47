import type { Permission } from '../access.ts'
import type { ExportList } from '../export/export-lists.ts'
import type { Feature } from '../vocabulary/feature.ts'

/** How the cells of a field are read. `record`: another record, by its name or code. */
export type ImportField =
  | { is: 'text' | 'amount' | 'count' | 'percent' | 'day' | 'country' | 'phone' | 'parameters' | 'record' }
  | { is: 'word' | 'words'; of: 'posSector' | 'productType' | 'mediaType' | 'language' | 'allergen' }

export interface ImportKindFacts {
  /** Each of them is needed: those of the noun, since an import is many edits of it. */
  needs: readonly Permission[]
  feature?: Feature
  /** The export whose headings are understood as well: an exported file can be imported again. */
  list?: ExportList
  /** Without a column for one of them a file cannot be imported; of several in a row, one is enough. */
  required: readonly (readonly string[])[]
  fields: Readonly<Record<string, ImportField>>
}

const text = { is: 'text' } as const
const amount = { is: 'amount' } as const
const count = { is: 'count' } as const
const record = { is: 'record' } as const
const sector = { is: 'word', of: 'posSector' } as const

/** What can be imported from a file, in the order in which an operator moves in: later kinds name records of earlier ones. */
export const importKinds = {
  groups: { needs: ['group.write'], list: 'groups', required: [['name']], fields: { name: text } },
  clients: {
    needs: ['client.write'],
    list: 'clients',
    required: [['name']],
    fields: {
      code: text,
      name: text,
      companyName: text,
      sector,
      country: { is: 'country' },
      address: text,
      zipCode: text,
      city: text,
      province: text,
      phone: { is: 'phone' },
      website: text,
      vatCode: text,
      contactName: text,
      contactEmail: text,
    },
  },
  products: {
    needs: ['product.write'],
    feature: 'vending',
    list: 'products',
    required: [['code']],
    fields: {
      code: text,
      name: text,
      productType: { is: 'word', of: 'productType' },
      description: text,
      vat: { is: 'percent' },
      gtin: text,
      cost: amount,
      defaultPrice: amount,
      defaultFill: count,
      supplier: text,
      packSize: count,
      minimumPacks: count,
      leadDays: count,
      allergens: { is: 'words', of: 'allergen' },
      parameters: { is: 'parameters' },
    },
  },
  planograms: {
    needs: ['planogram.write'],
    feature: 'vending',
    required: [['name'], ['selection'], ['capacity']],
    fields: {
      name: text,
      planogramType: { is: 'word', of: 'productType' },
      selection: text,
      product: record,
      price: amount,
      capacity: count,
      warningLevel: count,
      refillValue: count,
    },
  },
  machines: {
    needs: ['machine.associate', 'machine.write'],
    list: 'machines',
    required: [['serial']],
    fields: {
      serial: text,
      name: text,
      group: record,
      client: record,
      planogram: record,
      address: text,
      sector,
      warrantyUntil: { is: 'day' },
    },
  },
  customers: {
    needs: ['customer.write'],
    feature: 'customerMedia',
    required: [['name']],
    fields: {
      name: text,
      email: text,
      phone: { is: 'phone' },
      language: { is: 'word', of: 'language' },
      externalUserId: text,
    },
  },
  media: {
    // Opening balances are money that the merchant owes from then on.
    needs: ['media.write', 'customer.write', 'keptRecharge.write'],
    feature: 'customerMedia',
    required: [['serial']],
    fields: {
      serial: text,
      type: { is: 'word', of: 'mediaType' },
      credit: amount,
      bonus: amount,
      customer: record,
    },
  },
} as const satisfies Record<string, ImportKindFacts>

export type ImportKind = keyof typeof importKinds
// The keys of a literal are its names, which Object.keys forgets.
export const importKindNames = Object.keys(importKinds) as [ImportKind, ...ImportKind[]]

/** A kind with what all kinds have. */
export const importKindOf = (kind: ImportKind): ImportKindFacts => importKinds[kind]

type FieldsOf<K extends ImportKind> = K extends ImportKind ? keyof (typeof importKinds)[K]['fields'] : never
export type ImportFieldName = FieldsOf<ImportKind>

/** The columns that a mapping still needs: of each list one is enough. */
export const missingColumns = (kind: ImportKind, mapping: Readonly<Record<string, number>>): string[] =>
  importKindOf(kind).required.flatMap((some) => (some.some((field) => field in mapping) ? [] : some.slice(0, 1)))
