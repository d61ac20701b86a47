import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type MasterAlarm, masterAlarms } from '#contract/master-alarm.ts'
import { alarmCategories, alarmCriticities, alarmSources } from '#contract/vocabulary/alarm.ts'
import { languages } from '#contract/vocabulary/languages.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column, Filter } from '../../ui/list/types.ts'
import { alarmCriticityLooks } from '../../ui/looks.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { useAlarmName } from '../alarm/alarmName.ts'
import { guidePlace } from './guidePlace.ts'
import { LanguageMarks } from './LanguageMarks.tsx'
import classes from './Troubleshooting.module.css'

const order = { ord: 'code', ordType: 'ASC' } as const
const keyOf = ({ code }: MasterAlarm) => code
const placeOf = ({ code }: MasterAlarm) => guidePlace(code)

/** Every code of an alarm, and in which languages it is said what to do about it. */
export default function TroubleshootingListScreen() {
  const { t } = useTranslation('troubleshooting')
  const columns = useTroubleshootingColumns()
  const filters = useTroubleshootingFilters()
  return (
    <ListScreen
      id="masterAlarms"
      title={t('title')}
      row={masterAlarms.listMasterAlarms}
      params={undefined}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
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
      {
        key: 'isWritten',
        kind: 'select',
        name: t('troubleshooting:filter.text'),
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('troubleshooting:filter.written') },
          { value: 'false', label: t('troubleshooting:filter.unwritten') },
        ],
      },
      {
        key: 'missingIn',
        kind: 'multi',
        name: t('troubleshooting:filter.missingIn'),
        values: languages,
        options: languages.map((value) => ({ value, label: nameOf.of(value) ?? value })),
      },
      {
        key: 'criticities',
        kind: 'multi',
        name: t('troubleshooting:column.criticity'),
        values: Object.values(alarmCriticities).map(String),
        options: Object.entries(alarmCriticities)
          .reverse()
          .map(([name, value]) => ({ value: String(value), label: t(`vocabulary:alarmCriticity.${name}`) })),
      },
      {
        key: 'categories',
        kind: 'multi',
        name: t('troubleshooting:column.category'),
        values: alarmCategories,
        options: alarmCategories.map((value) => ({ value, label: t(`vocabulary:alarmCategory.${value}`) })),
      },
      {
        key: 'sources',
        kind: 'multi',
        name: t('troubleshooting:column.source'),
        values: alarmSources,
        options: alarmSources.map((value) => ({ value, label: t(`vocabulary:alarmSource.${value}`) })),
      },
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
            {nameOf(code) !== code && <span className={classes.code}>{code}</span>}
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
