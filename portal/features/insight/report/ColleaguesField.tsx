import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { mostReportReaders, reports } from '#contract/insight/report.ts'
import { queryOf } from '#portal/app/api.ts'

interface Props {
  merchantId: string
  label: string
  description?: string
  value: readonly string[]
  /** Chosen users who may not be offered, such as suspended ones. */
  known?: readonly { id: string; name: string | null }[]
  change: (userIds: string[]) => void
}

/** Users of the merchant beside the caller. */
export function ColleaguesField({ merchantId, label, description, value, known = [], change }: Props) {
  const { t } = useTranslation(['report', 'ui'])
  const { data } = useQuery(queryOf(reports.listReportColleagues, { params: { merchantId } }))
  const offered = data ?? []
  const others = known.filter(({ id }) => !offered.some((one) => one.id === id))
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? t('report:readers.none') : undefined}
      data={[...offered, ...others].map(({ id, name }) => ({ value: id, label: name ?? t('ui:provider') }))}
      value={[...value]}
      maxValues={mostReportReaders}
      searchable
      clearable
      hidePickedOptions
      onChange={change}
    />
  )
}
