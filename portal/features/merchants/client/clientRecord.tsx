import { type Client, clients } from '#contract/merchants/client.ts'
import { clientEdits, NewClient } from '#contract/merchants/client-edit.ts'
import { SectorField } from '#portal/ui/form/choices/SectorField.tsx'
import { AddressFields } from '#portal/ui/form/fields/AddressFields.tsx'
import { PhoneField } from '#portal/ui/form/fields/PhoneField.tsx'
import { UrlField } from '#portal/ui/form/fields/UrlField.tsx'
import { VatField } from '#portal/ui/form/fields/VatField.tsx'
import { type DrawField, email, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'

const addressNames = {
  street: 'address',
  postalCode: 'zipCode',
  city: 'city',
  province: 'province',
  country: 'country',
} as const
const address: DrawField = ({ form }) => <AddressFields form={form} names={addressNames} isNullable />
const phone: DrawField = ({ values, ...field }) => <PhoneField {...field} country={String(values.country)} />
const sector: DrawField = ({ values: _, merchantId: __, ...field }) => <SectorField {...field} />
const website: DrawField = ({ values: _, merchantId: __, ...field }) => <UrlField {...field} />
// The VAT code depends on the country, so it is checked again when that changes.
const vatCode: DrawField = ({ values: { country }, ...field }) => (
  <VatField key={String(country)} {...field} country={String(country)} />
)

/** A client as users create and edit it. */
export const { Create, Details } = recordScreens<Client>({
  words: 'client',
  schema: NewClient,
  cards: {
    who: { code: text, name: text, companyName: text, sector, vatCode },
    where: { address },
    contact: { contactName: text, contactEmail: email, phone, website },
  },
  param: 'clientId',
  get: clients.getClient,
  create: clientEdits.createClient,
  update: clientEdits.updateClient,
  placeOf: ({ id }) => ({ to: '/manage/clients/$clientId', params: { clientId: id } }),
  list: { to: '/manage/clients' },
  newIn: ({ country }) => ({ country }),
  valueWords: { sector: (value) => `vocabulary:posSector.${value}` },
})
