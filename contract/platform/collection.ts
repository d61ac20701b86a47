import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Text } from '../frame/shapes.ts'

/** A value of an enumeration with its name in the asked language; the code is what other calls take and answer. */
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

/** The version that answers, and what it brought, in English. */
export const ReleaseInfo = z.strictObject({ version: z.string(), changes: z.array(z.string()) })

export const Collections = z.strictObject({
  ...(Object.fromEntries(collectionNames.map((name) => [name, entries])) as Record<CollectionName, typeof entries>),
  releaseInfo: ReleaseInfo,
})
export type Collections = z.infer<typeof Collections>

/** A country and how its addresses and companies are written. */
export const CountryFormats = CollectionEntry.extend({
  code: z.string(),
  /** Its postal codes: N is a digit, A a letter, X either; several where several are in use, none where the form is not known. */
  postalCodes: z.array(z.string()),
  /** What the country calls its VAT code; null where any letters and digits are taken. */
  vatCode: z.strictObject({ name: z.string(), abbreviation: z.string() }).nullable(),
})
export type CountryFormats = z.infer<typeof CountryFormats>

/** A language, by its tag; what is no language of ours is answered in the deployment's own. Without it, Accept-Language decides. */
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
