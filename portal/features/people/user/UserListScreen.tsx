import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type UserRow, userEdits } from '#contract/people/user-edit.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { useUserColumns } from './useUserColumns.tsx'
import { useUserFilters } from './useUserFilters.ts'
import { useUserPlaces } from './useUserPlaces.ts'

const order = { ord: 'email', ordType: 'ASC' } as const
const keyOf = ({ id }: UserRow) => id

/** People: of the chosen merchant, or, for the provider, of all merchants and of none. */
export default function UserListScreen() {
  const { t } = useTranslation('user')
  const { me } = useSession()
  const merchant = useMerchant()
  const { isAdmin, create, of } = useUserPlaces()
  const columns = useUserColumns(isAdmin, me !== null && roleMay(me.role, 'user.readAll'))
  const filters = useUserFilters(isAdmin)
  const add = (
    <Button<typeof PlaceLink> component={PlaceLink} place={create}>
      {t('new')}
    </Button>
  )
  const list = {
    columns,
    filters,
    order,
    keyOf,
    placeOf: ({ id }: UserRow) => of(id),
    actions: add,
    empty: { title: t('empty.title'), text: t('empty.text'), action: add },
  }
  return isAdmin ? (
    <ListScreen
      id="users-of-all"
      title={t('titleAll')}
      row={userEdits.listUsersOfAll}
      params={undefined}
      exports="usersOfAll"
      {...list}
    />
  ) : (
    <ListScreen
      id="users"
      title={t('title')}
      row={userEdits.listUsers}
      params={{ merchantId: merchant.id }}
      exports="users"
      {...list}
    />
  )
}
