import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface RoundInput {
  name: string
  /** ISO date; empty while the user types. */
  day: string
  assigneeId: string | null
  note: string
}

interface Props {
  value: RoundInput
  users: readonly { id: string; name: string }[]
  change: (changed: Partial<RoundInput>) => void
}

/** The name, day, user and note of a round. */
export function RoundFields({ value, users, change }: Props) {
  const { t } = useTranslation('round')
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
