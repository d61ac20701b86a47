import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { largestAmount } from '#contract/vocabulary/world/money-limits.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { amountFault, type Draft } from './commandOrder.ts'
import step from './Step.module.css'

const refundCash = 7

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  currency: Currency
}

/** Credit, or cash, for each machine. */
export function AmountField({ draft, change, currency }: Props) {
  const { t } = useTranslation('remote-command')
  const { money } = useFormat()
  const [isTouched, setTouched] = useState(false)
  const { shownDigits, decimal } = currencies[currency]
  const { amount } = draft
  const fault = amountFault(amount, currency)
  const example = shownDigits > 0 ? `2${decimal}${'50'.slice(0, shownDigits)}` : '250'
  const says = fault && { required: t('amount.required'), unclear: t('amount.unclear', { example }), most: '' }[fault]
  const most = t('amount.most', { amount: money(largestAmount(currency), currency) })
  return (
    <MoneyInput
      className={step.amount}
      label={t(draft.type === refundCash ? 'amount.refund' : 'amount.label')}
      description={!fault && typeof amount === 'number' ? t('amount.reads', { amount: money(amount, currency) }) : most}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      required
      placeholder={example}
      value={amount}
      set={(next) => change({ amount: next })}
      leave={() => setTouched(true)}
      currency={currency}
      error={fault === 'most' ? most : isTouched ? says : undefined}
    />
  )
}
