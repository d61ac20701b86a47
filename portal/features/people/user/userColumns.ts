import { type UserRow, userColumns, userOfAllColumns, userOrds } from '#contract/people/user-edit.ts'
import { mayLicense } from '#domain/people/user-edit.ts'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { userStatusLooks } from './userLooks.ts'

const options = ['receiveNotifications', 'allowLicensing', 'invisibleToMerchants'] as const

/** Licences are shown by their effect: some users need no licence, others may not even with one. */
const holds = (user: UserRow, option: (typeof options)[number]) =>
  option === 'allowLicensing' ? mayLicense(user.role, user.allowLicensing) : user[option]

interface UserColumnOptions {
  /** The list of all merchants' users, which leaves groups out. */
  isAdmin: boolean
  /** Whether the reader may see who is hidden from merchants. */
  isProvider: boolean
}

/** The columns of user lists. */
export const columnsOf = ({ isAdmin, isProvider }: UserColumnOptions) =>
  recordColumns<UserRow>(isAdmin ? userOfAllColumns : userColumns, userOrds, ({ t, format }: Say) => {
    const named = (names: readonly string[], count: number) =>
      count > names.length
        ? t('user:more', { names: names.join(', '), number: format.number(count - names.length) })
        : names.join(', ')
    return {
      title: 'name',
      aside: 'lastSeenAt',
      lines: ['email', 'role'],
      hidden: ['language', 'createdAt'],
      offCards: ['options'],
      statuses: { userStatus: userStatusLooks },
      looks: {
        email: { isFixed: true },
        name: { isFixed: undefined },
        merchants: { isForAll: !isAdmin, cell: ({ merchants, merchantCount }) => named(merchants, merchantCount) },
        groups: {
          cell: ({ hasAllGroups, groups, groupCount }) =>
            hasAllGroups ? t('user:allGroups') : named(groups, groupCount),
        },
        options: {
          cell: (user) =>
            options
              .filter((option) => holds(user, option) && (isProvider || option !== 'invisibleToMerchants'))
              .map((option) => t(`user:option.${option}`))
              .join(', '),
        },
      },
    }
  })
