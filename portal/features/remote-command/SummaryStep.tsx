import { useTranslation } from 'react-i18next'
import type { MachineRow } from '#contract/machine.ts'
import type { Currency } from '#contract/vocabulary/currencies.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { formatMoney } from '#domain/money.ts'
import { useFormat, wireInstant } from '../../app/i18n/format.ts'
import { Facts } from '../../ui/Facts.tsx'
import { When } from '../../ui/When.tsx'
import { useCommandName } from './commandNames.ts'
import { type Draft, minorOf, sendCredit } from './commandOrder.ts'
import classes from './RemoteCommand.module.css'

interface Props {
  draft: Draft
  machines: readonly MachineRow[]
  currency: Currency | undefined
  window: { start: Date | undefined; expires: Date }
  timeZone: string
}

const namedMachines = 8
const online = 1

/** The last step: what will happen, to how many, and when. */
export function SummaryStep({ draft, machines, currency, window, timeZone }: Props) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const nameOf = useCommandName()
  const { type } = draft
  if (type === undefined) return null
  const count = machines.length
  const away = machines.filter(({ connection }) => connection !== online).length
  const minor = currency && type === sendCredit ? minorOf(draft.amount, currency) : undefined
  const money = (amount: number) => currency && formatMoney(amount, currency)
  const rest = count - namedMachines
  return (
    <div className={classes.step}>
      <p className={classes.will}>
        {t(`will.${remoteCommandTypes[type]}`, {
          count,
          number: format.number(count),
          amount: minor === undefined ? '' : money(minor),
          total: minor === undefined ? '' : money(minor * count),
        })}
      </p>
      {away > 0 && <p className={classes.warn}>{t('offline', { count: away, number: format.number(away) })}</p>}
      <Facts
        facts={[
          { name: t('summary.command'), value: nameOf(type) },
          {
            name: t('summary.start'),
            value: window.start ? (
              <When at={wireInstant(window.start)} as="exact" timeZone={timeZone} />
            ) : (
              t('summary.startNow')
            ),
          },
          {
            name: t('summary.expires'),
            value: <When at={wireInstant(window.expires)} as="exact" timeZone={timeZone} />,
          },
        ]}
      />
      <div>
        <h3 className={classes.subtitle}>
          {t('summary.machines')} <span className={classes.fine}>{format.number(count)}</span>
        </h3>
        <ul className={classes.names}>
          {machines.slice(0, namedMachines).map(({ id, name, serial }) => (
            <li key={id}>
              {name} <span className={classes.fine}>{serial}</span>
            </li>
          ))}
          {rest > 0 && (
            <li className={classes.fine}>{t('summary.more', { count: rest, number: format.number(rest) })}</li>
          )}
        </ul>
      </div>
    </div>
  )
}
