import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Media, medias } from '#contract/cashless/media.ts'
import { claimPayments, claims, NewClaim } from '#contract/key-portal/claim.ts'
import type { Machine } from '#contract/machines/machine.ts'
import type { Transaction } from '#contract/sales/transaction.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useAddressQuery, useLeave } from '#portal/app/go.ts'
import { instantOf, wireInstant } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { newId } from '#portal/app/uuid.ts'
import { EndpointSelect } from '#portal/ui/form/choices/EndpointSelect.tsx'
import { InstantField } from '#portal/ui/form/choices/InstantField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { ClaimSales } from './ClaimSales.tsx'

type Values = Record<string, unknown> & { happenedAt: string; transactionId: string | null }

/** What a vend of the log says about a claim; without one, nothing is known. */
const factsOf = (sale: Transaction | undefined) => ({
  transactionId: sale?.id ?? null,
  ...(sale && {
    amount: sale.refundable || sale.value,
    paidBy: sale.mediaSerial || sale.mediaId ? 'media' : 'cash',
    mediaId: sale.mediaId ?? null,
  }),
})

/** The moment, the vend that the machine's log has for it, and what the caller says. */
export function NewClaimForm({ machine }: { machine: Machine }) {
  const { t } = useTranslation('claim')
  const leave = useLeave()
  const address = useAddressQuery()
  const { id: posId, merchantId, currency, timeZone } = machine
  // A link from a vend names it and its moment.
  const [named] = useState(() => (instantOf(oneOf(address, 'at')) ? (oneOf(address, 'at') as string) : undefined))
  const [initial] = useState(
    (): Values => ({
      // A repeated attempt is the same claim.
      id: newId(),
      posId,
      happenedAt: named ?? `${wireInstant(new Date()).slice(0, 16)}:00`,
      transactionId: null,
      selection: null,
      amount: null,
      currency,
      paidBy: 'cash',
      mediaId: null,
      text: '',
      contact: null,
    }),
  )
  const form = useSchemaForm<Values>(NewClaim, initial)
  const { happenedAt, transactionId } = form.getValues()
  const isMoment = instantOf(happenedAt) !== undefined
  const answer = useQuery({
    ...queryOf(claims.listClaimSales, { params: { merchantId, posId }, query: { at: happenedAt } }),
    enabled: isMoment,
  })
  const sale = answer.data?.find(({ id }) => id === transactionId)
  const create = useCommand(claims.createClaim, {
    isQuiet: true,
    says: ({ number }) => ({ key: 'claim:new.done', values: { number } }),
  })
  const save = async (values: Values) => {
    const { id } = await create.mutateAsync({ params: { merchantId }, body: values as NewClaim })
    void leave({ to: '/customers-medias/claims/$claimId', params: { claimId: id } })
  }
  return (
    <FormScreen
      form={form}
      save={save}
      saveName={t('new.do')}
      codes={{ MediaNotFound: 'mediaId', CurrencyDiffers: 'amount' }}
      isSaving={create.isPending}
      error={create.error}
    >
      <InstantField form={form} name="happenedAt" label={t('new.at')} timeZone={timeZone} isRequired />
      <ClaimSales
        sales={isMoment ? answer : undefined}
        named={named ? oneOf(address, 'vend') : undefined}
        picked={transactionId}
        pick={(one) => form.setValues(factsOf(one))}
      />
      <MoneyField form={form} name="amount" label={t('field.amount')} currency={currency} isRequired />
      <SelectField
        form={form}
        name="paidBy"
        label={t('field.paidBy')}
        options={claimPayments.map((value) => ({ value, label: t(`payment.${value}`) }))}
        isRequired
      />
      <EndpointSelect<Values, Media>
        key={transactionId}
        form={form}
        name="mediaId"
        label={t('refund.medium')}
        description={t('new.medium')}
        row={medias.listMedias}
        input={{ params: { merchantId } }}
        optionOf={({ id, serial }) => ({ value: id, label: serial })}
        {...(sale?.mediaId && { initialOption: { value: sale.mediaId, label: sale.mediaSerial ?? '–' } })}
      />
      <TextField form={form} name="text" label={t('field.text')} maxLength={1000} rows={3} isRequired />
      <TextField
        form={form}
        name="contact"
        label={t('field.contact')}
        description={t('new.contact')}
        maxLength={120}
        autoComplete="off"
        isNullable
      />
    </FormScreen>
  )
}
