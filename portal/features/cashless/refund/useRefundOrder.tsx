import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refunds } from '#contract/cashless/refund.ts'
import { isBelowMaximum } from '#contract/rules/media.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { useMachineOptions } from '#portal/ui/list/filters/useMachineOptions.ts'

interface Draft {
  amount: number | string | null
  reason: string
}

/** The fields of a refund: amount, reason, and the machine at which it is collected. `order` is undefined until all are sound. */
export function useRefundOrder(merchantId: string) {
  const { t } = useTranslation(['refund', 'form'])
  const format = useFormat()
  const { data: limits } = useQuery(queryOf(refunds.getRefundLimits, { params: { merchantId } }))
  const machines = useMachineOptions()
  const [draft, setDraft] = useKeptState<Draft>('refund', { amount: null, reason: '' })
  const { amount, reason } = draft
  const [device, setDevice] = useState<string | null>(null)
  const isTooMuch = typeof amount === 'number' && limits !== undefined && !isBelowMaximum(amount, limits.maximumRefund)
  const isSound = typeof amount === 'number' && amount > 0 && !isTooMuch && reason.trim() !== ''
  const order = limits && isSound ? { amount, currency: limits.currency, reason: reason.trim() } : undefined
  const maximum = limits && format.money(limits.maximumRefund, limits.currency)
  return {
    order,
    device: device ?? undefined,
    batchMaximum: limits?.batchMaximum,
    fields: limits && (
      <>
        <MoneyInput
          label={t('refund:field.amount')}
          description={t('refund:below', { maximum })}
          value={amount}
          set={(next) => setDraft({ ...draft, amount: next })}
          currency={limits.currency}
          error={isTooMuch && t('form:rule.refundMaximum', { maximum })}
          required
          data-autofocus
        />
        <TextInput
          label={t('refund:field.reason')}
          value={reason}
          onChange={(event) => setDraft({ ...draft, reason: event.currentTarget.value })}
          maxLength={500}
          required
        />
        <Select
          label={t('refund:field.where')}
          description={t(device ? 'refund:where.machine' : 'refund:where.cloud')}
          placeholder={t('refund:where.atOnce')}
          data={machines}
          value={device}
          onChange={setDevice}
          searchable
          clearable
        />
      </>
    ),
  }
}
