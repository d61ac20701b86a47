import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type MasterAlarm,
  masterAlarmColumns,
  masterAlarmOrds,
  masterAlarms,
} from '#contract/alarms/troubleshooting.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { categoryFilter, criticityFilter, sourceFilter } from '../alarm/alarmFilters.ts'
import { useAlarmName } from '../alarm/alarmName.ts'
import { guidePlace } from './guidePlace.ts'
import { LanguageMarks } from './LanguageMarks.tsx'
import classes from './Troubleshooting.module.css'

const order = { ord: 'code', ordType: 'ASC' } as const
const keyOf = ({ code }: MasterAlarm) => code
const placeOf = ({ code }: MasterAlarm) => guidePlace(code)

const columnsOf = (nameOf: (code: string) => string, timeZone: string) =>
  recordColumns<MasterAlarm>(masterAlarmColumns, masterAlarmOrds, {
    aside: 'updatedAt',
    lines: ['source'],
    offCards: ['category', 'updatedBy'],
    looks: {
      code: {
        label: ({ code }) => nameOf(code),
        cell: ({ code }) => (
          <Stack component="span" gap={0} className={classes.name}>
            <span>{nameOf(code)}</span>
            {nameOf(code) !== code && (
              <Text span c="dimmed" ff="monospace" fz="xs" fw={400} lh="fine">
                {code}
              </Text>
            )}
          </Stack>
        ),
      },
      languages: {
        cell: (alarm) => <LanguageMarks written={alarm.languages} />,
        number: (alarm) => alarm.languages.length,
      },
      updatedAt: { cell: ({ updatedAt }) => <When at={updatedAt} timeZone={timeZone} /> },
    },
  })

/** All alarm codes, with the languages that have a troubleshooting text. */
export default function TroubleshootingListScreen() {
  const nameOf = useAlarmName()
  const { timeZone } = useMerchant()
  const columns = useMemo(() => columnsOf(nameOf, timeZone), [nameOf, timeZone])
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
