import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CommandOrder } from '#contract/commands/remote-command.ts'
import type { MachineRow } from '#contract/machines/machine.ts'
import { nameOf as typeName } from '#contract/vocabulary/numbers.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isReachable } from '#domain/commands/command-stage.ts'
import { useFormat, wireInstant } from '#portal/app/i18n/format.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import common from '../CommandText.module.css'
import { useCommandName } from '../commandNames.ts'
import { ParameterFacts } from '../ParameterFacts.tsx'
import type { Timing } from './commandOrder.ts'
import { WindowByZone } from './WindowByZone.tsx'

interface Props {
  order: CommandOrder
  machines: readonly MachineRow[]
  currency: Currency | undefined
  timing: Timing
  zones: readonly string[]
}

const namedMachines = 8

/** The last step: what will happen, to how many, and when. */
export function SummaryStep({ order, machines, currency, timing, zones }: Props) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const nameOf = useCommandName()
  const { type, parameters } = order
  const count = machines.length
  const away = machines.filter(({ connection }) => !isReachable(connection)).length
  const minor = 'amount' in parameters ? parameters.amount : undefined
  const money = (amount: number) => (currency ? format.money(amount, currency) : '')
  const rest = count - namedMachines
  const [timeZone = 'UTC'] = zones
  const exact = (at: Date) => <When at={wireInstant(at)} as="exact" timeZone={timeZone} />
  const when: Fact[] =
    timing.kind === 'window'
      ? [{ name: t('summary.window'), value: <WindowByZone window={timing.window} zones={zones} /> }]
      : [
          { name: t('summary.start'), value: timing.start ? exact(timing.start) : t('summary.startNow') },
          { name: t('summary.expires'), value: exact(timing.expires) },
        ]
  return (
    <Stack gap="part">
      <Text fz="figure" fw={640} lh="25px">
        {t(`will.${typeName(remoteCommandTypes, type)}`, {
          count,
          number: format.number(count),
          amount: minor === undefined ? '' : money(minor),
          total: minor === undefined ? '' : money(minor * count),
        })}
      </Text>
      {away > 0 && (
        <Note tone="warn" bdrs="inner">
          {t('offline', { count: away, number: format.number(away) })}
        </Note>
      )}
      <Facts facts={[{ name: t('summary.command'), value: nameOf(type) }, ...when]} />
      <ParameterFacts parameters={parameters} currency={currency} />
      <div>
        <h3 className={common.subtitle}>
          {t('summary.machines')} <span className={common.fine}>{format.number(count)}</span>
        </h3>
        <Group component="ul" gap="snug">
          {machines.slice(0, namedMachines).map(({ id, name, serial }) => (
            <Panel key={id} component="li" maw="100%" py={3} px="xs" fz="sm" radius="md" bg="transparent">
              {name} <span className={`${common.fine} one-line`}>{serial}</span>
            </Panel>
          ))}
          {rest > 0 && (
            <li className={`${common.fine} one-line`}>
              {t('summary.more', { count: rest, number: format.number(rest) })}
            </li>
          )}
        </Group>
      </div>
    </Stack>
  )
}
