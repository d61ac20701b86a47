import { Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChangeLogChoices } from '#contract/platform/change-log.ts'
import type { ProviderChange } from '#contract/platform/provider-log.ts'
import { changeActions, changeSubjects } from '#contract/vocabulary/change.ts'
import type { Say } from '#portal/ui/list/listProps.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import type { Option } from '../../../ui/value/option.ts'
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
      listed: readonly string[] | undefined,
      nameOf: (one: string) => string,
    ) =>
      values
        .filter((value) => listed === undefined || listed.includes(value))
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

interface ChangeColumnOptions<E> {
  /** A change's subject. */
  subject: (entry: E) => ReactNode
  /** The zone of a change's time. */
  zoneOf: (entry: E) => string
  words: ReturnType<typeof useChangeWords>
}

/** Looks of the columns of both logs. */
export const changeLooks =
  <E extends ProviderChange>({ subject, zoneOf, words }: ChangeColumnOptions<E>) =>
  ({ t }: Say) => ({
    aside: 'at',
    lines: ['subject'],
    offCards: ['changes'],
    looks: {
      action: { cell: ({ action }: E) => words.actionName(action), label: undefined },
      subject: { cell: subject },
      merchant: { card: undefined },
      changes: {
        width: 360,
        cell: (entry: E) =>
          differencesOf(entry)
            .filter(({ isChanged }) => isChanged)
            .map(({ field }) => words.fieldName(field))
            .join(', '),
      },
      who: {
        cell: ({ userName }: E) =>
          userName ?? (
            <Text span c="dimmed">
              {t('ui:provider')}
            </Text>
          ),
      },
      at: { cell: (entry: E) => <When at={entry.at} timeZone={zoneOf(entry)} /> },
    },
  })
