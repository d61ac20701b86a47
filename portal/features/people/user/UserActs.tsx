import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type UserDetails, userEdits } from '#contract/people/user-edit.ts'
import { isProviders } from '#domain/people/user-edit.ts'
import { call, useCommand } from '#portal/app/api.ts'
import { ontoCurrent } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { valuesOf } from './userForm.ts'
import { useUserPlaces } from './useUserPlaces.ts'

/** Actions on a user beside the form: invite again, suspend, reactivate, delete. */
export function UserActs({ user }: { user: UserDetails }) {
  const { t } = useTranslation('user')
  const { me } = useSession()
  const go = useGo()
  const { list } = useUserPlaces()
  const { ask, dialog } = useConfirm()
  const resend = useCommand(userEdits.resendInvitation, { says: 'user:resend.done' })
  const update = useCommand(userEdits.updateUser, { isQuiet: true })
  const client = useQueryClient()
  const { id: userId, name, status, belongsElsewhere } = user
  const reset = useCommand(userEdits.removeSecondFactors, {
    says: () => ({ key: 'user:factors.done', values: { name } }),
  })
  if (!me || me.id === userId) return null
  const isProvider = roleMay(me.role, 'user.readAll')
  if (!isProvider && isProviders(user.role)) return null
  const setSuspended = async (isSuspended: boolean) => {
    const save = (person: UserDetails) =>
      update.mutateAsync({ params: { userId }, body: { version: person.version, ...valuesOf(person), isSuspended } })
    await ontoCurrent(user, save).catch((error: unknown) => {
      toast.error(error)
      throw error
    })
    toast.success(isSuspended ? 'user:suspend.done' : 'user:resume.done', { name })
  }
  const askSuspend = () =>
    ask({
      title: t('suspend.title', { name }),
      consequence: t('suspend.consequence'),
      confirm: t('suspend.confirm'),
      dismiss: { how: 'leave' },
      isDanger: true,
      act: () => setSuspended(true),
    })
  const askDelete = () =>
    ask({
      title: t('delete.title', { name }),
      consequence: t(belongsElsewhere && !isProvider ? 'delete.consequenceElsewhere' : 'delete.consequence'),
      confirm: t('delete.confirm'),
      dismiss: { how: 'keep' },
      isDanger: true,
      act: async () => {
        await call(userEdits.deleteUser, { params: { userId } }).catch((error: unknown) => {
          toast.error(error)
          throw error
        })
        toast.success('user:delete.done', { name })
        // The list opens before any refresh: the deleted user would not be found.
        await go(list)
        await client.invalidateQueries()
      },
    })
  const askReset = () =>
    ask({
      title: t('factors.title', { name }),
      consequence: t('factors.consequence'),
      confirm: t('factors.confirm'),
      dismiss: { how: 'keep' },
      isDanger: true,
      act: () => reset.mutateAsync({ params: { userId } }),
    })
  const maySuspend = isProvider || !belongsElsewhere
  return (
    <>
      {status === 'invited' && (
        <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate({ params: { userId } })}>
          {t('resend.do')}
        </Button>
      )}
      {maySuspend && user.secondFactors > 0 && (
        <Button variant="default" onClick={askReset}>
          {t('factors.do')}
        </Button>
      )}
      {maySuspend && status !== 'suspended' && (
        <Button variant="default" onClick={askSuspend}>
          {t('suspend.do')}
        </Button>
      )}
      {maySuspend && status === 'suspended' && (
        <Button variant="default" loading={update.isPending} onClick={() => void setSuspended(false).catch(() => {})}>
          {t('resume.do')}
        </Button>
      )}
      <Button variant="default" onClick={askDelete}>
        {t('delete.do')}
      </Button>
      {dialog}
    </>
  )
}
