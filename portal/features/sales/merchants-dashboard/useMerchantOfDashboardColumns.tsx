import { Flex, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { alarms } from '#contract/alarms/alarm.ts'
import { type machines } from '#contract/machines/machine.ts'
import { type MachineState, machineStates } from '#contract/machines/machine-state.ts'
import type { MerchantOfDashboard } from '#contract/sales/merchants-dashboard.ts'
import { changeOf } from '#domain/insight/comparison.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import { Sparkline } from '#portal/ui/chart/Sparkline.tsx'
import { listPlace } from '#portal/ui/list/listPlace.ts'
import type { Column } from '#portal/ui/list/types.ts'
import { Delta } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusMark } from '#portal/ui/value/StatusBadge.tsx'
import classes from './MerchantsDashboard.module.css'

const currencyOf = ({ currency }: MerchantOfDashboard) => currency
const machinesIn = ({ merchantId }: MerchantOfDashboard, state: MachineState) =>
  placeInMerchant(merchantId, listPlace<typeof machines.listMachines>('/devices/list', { states: [state] }))
const blocking = ({ merchantId }: MerchantOfDashboard) =>
  placeInMerchant(
    merchantId,
    listPlace<typeof alarms.listAlarms>('/alarms', { criticities: [4], statuses: ['active', 'notification'] }),
  )

/** The columns of a merchant; every number links to the list behind it. */
export function useMerchantOfDashboardColumns(): Column<MerchantOfDashboard>[] {
  const { t } = useTranslation(['merchants-dashboard', 'vocabulary'])
  const format = useFormat()
  return useMemo((): Column<MerchantOfDashboard>[] => {
    const against = ({ value, usualValueByNow, usualDays }: MerchantOfDashboard) => {
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
    return [
      {
        id: 'name',
        name: t('column.merchant'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ merchantName }) => merchantName,
        cell: ({ merchantName }) => merchantName,
      },
      {
        id: 'isDemo',
        name: t('column.kind'),
        card: 'badge',
        isHidden: true,
        cell: ({ isDemo }) =>
          isDemo && (
            <Badge tone="info" mark="dot">
              {t('demo')}
            </Badge>
          ),
      },
      {
        id: 'blockingAlarms',
        name: t('column.blockingAlarms'),
        sort: true,
        align: 'end',
        number: ({ blockingAlarms }) => blockingAlarms,
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
      {
        id: 'states',
        name: t('column.states'),
        card: 'line',
        cell: (one) => (
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
        ),
      },
      {
        id: 'silent',
        name: t('column.silent'),
        sort: true,
        align: 'end',
        isHidden: true,
        number: ({ machines }) => machines.silent,
        cell: ({ machines }) => format.number(machines.silent),
      },
      {
        id: 'machines',
        name: t('column.machines'),
        sort: true,
        align: 'end',
        number: ({ machines }) => machines.total,
        cell: ({ machines }) => format.number(machines.total),
      },
      {
        id: 'valueByDay',
        name: t('column.days'),
        card: 'none',
        cell: ({ valueByDay }) => <Sparkline values={valueByDay} label={t('daysLabel')} />,
      },
      { id: 'against', name: t('column.against'), align: 'end', cell: against },
      {
        id: 'value',
        name: t('column.value'),
        align: 'end',
        card: 'aside',
        number: ({ value }) => value,
        unit: 'money',
        currencyOf,
        cell: ({ value, currency, merchantId }) => (
          <PlaceLink
            place={placeInMerchant(merchantId, { to: '/transactions/stats', search: { period: 'today' } })}
            className={classes.state}
          >
            <Amount minor={value} currency={currency} />
          </PlaceLink>
        ),
      },
      {
        id: 'vends',
        name: t('column.vends'),
        align: 'end',
        isHidden: true,
        number: ({ vends }) => vends,
        cell: ({ vends }) => format.number(vends),
      },
    ]
  }, [t, format])
}
