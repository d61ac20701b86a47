import { mediaSources, mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'
import type { PeriodPreset } from '#domain/period.ts'
import type { Filter, Option } from '../../ui/list/types.ts'
import type { CodeNames } from './useCodeNames.ts'

type Translate = (key: string) => string

const optionsOf = (table: Record<number, string>, nameOf: (code: number) => string): Option[] =>
  Object.keys(table)
    .map((code) => ({ value: code, label: nameOf(Number(code)) }))
    .sort((a, b) => a.label.localeCompare(b.label))

const coded = (key: string, name: string, table: Record<number, string>, nameOf: (code: number) => string): Filter => ({
  key,
  kind: 'multi',
  name,
  values: Object.keys(table),
  options: optionsOf(table, nameOf),
})

const listed = (key: string, name: string, options: readonly Option[]): Filter[] =>
  options.length > 0 ? [{ key, kind: 'multi', name, options }] : []

interface Choices {
  names: CodeNames
  groups: readonly Option[]
  machines: readonly Option[]
  period: PeriodPreset
  /** The machine is known: nothing to search it by. */
  isOfMachine?: boolean
}

/** What sums can be narrowed by; rollups know no text and no single sale. */
export const statsFilters = (t: Translate, { names, groups, machines, period }: Choices): Filter[] => [
  { key: 'period', kind: 'period', name: t('transaction:filter.period'), initial: period },
  coded('types', t('transaction:column.type'), transactionTypes, names.type),
  coded('mediaTypes', t('transaction:column.media'), mediaTypes, names.mediaType),
  coded('mediaSources', t('transaction:column.source'), mediaSources, names.mediaSource),
  ...listed('groupIds', t('transaction:filter.group'), groups),
  ...listed('posIds', t('transaction:column.machine'), machines),
]

/** What single transactions can be found by. */
export const transactionFilters = (t: Translate, choices: Choices): Filter[] => {
  const flag = (key: string, name: string, yes: string, no: string): Filter => ({
    key,
    kind: 'select',
    name,
    values: ['true', 'false'],
    options: [
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ],
  })
  return [
    {
      key: 'search',
      kind: 'text',
      name: t(choices.isOfMachine ? 'transaction:filter.searchHere' : 'transaction:filter.search'),
    },
    ...statsFilters(t, choices),
    flag('freeSale', t('transaction:filter.free'), t('transaction:freeOnly'), t('transaction:freeNot')),
    flag('errorSale', t('transaction:filter.error'), t('transaction:errorOnly'), t('transaction:errorNot')),
  ]
}
