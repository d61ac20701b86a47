import { Radio, TextInput } from '@mantine/core'
import { IconCalculator, IconCoin, IconFileText, IconRefresh, type TablerIcon } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Currency, currencies } from '#contract/vocabulary/currencies.ts'
import {
  remoteCommandTypes,
  type SendableCommandType,
  sendableCommandTypes,
} from '#contract/vocabulary/remote-command.ts'
import { formatMoney } from '#domain/money.ts'
import { amountFault, type Draft, minorOf, mostCredit, sendCredit } from './commandOrder.ts'
import classes from './RemoteCommand.module.css'

const icons = {
  1: IconFileText,
  3: IconCalculator,
  4: IconRefresh,
  5: IconCoin,
} as const satisfies Record<SendableCommandType, TablerIcon>

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  /** Currencies of the chosen machines. */
  currenciesUsed: readonly Currency[]
}

/** The second step: what the machines shall do. */
export function CommandStep({ draft, change, currenciesUsed }: Props) {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const [currency, other] = currenciesUsed
  return (
    <div className={classes.step}>
      <Radio.Group
        value={draft.type === undefined ? '' : String(draft.type)}
        onChange={(value) => change({ type: Number(value) as SendableCommandType })}
        label={t('remote-command:command.intro')}
        classNames={{ label: classes.intro }}
      >
        <div className={classes.cards}>
          {sendableCommandTypes.map((type) => {
            const name = remoteCommandTypes[type]
            const Icon = icons[type]
            return (
              <Radio
                key={type}
                value={String(type)}
                classNames={{ root: classes.card, body: classes.cardBody, labelWrapper: classes.checkLabel }}
                label={
                  <span className={classes.cardText}>
                    <Icon size={20} stroke={1.6} aria-hidden />
                    <span className={classes.two}>
                      <span className={classes.strong}>{t(`vocabulary:commandType.${name}`)}</span>
                      <span className={classes.fine}>{t(`remote-command:explain.${name}`)}</span>
                    </span>
                  </span>
                }
              />
            )
          })}
        </div>
      </Radio.Group>
      {draft.type === sendCredit &&
        (other ? (
          <p className={classes.warn} role="alert">
            {t('remote-command:amount.currencies', { currencies: currenciesUsed.join(', ') })}
          </p>
        ) : (
          currency && <AmountField draft={draft} change={change} currency={currency} />
        ))}
    </div>
  )
}

function AmountField({ draft, change, currency }: Omit<Props, 'currenciesUsed'> & { currency: Currency }) {
  const { t } = useTranslation('remote-command')
  const [isTouched, setTouched] = useState(false)
  const { symbol, shownDigits, decimal } = currencies[currency]
  const fault = amountFault(draft.amount, currency)
  const example = shownDigits > 0 ? `2${decimal}${'50'.slice(0, shownDigits)}` : '250'
  const says = fault && { required: t('amount.required'), unclear: t('amount.unclear', { example }), most: '' }[fault]
  const most = t('amount.most', { amount: formatMoney(mostCredit, currency) })
  const minor = minorOf(draft.amount, currency)
  return (
    <TextInput
      className={classes.amount}
      label={t('amount.label')}
      description={!fault && minor ? t('amount.reads', { amount: formatMoney(minor, currency) }) : most}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      required
      inputMode="decimal"
      autoComplete="off"
      maxLength={16}
      placeholder={example}
      leftSection={<span aria-hidden>{symbol}</span>}
      leftSectionWidth={symbol.length > 1 ? 48 : 34}
      value={draft.amount}
      onChange={(event) => change({ amount: event.currentTarget.value })}
      onBlur={() => setTouched(true)}
      error={fault === 'most' ? most : isTouched ? says : undefined}
    />
  )
}
