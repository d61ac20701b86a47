import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Text } from '../frame/shapes.ts'

/** A value of an enumeration with its name in the requested language. Other calls use the code. */
export const CollectionEntry = z.strictObject({ code: z.union([z.string(), z.int()]), name: z.string() })
export type CollectionEntry = z.infer<typeof CollectionEntry>

/** Enumerations by name. */
export const collectionNames = [
  'currencies',
  'countries',
  'languages',
  'timeZones',
  'posSectors',
  'deviceTypes',
  'licenceStatuses',
  'mediaStatuses',
  'mediaTypes',
  'peripheralTypes',
  'planogramTypes',
  'productTypes',
  'priceTables',
  'remoteCommandStatuses',
  'reportTypes',
  'stockStatuses',
  'stockTypes',
  'transactionTypes',
  'vpDeviceTypes',
  'webPaymentTypes',
  'mobileThemes',
] as const
export type CollectionName = (typeof collectionNames)[number]

const entries = z.array(CollectionEntry)

/** The current version and its changes, in English. */
export const ReleaseInfo = z.strictObject({ version: z.string(), changes: z.array(z.string()) })

export const Collections = z.strictObject({
  ...(Object.fromEntries(collectionNames.map((name) => [name, entries])) as Record<CollectionName, typeof entries>),
  releaseInfo: ReleaseInfo,
})
export type Collections = z.infer<typeof Collections>

/** A country and how its addresses and companies are written. */
export const CountryFormats = CollectionEntry.extend({
  code: z.string(),
  /** Forms of its postal codes: N is a digit, A a letter, X either; several if several are in use, none if unknown. */
  postalCodes: z.array(z.string()),
  /** The country's name for its VAT code; null where any letters and digits are accepted. */
  vatCode: z.strictObject({ name: z.string(), abbreviation: z.string() }).nullable(),
})
export type CountryFormats = z.infer<typeof CountryFormats>

/** A language tag. An unsupported language is replaced with the deployment's. Without it, Accept-Language decides. */
const query = z.strictObject({ locale: Text.max(100).optional() })

export const collections = {
  listCollections: endpoint({
    method: 'GET',
    path: '/collections',
    summary: 'List all enumerations with names in one language, and the running version',
    needs: 'anyone',
    query,
    ok: Collections,
    isCacheable: true,
  }),
  listCountries: endpoint({
    method: 'GET',
    path: '/collections/countries',
    summary: 'List countries with the formats of their postal and VAT codes',
    needs: 'anyone',
    query,
    ok: z.array(CountryFormats),
    isCacheable: true,
  }),
  listPosSectors: endpoint({
    method: 'GET',
    path: '/pos-sectors',
    summary: 'List sectors of points of sale',
    needs: 'anyone',
    query,
    ok: entries,
    isCacheable: true,
  }),
}
