import { Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChangeLogChoices } from '#contract/platform/change-log.ts'
import type { ProviderChange } from '#contract/platform/provider-log.ts'
import { changeActions, changeSubjects } from '#contract/vocabulary/change.ts'
import type { Column, Filter, Option } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { differencesOf } from './differences.ts'
import { useChangeWords } from './useChangeWords.ts'

const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label)

/** Filters of a log, with the occurring values; an address may contain others. */
export function useChangeFilters(choices: ChangeLogChoices | undefined, subject: Option | undefined): Filter[] {
  const { t } = useTranslation('change-log')
  const { actionName, subjectName } = useChangeWords()
  return useMemo((): Filter[] => {
    const offered = (
      values: readonly string[],
      known: readonly string[] | undefined,
      nameOf: (one: string) => string,
    ) =>
      values
        .filter((value) => known === undefined || known.includes(value))
        .map((value) => ({ value, label: nameOf(value) }))
        .toSorted(byLabel)
    return [
      { key: 'period', kind: 'period', name: t('filter.period') },
      {
        key: 'userIds',
        kind: 'multi',
        name: t('column.who'),
        options: (choices?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      {
        key: 'actions',
        kind: 'multi',
        name: t('column.action'),
        values: changeActions,
        options: offered(changeActions, choices?.actions, actionName),
      },
      {
        key: 'subjectTypes',
        kind: 'multi',
        name: t('filter.subjectType'),
        values: changeSubjects,
        options: offered(changeSubjects, choices?.subjectTypes, subjectName),
      },
      ...(subject
        ? [{ key: 'subjectId', kind: 'select' as const, name: t('column.subject'), options: [subject] }]
        : []),
    ]
  }, [t, choices, actionName, subjectName, subject])
}

/**
 * Columns of a log. `subject` and `zoneOf` return a change's subject and the zone of its time; both keep their
 * identity between renders.
 */
export function useChangeColumns<E extends ProviderChange>(
  subject: (entry: E) => ReactNode,
  zoneOf: (entry: E) => string,
): Column<E>[] {
  const { t } = useTranslation('change-log')
  const { actionName, fieldName } = useChangeWords()
  return useMemo(
    (): Column<E>[] => [
      {
        id: 'action',
        name: t('column.action'),
        isFixed: true,
        card: 'title',
        cell: ({ action }) => actionName(action),
      },
      { id: 'subject', name: t('column.subject'), card: 'line', cell: subject },
      {
        id: 'changes',
        name: t('column.changes'),
        width: 360,
        card: 'none',
        cell: (entry) =>
          differencesOf(entry)
            .filter(({ isChanged }) => isChanged)
            .map(({ field }) => fieldName(field))
            .join(', '),
      },
      {
        id: 'who',
        name: t('column.who'),
        cell: ({ userName }) =>
          userName ?? (
            <Text span c="dimmed">
              {t('ui:provider')}
            </Text>
          ),
      },
      {
        id: 'at',
        name: t('column.at'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: (entry) => <When at={entry.at} timeZone={zoneOf(entry)} />,
      },
    ],
    [t, actionName, fieldName, subject, zoneOf],
  )
}
