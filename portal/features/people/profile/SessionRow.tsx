import { Box, Button, Flex, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#contract/people/session.ts'
import type { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { When } from '#portal/ui/time/When.tsx'
import classes from './Profile.module.css'
import { SettingRow } from './SettingRow.tsx'

const phones = ['iOS', 'iPadOS', 'Android']

/** A browser in which a user is signed in, with the button that ends its session. */
export function SessionRow({
  session,
  ask,
  end,
}: {
  session: Session
  ask: ReturnType<typeof useConfirm>['ask']
  end: (sessionId: string) => Promise<unknown>
}) {
  const { t } = useTranslation('profile')
  const { browser, system } = session
  const name = browser && system ? t('sessions.on', { browser, system }) : (browser ?? system ?? t('sessions.unknown'))
  const Icon = system && phones.includes(system) ? IconDeviceMobile : IconDeviceDesktop
  const place = session.isLocal ? t('sessions.local', { address: session.address }) : session.address
  const askToEnd = () =>
    ask({
      title: t('sessions.endTitle', { name }),
      consequence: t('sessions.endText', { address: session.address }),
      confirm: t('sessions.end'),
      dismiss: { how: 'staySignedIn' },
      isDanger: true,
      act: () => end(session.id),
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
            {place} · {t('sessions.since')} <When at={session.since} as="minute" /> · {t('sessions.lastUsed')}{' '}
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
