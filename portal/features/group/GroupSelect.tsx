import { NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { mostGroupsListed } from '#contract/group.ts'
import { enoughLetters } from '#contract/shapes.ts'
import type { Option } from '../../ui/list/types.ts'
import { useFindGroups, useGroupOptions } from './useGroupOptions.ts'

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
  /** What it says when no group is chosen. */
  none: string
  /** The group that was chosen before, known by its name although the list may not hold it. */
  chosen?: Option | undefined
}

/** Stands for no group: a choice whose value is empty would look like no choice. */
const noGroup = 'none'
const shownAtOnce = 100

/** One group of a merchant, or none. Of more than are listed, the others are found by three letters of their names. */
export function GroupSelect({ merchantId, value, choose, none, chosen, ...field }: Props) {
  const listed = useGroupOptions(merchantId)
  const isWhole = listed.length < mostGroupsListed
  const find = useFindGroups(merchantId)
  const [text, setText] = useState('')
  const [found, setFound] = useState<Option>()
  const [search] = useDebouncedValue(text.trim(), 250)
  const { data = [] } = useQuery({
    queryKey: ['groupsByText', merchantId, search],
    queryFn: () => find({ search }),
    enabled: !isWhole && search.length >= enoughLetters && search !== none,
  })
  const known = new Map([chosen, found, ...listed, ...data].flatMap((one) => (one ? [[one.value, one] as const] : [])))
  const options = [...known.values()]
  if (isWhole)
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
      limit={shownAtOnce}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => {
        setFound(next === null ? undefined : known.get(next))
        choose(next === noGroup ? null : next)
      }}
    />
  )
}
