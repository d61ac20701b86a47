import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type UserDetails, UserForm, userEdits } from '#contract/people/user-edit.ts'
import { type Language, languageNames } from '#contract/vocabulary/world/languages.ts'
import { isProviders } from '#domain/people/user-edit.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { FormScreen, formWidth } from '#portal/ui/form/FormScreen.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { UserActs } from './UserActs.tsx'
import { UserFields } from './UserFields.tsx'
import { UserSessions } from './UserSessions.tsx'
import { sentOf, valuesOf } from './userForm.ts'
import { userStatusLooks } from './userLooks.ts'
import { useUserPlaces } from './useUserPlaces.ts'

/** Edits, suspends or deletes a user. */
export default function UserScreen() {
  const { t } = useTranslation('user')
  const { userId } = useParams({ strict: false }) as { userId: string }
  const answer = useQuery(queryOf(userEdits.getUser, { params: { userId } }))
  const { me } = useSession()
  const user = answer.data
  const isProvider = me !== null && roleMay(me.role, 'user.readAll')
  const isManaged =
    user && user.status !== 'invited' && (isProvider || !(user.belongsElsewhere || isProviders(user.role)))
  return (
    <DetailScreen
      query={answer}
      title={user?.name}
      aside={user && <StatusBadge of={userStatusLooks} value={user.status} />}
      subtitle={user?.email === user?.name ? t('title') : user?.email}
      actions={user && <UserActs user={user} />}
    >
      {user && (
        <Stack gap="part" maw={formWidth}>
          <EditedUser key={user.id} user={user} />
          {isManaged && <UserSessions user={user} />}
        </Stack>
      )}
    </DetailScreen>
  )
}

const recordOf = (user: UserDetails) => ({ version: user.version, values: valuesOf(user) })

function EditedUser({ user }: { user: UserDetails }) {
  const { t } = useTranslation(['user', 'shell'])
  const format = useFormat()
  const { isAdmin } = useUserPlaces()
  const form = useSchemaForm<UserForm>(UserForm, valuesOf(user))
  const update = useCommand(userEdits.updateUser, { isQuiet: true })
  const save = async (values: UserForm, version: number) => {
    const saved = await update.mutateAsync({ params: { userId: user.id }, body: { version, ...sentOf(values) } })
    if (saved.invitation === 'failed') toast.warning('user:unsent')
    else toast.success('user:saved')
    return saved
  }
  const names = {
    email: t('user:column.email'),
    name: t('user:column.name'),
    language: t('user:column.language'),
    role: t('user:column.role'),
    merchants: t('user:column.merchants'),
    receiveNotifications: t('user:option.receiveNotifications'),
    allowLicensing: t('user:option.allowLicensing'),
    invisibleToMerchants: t('user:option.invisibleToMerchants'),
    isSuspended: t('user:status.suspended'),
  }
  const say = (field: string, value: unknown) => {
    if (Array.isArray(value)) return format.number(value.length)
    if (typeof value === 'boolean') return t(value ? 'user:form.yes' : 'user:form.no')
    if (field === 'role') return t(`shell:roles.${value as UserForm['role']}`)
    if (field === 'language') return value ? languageNames[value as Language] : t('user:form.languageAuto')
    return String(value)
  }
  return (
    <Box>
      <FormScreen
        form={form}
        record={{ ...recordOf(user), read: (saved) => recordOf(saved as UserDetails), names, say }}
        save={save}
        isSaving={update.isPending}
        error={update.error}
        codes={{
          UserAlreadyExists: 'email',
          UserEmailFixed: 'email',
          GroupAdminMerchantsValidationException: 'merchants',
        }}
      >
        <UserFields form={form} hidesGroups={isAdmin} savedUser={user} />
      </FormScreen>
    </Box>
  )
}
