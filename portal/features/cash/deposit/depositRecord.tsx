import { type Deposit, deposits, NewDeposit } from '#contract/cash/deposit.ts'
import { dayIn } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { type DrawField, longText, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { CollectionsField } from './CollectionsField.tsx'

const AmountField: DrawField = ({ values: _, merchantId, ...field }) => {
  const { currency } = useMerchantOf(merchantId)
  // Under all merchants there is no currency yet.
  return <MoneyField {...field} currency={currency ?? 'EUR'} isDisabled={currency === undefined} />
}
const DayField: DrawField = ({ values: _, merchantId, ...field }) => {
  const { timeZone } = useMerchantOf(merchantId)
  return <DateField {...field} max={dayIn(new Date(), timeZone)} />
}

/** A bank deposit as users create and edit it. */
export const { Create, Details } = recordScreens<Deposit>({
  words: 'deposit',
  schema: NewDeposit,
  cards: {
    slip: { day: DayField, reference: text, amount: AmountField, note: longText },
    collections: { collectionIds: CollectionsField },
    bank: { credited: AmountField, creditedOn: DayField },
  },
  param: 'depositId',
  get: deposits.getDeposit,
  create: deposits.createDeposit,
  update: deposits.updateDeposit,
  placeOf: ({ id }) => ({ to: '/devices/deposits/$depositId', params: { depositId: id } }),
  list: { to: '/devices/deposits' },
  newIn: () => ({ day: dayIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone) }),
})

/** A bank deposit with its collections, and what the bank credited. */
export function Page() {
  const { money, day } = useFormat()
  return (
    <RecordPage
      get={deposits.getDeposit}
      param="depositId"
      words="deposit"
      remove={deposits.deleteDeposit}
      list="/devices/deposits"
      nameOf={({ reference }) => reference}
      subtitle={(deposit) => [day(deposit.day), money(deposit.amount, deposit.currency)]}
    >
      <Details />
    </RecordPage>
  )
}
