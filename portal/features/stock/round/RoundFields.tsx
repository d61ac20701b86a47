import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { stockPlaces } from '#contract/warehouse/stock-place.ts'
import { useFeature } from '#portal/app/feature.ts'
import { FindOne } from '#portal/ui/form/choices/FindSelect.tsx'
import type { Option } from '#portal/ui/value/option.ts'

interface RoundInput {
  name: string
  /** ISO date; empty while the user types. */
  day: string
  assigneeId: string | null
  van: Option | null
  note: string
}

const vans = { kinds: ['van'] }

interface Props {
  value: RoundInput
  users: readonly { id: string; name: string }[]
  change: (changed: Partial<RoundInput>) => void
}

/** The name, day, user, van and note of a round. */
export function RoundFields({ value, users, change }: Props) {
  const { t } = useTranslation('round')
  const hasVans = useFeature('warehouse')
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label={t('field.name')}
        value={value.name}
        maxLength={120}
        required
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('field.day')}
        value={value.day}
        required
        onChange={({ currentTarget }) => change({ day: currentTarget.value })}
      />
      <Select
        label={t('field.assigneeId')}
        placeholder={t('nobody')}
        data={users.map((user) => ({ value: user.id, label: user.name }))}
        value={value.assigneeId}
        clearable
        searchable
        onChange={(assigneeId) => change({ assigneeId })}
      />
      {hasVans && (
        <FindOne
          row={stockPlaces.listStockPlaces}
          query={vans}
          label={t('field.vanId')}
          placeholder={t('noVan')}
          value={value.van}
          clearable
          choose={(van) => change({ van })}
        />
      )}
      <Textarea
        label={t('field.note')}
        value={value.note}
        autosize
        minRows={1}
        maxLength={2000}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
      />
    </SimpleGrid>
  )
}
