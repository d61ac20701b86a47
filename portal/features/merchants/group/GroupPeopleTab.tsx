import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type GroupPerson, groups } from '#contract/merchants/group.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { placeOfUser } from './placeOfUser.ts'

const order = { ord: 'name', ordType: 'ASC' } as const

/** Users who see this group and not the whole merchant; a user's groups are changed on the user's page. */
export default function GroupPeopleTab() {
  const { t } = useTranslation(['group', 'shell'])
  const { groupId } = useParams({ strict: false }) as { groupId: string }
  const columns = useMemo(
    (): Column<GroupPerson>[] => [
      { id: 'name', name: t('group:person.name'), sort: true, isFixed: true, card: 'title', cell: ({ name }) => name },
      { id: 'email', name: t('group:person.email'), card: 'line', cell: ({ email }) => email },
      { id: 'role', name: t('group:person.role'), card: 'badge', cell: ({ role }) => t(`shell:roles.${role}`) },
    ],
    [t],
  )
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
