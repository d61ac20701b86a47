import { Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { alarms } from '#contract/alarms/alarm.ts'
import { type machines } from '#contract/machines/machine.ts'
import { type MachineState, machineStates } from '#contract/machines/machine-state.ts'
import {
  type MerchantOfDashboard,
  merchantOfDashboardColumns,
  merchantOfDashboardOrds,
} from '#contract/sales/merchants-dashboard.ts'
import { changeOf } from '#domain/time/comparison.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import { Sparkline } from '#portal/ui/chart/Sparkline.tsx'
import { listPlace } from '#portal/ui/list/listPlace.ts'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import { Delta } from '../../../ui/value/Change.tsx'
import classes from './MerchantsDashboard.module.css'

const machinesIn = ({ merchantId }: MerchantOfDashboard, state: MachineState) =>
  placeInMerchant(merchantId, listPlace<typeof machines.listMachines>('/devices/list', { states: [state] }))
const blocking = ({ merchantId }: MerchantOfDashboard) =>
  placeInMerchant(
    merchantId,
    listPlace<typeof alarms.listAlarms>('/alarms', { criticities: [4], statuses: ['active', 'notification'] }),
  )

/** The columns of a merchant; every number links to the list behind it. */
export const columns = recordColumns<MerchantOfDashboard>(
  merchantOfDashboardColumns,
  merchantOfDashboardOrds,
  ({ t, format }: Say) => {
    return {
      aside: 'value',
      lines: ['states'],
      offCards: ['valueByDay'],
      looks: {
        isDemo: {
          card: 'badge',
          isHidden: true,
          cell: ({ isDemo }) =>
            isDemo && (
              <Badge tone="info" mark="dot">
                {t('merchants-dashboard:demo')}
              </Badge>
            ),
        },
        blockingAlarms: {
          cell: (one) =>
            one.blockingAlarms > 0 ? (
              <PlaceLink place={blocking(one)} className={classes.crit}>
                {format.number(one.blockingAlarms)}
              </PlaceLink>
            ) : (
              <Text span c="faint">
                0
              </Text>
            ),
        },
        states: { align: undefined, number: undefined, cell: (one) => <States one={one} /> },
        silent: {
          isHidden: true,
          number: ({ machines }) => machines.silent,
          cell: ({ machines }) => format.number(machines.silent),
        },
        machines: {
          number: ({ machines }) => machines.total,
          cell: ({ machines }) => format.number(machines.total),
        },
        valueByDay: {
          cell: ({ valueByDay }) => <Sparkline values={valueByDay} label={t('merchants-dashboard:daysLabel')} />,
        },
        against: { cell: (one) => <UsualComparison one={one} /> },
        value: {
          cell: ({ value, currency, merchantId }) => (
            <PlaceLink
              place={placeInMerchant(merchantId, { to: '/transactions/stats', search: { period: 'today' } })}
              className={classes.state}
            >
              <Amount minor={value} currency={currency} />
            </PlaceLink>
          ),
        },
        vends: { isHidden: true },
      },
    }
  },
)

/** How today compares with the usual day until now. */
function UsualComparison({ one: { value, usualValueByNow, usualDays } }: { one: MerchantOfDashboard }) {
  const { t } = useTranslation('merchants-dashboard')
  const format = useFormat()
  if (usualDays === 0)
    return (
      <Text span c="faint">
        {t('noUsual')}
      </Text>
    )
  const ratio = changeOf(value, usualValueByNow)
  const written = format.number(ratio ?? 0, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  return (
    <Stack component="span" gap={0} align="flex-end" display="inline-flex" fz="fine">
      {ratio !== undefined && <Delta ratio={ratio} written={written} />}
      <Text span c="faint">
        {t('usualOf', { count: usualDays, number: format.number(usualDays) })}
      </Text>
    </Stack>
  )
}

/** The number of machines in each state. */
function States({ one }: { one: MerchantOfDashboard }) {
  const { t } = useTranslation('vocabulary')
  const format = useFormat()
  return (
    <Flex component="span" rowGap={0} columnGap="part" wrap="wrap" display="inline-flex">
      {machineStates
        .filter((state) => one.machines[state] > 0)
        .map((state) => {
          const { tone, mark, word } = machineStateLooks[state]
          return (
            <PlaceLink key={state} place={machinesIn(one, state)} className={classes.state} title={t(word)}>
              <StatusMark tone={tone} mark={mark} />
              {format.number(one.machines[state])} <span className="unseen">{t(word)}</span>
            </PlaceLink>
          )
        })}
    </Flex>
  )
}
