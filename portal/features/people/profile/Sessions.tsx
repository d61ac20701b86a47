import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessions } from '#contract/people/session.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { SessionRow } from './SessionRow.tsx'

/** The user's signed-in browsers, each with a sign-out button. */
export function Sessions() {
  const { t } = useTranslation('profile')
  const { data, error, refetch } = useQuery(queryOf(sessions.listSessions))
  const { ask, dialog } = useConfirm()
  const end = useCommand(sessions.endSession, { says: 'profile:sessions.ended' })
  const endOthers = useCommand(sessions.endOtherSessions, {
    says: ({ ended }) => ({ key: 'profile:sessions.endedOthers', values: { count: ended } }),
  })
  const others = data?.items.filter(({ isCurrent }) => !isCurrent) ?? []
  const askForOthers = () =>
    ask({
      title: t('sessions.endOthers'),
      consequence: t('sessions.endOthersText', { count: others.length }),
      confirm: t('sessions.endOthers'),
      dismiss: { how: 'staySignedIn', count: others.length },
      isDanger: true,
      act: () => endOthers.mutateAsync({}),
    })
  const button = others.length > 1 && (
    <Button size="xs" variant="default" onClick={askForOthers}>
      {t('sessions.endOthers')}
    </Button>
  )
  return (
    <Card title={t('sessions.title')} note={t('sessions.text')} actions={button}>
      {error && !data && <ErrorState isSmall error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={60} my={10} />}
      {data?.isKeptElsewhere && (
        <Text my="1em" c="dimmed" fz="fine">
          {t('sessions.elsewhere')}
        </Text>
      )}
      {data && data.items.length > 0 && (
        <ul>
          {data.items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              ask={ask}
              end={(sessionId) => end.mutateAsync({ params: { sessionId } })}
            />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  )
}
