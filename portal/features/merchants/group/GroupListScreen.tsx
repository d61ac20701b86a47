import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type GroupRow, groupColumns, groupOrds, groups } from '#contract/merchants/group.ts'
import { useGo } from '#portal/app/go.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'

const GroupDialog = lazyPart(() => import('./GroupDialog.tsx'), ['form', 'editing'])

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: { id: string }) => ({
  to: '/manage/groups/$groupId',
  params: { groupId: id },
})

const columns = recordColumns<GroupRow>(groupColumns, groupOrds)
const filters = ({ t }: Say): Filter[] => [{ key: 'search', kind: 'text', name: t('group:filter.search') }]

/** The merchant's machine groups, with the number of users of each. */
export default function GroupListScreen() {
  const { t } = useTranslation('group')
  const go = useGo()
  const [isCreating, setCreating] = useState(false)
  const close = () => setCreating(false)
  return (
    <>
      <ListScreen
        id="groups"
        words="group"
        row={groups.pageGroups}
        columns={columns}
        filters={filters}
        order={order}
        placeOf={placeOf}
        create={{ name: t('create.do'), does: () => setCreating(true) }}
        exports="groups"
      />
      {isCreating && (
        <Part failed={(again) => <PartFailure again={again} close={close} />}>
          <GroupDialog close={close} made={(group) => void go(placeOf(group))} />
        </Part>
      )}
    </>
  )
}
