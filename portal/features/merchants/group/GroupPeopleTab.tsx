import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type GroupPerson, groupPersonColumns, groupPersonOrds, groups } from '#contract/merchants/group.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { placeOfUser } from './placeOfUser.ts'

const order = { ord: 'name', ordType: 'ASC' } as const

const columns = recordColumns<GroupPerson>(groupPersonColumns, groupPersonOrds, {
  lines: ['email'],
  looks: { role: { card: 'badge' } },
})

/** Users who see this group and not the whole merchant; a user's groups are changed on the user's page. */
export default function GroupPeopleTab() {
  const { t } = useTranslation(['group', 'shell'])
  const { groupId } = useParams({ strict: false }) as { groupId: string }
  return (
    <ListScreen
      id="groupPeople"
      title={t('shell:screens.groupPeople')}
      row={groups.listGroupPeople}
      params={{ groupId }}
      columns={columns}
      order={order}
      placeOf={placeOfUser}
      empty={{ title: t('group:person.none'), text: t('group:person.noneText') }}
      isEmbedded
    />
  )
}
