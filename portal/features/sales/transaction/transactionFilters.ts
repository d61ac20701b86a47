import { saleTerms } from '#contract/sales/terms.ts'
import { type Numbers } from '#contract/vocabulary/numbers.ts'
import { mediaSources, mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'
import type { PeriodPreset } from '#domain/time/period.ts'
import { anyKnown, anyOf, oneOf, whether } from '#portal/ui/list/filters/filters.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import type { Option } from '../../../ui/value/option.ts'
import type { CodeNames } from './useCodeNames.ts'

type Translate = (key: string) => string

/** Sorted by name, not by code. */
function coded(key: string, name: string, numbers: Numbers, nameOf: (code: number) => string): Filter {
  const codes = Object.values(numbers)
  return anyOf(
    key,
    name,
    codes.sort((a, b) => nameOf(a).localeCompare(nameOf(b))),
    nameOf,
  )
}

interface Choices {
  names: CodeNames
  groups: readonly Option[]
  machines: readonly Option[]
  /** Absent on the page of a machine or a client. */
  client?: Filter | undefined
  /** Media and customers, where they can be chosen. */
  holder?: readonly Filter[]
  period: PeriodPreset
  /** Filters of reports' figures. */
  slice?: readonly Filter[]
  /** On a machine's page it cannot be searched by machine. */
  isOfMachine?: boolean
}

/** The filters of sums; rollups contain no texts and no single sales. */
export const statsFilters = (t: Translate, { names, groups, machines, client, period }: Choices): Filter[] => [
  { key: 'period', kind: 'period', name: t('transaction:filter.period'), initial: period },
  coded('types', t('transaction:column.type'), transactionTypes, names.type),
  coded('mediaTypes', t('transaction:column.media'), mediaTypes, names.mediaType),
  coded('mediaSources', t('transaction:column.source'), mediaSources, names.mediaSource),
  ...anyKnown('groupIds', t('transaction:filter.group'), groups),
  // While clients load, an address may already contain one.
  ...(client && client.options?.length !== 0 ? [client] : []),
  ...anyKnown('posIds', t('transaction:column.machine'), machines),
  ...(client || groups.length > 0
    ? [oneOf('terms', t('transaction:filter.terms'), saleTerms, (one) => t(`transaction:terms.${one}`))]
    : []),
]

/** The filters of single transactions. */
export const transactionFilters = (t: Translate, choices: Choices): Filter[] => [
  {
    key: 'search',
    kind: 'text',
    name: t(choices.isOfMachine ? 'transaction:filter.searchHere' : 'transaction:filter.search'),
  },
  ...statsFilters(t, choices),
  coded('paidWith', t('transaction:fact.paidWith'), mediaTypes, choices.names.mediaType),
  ...(choices.slice ?? []),
  ...(choices.holder ?? []),
  whether('freeSale', t('transaction:filter.free'), t('transaction:freeOnly'), t('transaction:freeNot')),
  whether('errorSale', t('transaction:filter.error'), t('transaction:errorOnly'), t('transaction:errorNot')),
]
