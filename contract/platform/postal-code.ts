import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Country } from '../vocabulary/world/countries.ts'

/** A place with its postal code, as its country writes it. Degrees of WGS 84, where they are known. */
export const PostalPlace = z.strictObject({
  country: z.string(),
  code: z.string(),
  place: z.string(),
  /** The province or state that an address of the country names. */
  province: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
})
export type PostalPlace = z.infer<typeof PostalPlace>

/** Places answered for one code, at most. */
export const mostPostalPlaces = 20

export const postalCodes = {
  completePostalCode: endpoint({
    method: 'GET',
    path: '/autocomplete/postalcode/{country}/{code}',
    summary: 'List cities by postal code or its first 3 or more characters, exact matches first',
    needs: 'anyone',
    params: {
      country: Country,
      code: z
        .string()
        .trim()
        .min(1)
        .max(20)
        .regex(/^[^\0]*$/),
    },
    ok: z.array(PostalPlace),
    fails: ['PostalCodeNotFound', 'ValidationFailed'],
  }),
}
