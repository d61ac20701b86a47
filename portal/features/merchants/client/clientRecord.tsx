import { useTranslation } from 'react-i18next'
import { type Client, clients, commissionKinds } from '#contract/merchants/client.ts'
import { clientEdits, NewClient } from '#contract/merchants/client-edit.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { SectorField } from '#portal/ui/form/choices/SectorField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { AddressFields } from '#portal/ui/form/fields/AddressFields.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
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

const CommissionField: DrawField = ({ values: _, merchantId: __, ...field }) => {
  const { t } = useTranslation('client')
  return (
    <SelectField
      {...field}
      options={commissionKinds.map((value) => ({ value, label: t(`commissionKind.${value}`) }))}
    />
  )
}
// The value that the kind of commission needs.
const commissionPercent: DrawField = ({ values: { commissionKind }, merchantId: _, ...field }) =>
  commissionKind === 'percent' && <NumberField {...field} digits={2} unit="%" min={0} max={100} isRequired />
const PerVendField: DrawField = ({ values: { commissionKind }, merchantId, ...field }) => {
  const { currency } = useMerchantOf(merchantId)
  // Under all merchants there is no currency yet.
  return (
    commissionKind === 'perVend' && (
      <MoneyField {...field} currency={currency ?? 'EUR'} isDisabled={currency === undefined} isRequired />
    )
  )
}

/** A client as users create and edit it. */
export const { Create, Details } = recordScreens<Client>({
  words: 'client',
  schema: NewClient,
  cards: {
    who: { code: text, name: text, companyName: text, sector, vatCode },
    where: { address },
    commission: { commissionKind: CommissionField, commissionPercent, commissionPerVend: PerVendField },
    contact: { contactName: text, contactEmail: email, phone, website },
  },
  param: 'clientId',
  get: clients.getClient,
  create: clientEdits.createClient,
  update: clientEdits.updateClient,
  placeOf: ({ id }) => ({ to: '/manage/clients/$clientId', params: { clientId: id } }),
  list: { to: '/manage/clients' },
  newIn: ({ country }) => ({ country }),
  valueWords: {
    sector: (value) => `vocabulary:posSector.${value}`,
    commissionKind: (value) => `client:commissionKind.${value}`,
  },
})
