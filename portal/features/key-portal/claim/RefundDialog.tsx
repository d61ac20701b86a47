import { Button, Checkbox, Flex, NativeSelect, Stack, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type ClaimDetails, claims } from '#contract/key-portal/claim.ts'
import { isBelowMaximum, refundBelow, refundOfSale } from '#contract/rules/media.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { useKeptForm } from '#portal/ui/form/useKeptForm.ts'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import classes from './Claim.module.css'

interface Props {
  claim: ClaimDetails
  /** The chosen sale of the machine's log. */
  transactionId: string | undefined
  close: () => void
}

/** What the user enters about a refund, and its sending. */
function useRefund({ claim, transactionId, close }: Props) {
  const format = useFormat()
  const { currency, maximumRefund } = claim
  const usable = claim.medias.filter(({ isBlocked }) => !isBlocked)
  const [mediaId, setMedia] = useState(usable[0]?.id ?? '')
  const [answer, setAnswer] = useKeptState(`refund ${claim.id}`, '')
  const [isWithoutSale, setWithoutSale] = useState(false)
  const sale = claim.log.find(({ id }) => id === transactionId)
  const refundable = sale ? (sale.refundable ?? 0) : undefined
  const amountRule =
    refundable === undefined ? refundBelow(maximumRefund, currency) : refundOfSale(maximumRefund, refundable, currency)
  const form = useKeptForm(`refunded ${claim.id} ${transactionId ?? ''}`, z.object({ amount: amountRule }), {
    amount: Math.min(claim.amount, refundable ?? claim.amount) as number | null,
  })
  const refund = useCommand(claims.refundClaim, {
    says: ({ refundedAmount }) => ({
      key: 'claim:refund.done',
      values: { amount: format.money(refundedAmount ?? 0, currency) },
    }),
    onDone: close,
  })
  const { amount } = form.getValues()
  const isReady = usable.length > 0 && amount !== null && (sale !== undefined || isWithoutSale)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.validate().hasErrors || amount === null || !isReady) return
    refund.mutate({
      params: { merchantId: claim.merchantId, claimId: claim.id },
      body: {
        amount,
        currency,
        mediaId,
        ...(sale ? { transactionId: sale.id } : { isWithoutSale: true as const }),
        ...(answer.trim() !== '' && { answer: answer.trim() }),
      },
    })
  }
  return {
    form,
    usable,
    sale,
    refundable,
    mediaId,
    setMedia,
    answer,
    setAnswer,
    isWithoutSale,
    setWithoutSale,
    isReady,
    isSending: refund.isPending,
    submit,
  }
}

/** Refunds a claim to a medium of its customer. The refund's id follows from the claim, so a second click has no second effect. */
export function RefundDialog(props: Props) {
  const { claim, close } = props
  const { t } = useTranslation(['claim', 'ui'])
  const format = useFormat()
  const { currency, maximumRefund } = claim
  const { form, usable, sale, refundable, mediaId, setMedia, answer, setAnswer, isReady, ...refund } = useRefund(props)
  const { amount } = form.getValues()
  const serial = usable.find(({ id }) => id === mediaId)?.serial
  return (
    <Dialog onClose={close} title={t('claim:refund.title', { number: claim.number })}>
      <form onSubmit={refund.submit} noValidate>
        <Stack gap="part">
          {usable.length === 0 ? (
            <p className={classes.hint}>{t('claim:refund.noMedia')}</p>
          ) : (
            <>
              <SaleNote claim={claim} sale={sale} />
              {!sale && (
                <Checkbox
                  label={t('claim:refund.withoutSale')}
                  checked={refund.isWithoutSale}
                  onChange={({ currentTarget }) => refund.setWithoutSale(currentTarget.checked)}
                />
              )}
              <MoneyField
                form={form}
                name="amount"
                label={t('claim:refund.amount')}
                description={
                  refundable !== undefined && isBelowMaximum(refundable, maximumRefund)
                    ? t('claim:log.refundable', { amount: format.money(refundable, currency) })
                    : t('claim:refund.below', { maximum: format.money(maximumRefund, currency) })
                }
                currency={currency}
                isRequired
              />
              <NativeSelect
                label={t('claim:refund.medium')}
                value={mediaId}
                data={usable.map(({ id, serial }) => ({ value: id, label: serial }))}
                onChange={({ currentTarget }) => setMedia(currentTarget.value)}
              />
              <Textarea
                label={t('claim:refund.answer')}
                description={t('claim:close.hint')}
                autosize
                minRows={2}
                maxLength={1000}
                value={answer}
                onChange={({ currentTarget }) => setAnswer(currentTarget.value)}
              />
              {amount !== null && serial && (
                <p className={classes.hint}>
                  {t('claim:refund.consequence', { amount: format.money(amount, currency), medium: serial })}
                </p>
              )}
            </>
          )}
          <Flex gap="xs" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={refund.isSending}>
              {t('claim:refund.do', { amount: format.money(amount ?? 0, currency) })}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The sale that the refund belongs to, or that it belongs to none. */
function SaleNote({ claim, sale }: { claim: ClaimDetails; sale: ClaimDetails['log'][number] | undefined }) {
  const { t } = useTranslation('claim')
  const format = useFormat()
  const { currency } = claim
  return (
    <Note tone="gold" py="near" bdrs="inner" fz="md" c="inherit">
      {sale
        ? t('refund.sale', {
            time: format.instant(new Date(`${sale.at}Z`), 'time', claim.timeZone),
            amount: format.money(sale.amount ?? 0, currency),
            product: sale.product ?? t('log.kind.transaction'),
          })
        : t('refund.noSale')}
    </Note>
  )
}
