import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserRow } from '#contract/people/user-edit.ts'
import { languageNames } from '#contract/vocabulary/world/languages.ts'
import { mayLicense } from '#domain/people/user-edit.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { userStatusLooks } from './userLooks.ts'

const options = ['receiveNotifications', 'allowLicensing', 'invisibleToMerchants'] as const

/** Licences are shown by their effect: some users need no licence, others may not even with one. */
const holds = (user: UserRow, option: (typeof options)[number]) =>
  option === 'allowLicensing' ? mayLicense(user.role, user.allowLicensing) : user[option]

/** The columns of user lists; `isAdmin` leaves groups out. */
export function useUserColumns(isAdmin: boolean, isProvider: boolean): Column<UserRow>[] {
  const { t } = useTranslation(['user', 'shell'])
  const format = useFormat()
  return useMemo((): Column<UserRow>[] => {
    const named = (names: readonly string[], count: number) =>
      count > names.length
        ? t('user:more', { names: names.join(', '), number: format.number(count - names.length) })
        : names.join(', ')
    return [
      {
        id: 'email',
        name: t('user:column.email'),
        sort: true,
        isFixed: true,
        card: 'line',
        cell: ({ email }) => email,
      },
      { id: 'name', name: t('user:column.name'), sort: true, card: 'title', cell: ({ name }) => name },
      {
        id: 'role',
        name: t('user:column.role'),
        sort: true,
        card: 'line',
        cell: ({ role }) => t(`shell:roles.${role}`),
      },
      {
        id: 'status',
        name: t('user:column.status'),
        sort: true,
        card: 'badge',
        cell: ({ status }) => <StatusBadge of={userStatusLooks} value={status} />,
      },
      {
        id: 'language',
        name: t('user:column.language'),
        isHidden: true,
        card: 'none',
        cell: ({ language }) => language && languageNames[language],
      },
      {
        id: 'merchants',
        name: t('user:column.merchants'),
        isForAll: !isAdmin,
        cell: ({ merchants, merchantCount }) => named(merchants, merchantCount),
      },
      ...(isAdmin
        ? []
        : [
            {
              id: 'groups',
              name: t('user:column.groups'),
              cell: (user: UserRow) => (user.hasAllGroups ? t('user:allGroups') : named(user.groups, user.groupCount)),
            },
          ]),
      {
        id: 'options',
        name: t('user:column.options'),
        card: 'none',
        cell: (user) =>
          options
            .filter((option) => holds(user, option) && (isProvider || option !== 'invisibleToMerchants'))
            .map((option) => t(`user:option.${option}`))
            .join(', '),
      },
      {
        id: 'lastSeenAt',
        name: t('user:column.lastSeenAt'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ lastSeenAt }) => <When at={lastSeenAt} />,
      },
      {
        id: 'createdAt',
        name: t('user:column.createdAt'),
        sort: true,
        align: 'end',
        isHidden: true,
        card: 'none',
        cell: ({ createdAt }) => <When at={createdAt} />,
      },
      {
        id: 'id',
        name: t('user:column.id'),
        isHidden: true,
        card: 'none',
        cell: ({ id }) => <CopyId value={id} isShort />,
      },
    ]
  }, [t, format, isAdmin, isProvider])
}
