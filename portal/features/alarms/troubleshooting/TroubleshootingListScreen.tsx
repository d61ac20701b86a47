import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type MasterAlarm, masterAlarms } from '#contract/alarms/troubleshooting.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { alarmCriticityLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { categoryFilter, criticityFilter, sourceFilter } from '../alarm/alarmFilters.ts'
import { useAlarmName } from '../alarm/alarmName.ts'
import { guidePlace } from './guidePlace.ts'
import { LanguageMarks } from './LanguageMarks.tsx'
import classes from './Troubleshooting.module.css'

const order = { ord: 'code', ordType: 'ASC' } as const
const keyOf = ({ code }: MasterAlarm) => code
const placeOf = ({ code }: MasterAlarm) => guidePlace(code)

/** All alarm codes, with the languages that have a troubleshooting text. */
export default function TroubleshootingListScreen() {
  const columns = useTroubleshootingColumns()
  const filters = useTroubleshootingFilters()
  return (
    <ListScreen
      id="masterAlarms"
      words="troubleshooting"
      row={masterAlarms.listMasterAlarms}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      exports="masterAlarms"
    />
  )
}

function useTroubleshootingFilters(): Filter[] {
  const { t } = useTranslation(['troubleshooting', 'vocabulary'])
  const format = useFormat()
  return useMemo((): Filter[] => {
    const nameOf = new Intl.DisplayNames(format.locale, { type: 'language' })
    return [
      { key: 'search', kind: 'text', name: t('troubleshooting:filter.search') },
      whether(
        'isWritten',
        t('troubleshooting:filter.text'),
        t('troubleshooting:filter.written'),
        t('troubleshooting:filter.unwritten'),
      ),
      anyOf('missingIn', t('troubleshooting:filter.missingIn'), languages, (value) => nameOf.of(value) ?? value),
      criticityFilter(t, t('troubleshooting:column.criticity')),
      categoryFilter(t, t('troubleshooting:column.category')),
      sourceFilter(t, t('troubleshooting:column.source')),
    ]
  }, [t, format])
}

function useTroubleshootingColumns(): Column<MasterAlarm>[] {
  const { t } = useTranslation(['troubleshooting', 'vocabulary'])
  const nameOf = useAlarmName()
  const { timeZone } = useMerchant()
  return useMemo(
    (): Column<MasterAlarm>[] => [
      {
        id: 'code',
        name: t('troubleshooting:column.alarm'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ code }) => nameOf(code),
        cell: ({ code }) => (
          <span className={classes.name}>
            <span>{nameOf(code)}</span>
            {nameOf(code) !== code && (
              <Text span c="dimmed" ff="monospace" fz="xs" fw={400} lh="fine">
                {code}
              </Text>
            )}
          </span>
        ),
      },
      {
        id: 'criticity',
        name: t('troubleshooting:column.criticity'),
        sort: true,
        card: 'badge',
        cell: ({ criticity }) => <StatusBadge of={alarmCriticityLooks} value={criticity} />,
      },
      {
        id: 'source',
        name: t('troubleshooting:column.source'),
        card: 'line',
        cell: ({ source }) => t(`vocabulary:alarmSource.${source}`),
      },
      {
        id: 'category',
        name: t('troubleshooting:column.category'),
        card: 'none',
        cell: ({ category }) => t(`vocabulary:alarmCategory.${category}`),
      },
      {
        id: 'languages',
        name: t('troubleshooting:column.languages'),
        cell: (alarm) => <LanguageMarks written={alarm.languages} />,
        number: (alarm) => alarm.languages.length,
      },
      {
        id: 'updatedAt',
        name: t('troubleshooting:column.updated'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ updatedAt }) => <When at={updatedAt} timeZone={timeZone} />,
      },
      {
        id: 'updatedBy',
        name: t('troubleshooting:column.updatedBy'),
        card: 'none',
        cell: ({ updatedBy }) => updatedBy,
      },
    ],
    [t, nameOf, timeZone],
  )
}
