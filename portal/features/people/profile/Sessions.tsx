import { Box, Button, Flex, Skeleton, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Session, sessions } from '#contract/people/session.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import classes from './Profile.module.css'
import { SettingRow } from './SettingRow.tsx'

/** The user's signed-in browsers, each with a sign-out button. */
export function Sessions() {
  const { t } = useTranslation('profile')
  const { data, error, refetch } = useQuery(queryOf(sessions.listSessions))
  const { ask, dialog } = useConfirm()
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
            <Row key={session.id} session={session} ask={ask} />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  )
}

const phones = ['iOS', 'iPadOS', 'Android']

function Row({ session, ask }: { session: Session; ask: ReturnType<typeof useConfirm>['ask'] }) {
  const { t } = useTranslation('profile')
  const end = useCommand(sessions.endSession, { says: 'profile:sessions.ended' })
  const { browser, system } = session
  const name = browser && system ? t('sessions.on', { browser, system }) : (browser ?? system ?? t('sessions.unknown'))
  const Icon = system && phones.includes(system) ? IconDeviceMobile : IconDeviceDesktop
  const askToEnd = () =>
    ask({
      title: t('sessions.endTitle', { name }),
      consequence: t('sessions.endText', { address: session.address }),
      confirm: t('sessions.end'),
      dismiss: { how: 'staySignedIn' },
      isDanger: true,
      act: () => end.mutateAsync({ params: { sessionId: session.id } }),
    })
  return (
    <SettingRow component="li">
      <Flex component="span" gap="xs" align="flex-start" className={classes.session}>
        <Icon size={18} aria-hidden />
        <span>
          {name}
          {session.isCurrent && (
            <Box component="strong" ml="near" c="ok" fz="fine" fw={550}>
              {t('sessions.here')}
            </Box>
          )}
          <Text span display="block" c="dimmed" fz="fine">
            {session.address} · {t('sessions.since')} <When at={session.since} as="minute" /> · {t('sessions.lastUsed')}{' '}
            <When at={session.lastUsedAt} />
          </Text>
        </span>
      </Flex>
      {!session.isCurrent && (
        <Button variant="default" onClick={askToEnd} aria-label={t('sessions.endTitle', { name })}>
          {t('sessions.end')}
        </Button>
      )}
    </SettingRow>
  )
}
