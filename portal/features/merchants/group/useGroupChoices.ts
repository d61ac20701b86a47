import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { mostGroupsListed } from '#contract/merchants/group.ts'
import type { Option } from '../../../ui/value/option.ts'
import { useFindGroups, useGroupOptions } from './useGroupOptions.ts'

/** Maximum number of options under a field; others are found by typing more of the name. */
export const groupsShownAtOnce = 100

/**
 * The options of a group field: the selected groups, the first groups by name, and matches of the letters in `text`.
 * `isWhole`: all groups of the merchant, whatever groups the user has selected.
 */
export function useGroupChoices(merchantId: string, named: readonly (Option | undefined)[], isWhole = false) {
  const listed = useGroupOptions(merchantId, isWhole)
  const areAllListed = listed.length < mostGroupsListed
  const find = useFindGroups(merchantId, isWhole)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const { data: matches = [] } = useQuery({
    queryKey: ['groupsByText', merchantId, isWhole, search],
    queryFn: () => find({ search }),
    enabled: !areAllListed && search.length >= enoughLetters,
  })
  const byId = new Map([...named, ...listed, ...matches].flatMap((one) => (one ? [[one.value, one] as const] : [])))
  return { options: [...byId.values()], optionOf: (id: string) => byId.get(id), areAllListed, text, setText }
}
