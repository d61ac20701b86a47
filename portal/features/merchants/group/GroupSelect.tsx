import { NativeSelect, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Option } from '../../../ui/value/option.ts'
import { groupsShownAtOnce, useGroupChoices } from './useGroupChoices.ts'

interface Props {
  label?: ReactNode
  'aria-label'?: string
  error?: ReactNode
  onFocus?: () => void
  onBlur?: () => void
  'data-autofocus'?: boolean
  merchantId: string
  value: string | null
  choose: (groupId: string | null) => void
  /** Its text when no group is chosen. */
  none: string
  /** The previously chosen group, with its name, since the list may not contain it. */
  current?: Option | undefined
}

/** Represents no group: an option with an empty value would look unselected. */
const noGroup = 'none'

/** One group of a merchant, or none. Groups beyond the listed ones are found by two letters of their names. */
export function GroupSelect({ merchantId, value, choose, none, current, ...field }: Props) {
  const [match, setMatch] = useState<Option>()
  const { options, optionOf, areAllListed, text, setText } = useGroupChoices(merchantId, [current, match])
  if (areAllListed)
    return (
      <NativeSelect
        {...field}
        data={[{ value: '', label: none }, ...options]}
        value={value ?? ''}
        onChange={(event) => choose(event.currentTarget.value || null)}
      />
    )
  return (
    <Select
      {...field}
      data={[{ value: noGroup, label: none }, ...options]}
      value={value ?? noGroup}
      allowDeselect={false}
      searchable
      limit={groupsShownAtOnce}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => {
        setMatch(next === null ? undefined : optionOf(next))
        choose(next === noGroup ? null : next)
      }}
    />
  )
}
