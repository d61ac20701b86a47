import { Flex, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type AlarmSettingRow, alarmSettings, settingOrigins } from '#contract/alarms/alarm-setting.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { EmptyState } from '#portal/ui/page/ErrorState.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { alarmCriticityLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { categoryFilter, criticityFilter } from '../alarm/alarmFilters.ts'
import { settingPlace } from './settingPlace.ts'
import { useSettingWords } from './useSettingWords.ts'

const order = { ord: 'code', ordType: 'ASC' } as const
const keyOf = ({ code }: AlarmSettingRow) => code
const placeOf = ({ code }: AlarmSettingRow) => settingPlace(code)

/** How the merchant's alarms are handled, code by code. */
export default function AlarmSettingListScreen() {
  const { t } = useTranslation('alarm-setting')
  const merchant = useMerchant()
  const columns = useSettingColumns()
  const filters = useSettingFilters()
  if (merchant.isAll)
    return (
      <>
        <ScreenHeader title={t('title')} />
        <EmptyState title={t('oneMerchant.title')} text={t('oneMerchant.text')} />
      </>
    )
  return (
    <ListScreen
      id="alarmSettings"
      words="alarm-setting"
      row={alarmSettings.listAlarmSettings}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      exports="alarmSettings"
    />
  )
}

function useSettingFilters(): Filter[] {
  const { t } = useTranslation(['alarm-setting', 'vocabulary'])
  return useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('alarm-setting:filter.search') },
      anyOf('origins', t('alarm-setting:column.origin'), settingOrigins, (value) => t(`alarm-setting:origin.${value}`)),
      criticityFilter(t, t('alarm-setting:field.criticity')),
      categoryFilter(t, t('alarm-setting:column.category')),
      whether('enabled', t('alarm-setting:field.enabled'), t('alarm-setting:on'), t('alarm-setting:off')),
    ],
    [t],
  )
}

function useSettingColumns(): Column<AlarmSettingRow>[] {
  const { t } = useTranslation(['alarm-setting', 'vocabulary'])
  const format = useFormat()
  const { nameOf, criticityName } = useSettingWords()
  return useMemo(
    (): Column<AlarmSettingRow>[] => [
      {
        id: 'code',
        name: t('alarm-setting:column.alarm'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: ({ code }) => (
          <Flex component="span" rowGap="hair" columnGap="near" wrap="wrap" align="baseline" display="inline-flex">
            <span>{nameOf(code)}</span>
            {nameOf(code) !== code && (
              <Text span c="dimmed" ff="monospace" fz="fine">
                {code}
              </Text>
            )}
          </Flex>
        ),
      },
      {
        id: 'criticity',
        name: t('alarm-setting:field.criticity'),
        sort: true,
        card: 'badge',
        cell: ({ criticity, ownCriticity }) => {
          const shown = criticity ?? ownCriticity
          return shown === null ? null : <StatusBadge of={alarmCriticityLooks} value={shown} />
        },
      },
      {
        id: 'enabled',
        name: t('alarm-setting:field.enabled'),
        card: 'line',
        cell: ({ enabled }) => t(enabled ? 'alarm-setting:on' : 'alarm-setting:off'),
      },
      {
        id: 'mailFrom',
        name: t('alarm-setting:field.mailFrom'),
        cell: ({ mailFrom }) => criticityName(mailFrom, 'never'),
      },
      {
        id: 'delayMinutes',
        name: t('alarm-setting:field.delayMinutes'),
        align: 'end',
        card: 'none',
        cell: ({ delayMinutes, mailFrom }) =>
          mailFrom === null
            ? null
            : t('alarm-setting:minutes', { count: delayMinutes, number: format.number(delayMinutes) }),
      },
      {
        id: 'recipients',
        name: t('alarm-setting:column.recipients'),
        card: 'none',
        cell: ({ toPeople, addresses }) =>
          [
            ...(toPeople ? [t('alarm-setting:people')] : []),
            ...(addresses.length > 0 ? [t('alarm-setting:addresses', { count: addresses.length })] : []),
          ].join(', '),
      },
      {
        id: 'origin',
        name: t('alarm-setting:column.origin'),
        card: 'aside',
        cell: ({ origin }) => t(`alarm-setting:origin.${origin}`),
      },
    ],
    [t, format, nameOf, criticityName],
  )
}
