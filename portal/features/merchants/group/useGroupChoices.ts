import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { mostGroupsListed } from '#contract/merchants/group.ts'
import type { Option } from '#portal/ui/list/types.ts'
import { useFindGroups, useGroupOptions } from './useGroupOptions.ts'

/** So many are drawn under a field; to see another one types more of its name. */
export const groupsShownAtOnce = 100

/**
 * The groups that a field chooses from: those named before, those that are listed, and of more than that those whose names have the
 * three letters in `text`. `isWhole`: whichever groups the person looks at.
 */
export function useGroupChoices(merchantId: string, named: readonly (Option | undefined)[], isWhole = false) {
  const listed = useGroupOptions(merchantId, isWhole)
  const areAllListed = listed.length < mostGroupsListed
  const find = useFindGroups(merchantId, isWhole)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const { data: found = [] } = useQuery({
    queryKey: ['groupsByText', merchantId, isWhole, search],
    queryFn: () => find({ search }),
    enabled: !areAllListed && search.length >= enoughLetters,
  })
  const byId = new Map([...named, ...listed, ...found].flatMap((one) => (one ? [[one.value, one] as const] : [])))
  return { options: [...byId.values()], optionOf: (id: string) => byId.get(id), areAllListed, text, setText }
}
