import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userSessions } from '#contract/people/session.ts'
import type { UserDetails } from '#contract/people/user-edit.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { SessionRow } from '#portal/features/people/profile/SessionRow.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'

/** The browsers in which a user is signed in, for the user's admins. */
export function UserSessions({ user }: { user: UserDetails }) {
  const { t } = useTranslation(['user', 'profile'])
  const { id: userId, name } = user
  const { data, error, refetch } = useQuery(queryOf(userSessions.listUserSessions, { params: { userId } }))
  const { ask, dialog } = useConfirm()
  const end = useCommand(userSessions.endUserSession, { says: 'profile:sessions.ended' })
  const endAll = useCommand(userSessions.endUserSessions, {
    says: ({ ended }) => ({ key: 'profile:sessions.endedOthers', values: { count: ended } }),
  })
  const askForAll = () =>
    ask({
      title: t('user:sessions.endAllTitle', { name }),
      consequence: t('user:sessions.endAllText'),
      confirm: t('user:sessions.endAll'),
      dismiss: { how: 'leave' },
      isDanger: true,
      act: () => endAll.mutateAsync({ params: { userId } }),
    })
  const button = data && data.items.length > 0 && (
    <Button size="xs" variant="default" onClick={askForAll}>
      {t('user:sessions.endAll')}
    </Button>
  )
  return (
    <Card title={t('profile:sessions.title')} note={t('user:sessions.text')} actions={button}>
      {error && !data && <ErrorState isSmall error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={60} my={10} />}
      {data && data.items.length === 0 && (
        <Text my="1em" c="dimmed" fz="fine">
          {t(data.isKeptElsewhere ? 'user:sessions.elsewhere' : 'user:sessions.none')}
        </Text>
      )}
      {data && data.items.length > 0 && (
        <ul>
          {data.items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              ask={ask}
              end={(sessionId) => end.mutateAsync({ params: { userId, sessionId } })}
            />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  )
}
