import { Flex, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyCommands } from '#contract/commands/remote-command.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import {
  type RemoteCommandType,
  type RemoteCommandTypeName,
  remoteCommandTypeNumbers,
  remoteCommandTypes,
} from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import common from '../CommandText.module.css'
import { commandIcons } from '../commandIcons.ts'
import { useIsOffered } from '../useIsOffered.ts'
import { AmountField } from './AmountField.tsx'
import { CommandFields } from './CommandFields.tsx'
import classes from './CommandStep.module.css'
import { amountCommands, type Draft } from './commandOrder.ts'
import step from './Step.module.css'

/** Groups of commands, the most used first. */
const groupOf = {
  readAudit: 'read',
  readCounters: 'read',
  readAlarms: 'read',
  readBootInfo: 'read',
  readConfig: 'read',
  readPrices: 'read',
  readStock: 'read',
  restart: 'act',
  sendCredit: 'act',
  refundCash: 'act',
  updateAccounting: 'act',
  resetDefaults: 'act',
  sendPrices: 'send',
  sendConfig: 'send',
  sendVpConfig: 'send',
  updateFirmware: 'update',
  updateDatabase: 'update',
  updatePeripheralFirmware: 'update',
  updatePeripheralDatabase: 'update',
} as const satisfies Record<RemoteCommandTypeName, string>
const names = Object.keys(groupOf) as RemoteCommandTypeName[]
const groups = Map.groupBy(names, (name) => groupOf[name])

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  /** Currencies of the chosen machines. */
  currenciesUsed: readonly Currency[]
}

/** The second step: the command. Commands that need a missing feature are not offered. */
export function CommandStep({ draft, change, currenciesUsed }: Props) {
  const { t } = useTranslation('remote-command')
  const isOffered = useIsOffered()
  const id = useId()
  const choose = (value: string) => change({ type: remoteCommandTypeNumbers.find((type) => String(type) === value) })
  return (
    <Radio.Group
      value={draft.type === undefined ? '' : String(draft.type)}
      onChange={choose}
      label={t('command.intro')}
      classNames={{ label: common.intro }}
    >
      <Stack gap="part">
        {[...groups].map(([group, commands]) => {
          const types = commands.map((name) => remoteCommandTypes[name]).filter(isOffered)
          if (types.length === 0) return null
          const isHere = draft.type !== undefined && types.some((type) => type === draft.type)
          return (
            <Stack key={group} component="section" gap="near" aria-labelledby={`${id}-${group}`}>
              <h3 id={`${id}-${group}`} className={common.subtitle}>
                {t(`group.${group}`)}
              </h3>
              <SimpleGrid minColWidth="min(285px, 100%)" spacing="xs">
                {types.map((type) => (
                  <CommandCard key={type} type={type} />
                ))}
              </SimpleGrid>
              {isHere && <Parameters draft={draft} change={change} currenciesUsed={currenciesUsed} />}
            </Stack>
          )
        })}
      </Stack>
    </Radio.Group>
  )
}

function CommandCard({ type }: { type: RemoteCommandType }) {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const name = nameOf(remoteCommandTypes, type)
  const Icon = commandIcons[type]
  return (
    <Radio
      value={String(type)}
      classNames={{ root: step.card, body: step.cardBody, labelWrapper: step.checkLabel }}
      label={
        <Flex component="span" gap="sm" align="flex-start" className={classes.cardText}>
          <Icon size={20} stroke={1.6} aria-hidden />
          <Stack component="span" gap={0} align="flex-start" miw={0}>
            <span className={common.strong}>{t(`vocabulary:commandType.${name}`)}</span>
            <span className={common.fine}>{t(`remote-command:explain.${name}`)}</span>
          </Stack>
        </Flex>
      }
    />
  )
}

/** The parameters of the chosen command; most have none. */
function Parameters({ draft, change, currenciesUsed }: Props) {
  const { t } = useTranslation('remote-command')
  const { type } = draft
  if (type === undefined) return null
  const [currency, other] = currenciesUsed
  if (other && moneyCommands.includes(type))
    return (
      <Note tone="warn" bdrs="inner" role="alert">
        {t('amount.currencies', { currencies: currenciesUsed.join(', ') })}
      </Note>
    )
  if (amountCommands.includes(type))
    return currency ? <AmountField draft={draft} change={change} currency={currency} /> : null
  // Another command's fields start without errors.
  return <CommandFields key={type} draft={draft} change={change} currency={currency} />
}
