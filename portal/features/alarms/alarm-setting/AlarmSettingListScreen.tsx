import { Flex, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AlarmSettingRow,
  alarmSettingColumns,
  alarmSettingOrds,
  alarmSettings,
  settingOrigins,
} from '#contract/alarms/alarm-setting.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { alarmCriticityLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { categoryFilter, criticityFilter } from '../alarm/alarmFilters.ts'
import { settingPlace } from './settingPlace.ts'
import { useSettingWords } from './useSettingWords.ts'

const order = { ord: 'code', ordType: 'ASC' } as const
const keyOf = ({ code }: AlarmSettingRow) => code
const placeOf = ({ code }: AlarmSettingRow) => settingPlace(code)

const columnsOf = ({ nameOf, criticityName }: ReturnType<typeof useSettingWords>) =>
  recordColumns<AlarmSettingRow>(alarmSettingColumns, alarmSettingOrds, ({ t, format }: Say) => ({
    aside: 'origin',
    lines: ['enabled'],
    offCards: ['delayMinutes', 'recipients'],
    looks: {
      code: {
        label: undefined,
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
      criticity: {
        cell: ({ criticity, ownCriticity }) => {
          const effective = criticity ?? ownCriticity
          return effective === null ? null : <StatusBadge of={alarmCriticityLooks} value={effective} />
        },
      },
      enabled: { cell: ({ enabled }) => t(enabled ? 'alarm-setting:on' : 'alarm-setting:off') },
      mailFrom: { cell: ({ mailFrom }) => criticityName(mailFrom, 'never') },
      delayMinutes: {
        number: undefined,
        cell: ({ delayMinutes, mailFrom }) =>
          mailFrom === null
            ? null
            : t('alarm-setting:minutes', { count: delayMinutes, number: format.number(delayMinutes) }),
      },
      recipients: {
        cell: ({ toPeople, addresses }) =>
          [
            ...(toPeople ? [t('alarm-setting:people')] : []),
            ...(addresses.length > 0 ? [t('alarm-setting:addresses', { count: addresses.length })] : []),
          ].join(', '),
      },
    },
  }))

/** How the merchant's alarms are handled, code by code. */
export default function AlarmSettingListScreen() {
  const { t } = useTranslation('alarm-setting')
  const merchant = useMerchant()
  const words = useSettingWords()
  const columns = useMemo(() => columnsOf(words), [words])
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
