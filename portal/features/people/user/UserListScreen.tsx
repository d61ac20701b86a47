import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type UserRow, userEdits } from '#contract/people/user-edit.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { columnsOf } from './userColumns.ts'
import { useUserFilters } from './useUserFilters.ts'
import { useUserPlaces } from './useUserPlaces.ts'

const order = { ord: 'email', ordType: 'ASC' } as const

/** Users of the chosen merchant or, for the provider, of all merchants and without one. */
export default function UserListScreen() {
  const { t } = useTranslation('user')
  const { me } = useSession()
  const { isAdmin, create, of } = useUserPlaces()
  const isProvider = me !== null && roleMay(me.role, 'user.readAll')
  const columns = useMemo(() => columnsOf({ isAdmin, isProvider }), [isAdmin, isProvider])
  const filters = useUserFilters(isAdmin)
  const list = {
    columns,
    filters,
    order,
    placeOf: ({ id }: UserRow) => of(id),
    create: { name: t('new'), does: create },
  }
  return isAdmin ? (
    <ListScreen
      id="users-of-all"
      words="user"
      title={t('titleAll')}
      row={userEdits.listUsersOfAll}
      exports="usersOfAll"
      {...list}
    />
  ) : (
    <ListScreen id="users" words="user" row={userEdits.listUsers} exports="users" {...list} />
  )
}
