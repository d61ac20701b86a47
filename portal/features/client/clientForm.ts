import { z } from 'zod'
import type { Client } from '#contract/client.ts'
import { NewClient } from '#contract/client-edit.ts'

/** What the form holds: what is typed and cannot be read stays as it was typed, and a text that is empty is nothing. */
export interface ClientValues extends Record<string, unknown> {
  code: string
  name: string
  companyName: string | null
  country: string
  address: string
  zipCode: string
  city: string
  province: string
  phone: string | null
  website: string | null
  vatCode: string | null
  contactName: string | null
  contactEmail: string | null
}

export const emptyClient = (country: string): ClientValues => ({
  code: '',
  name: '',
  companyName: null,
  country,
  address: '',
  zipCode: '',
  city: '',
  province: '',
  phone: null,
  website: null,
  vatCode: null,
  contactName: null,
  contactEmail: null,
})

export const valuesOf = (client: Client): ClientValues => ({
  code: client.code,
  name: client.name,
  companyName: client.companyName,
  country: client.country,
  address: client.address ?? '',
  zipCode: client.zipCode ?? '',
  city: client.city ?? '',
  province: client.province ?? '',
  phone: client.phone,
  website: client.website,
  vatCode: client.vatCode,
  contactName: client.contactName,
  contactEmail: client.contactEmail,
})

const mayBeEmpty = (field: string) => field !== 'code' && field !== 'name' && field !== 'country'

/** The values as they are sent: optional texts that are empty are nothing. */
export const bodyOf = (values: ClientValues) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, mayBeEmpty(field) && value === '' ? null : value]),
  ) as ClientValues

/** The contract's rule of a client, of values as the form holds them. */
export const ClientForm = z.preprocess((values) => bodyOf(values as ClientValues), NewClient)
