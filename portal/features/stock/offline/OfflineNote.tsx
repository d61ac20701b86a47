import { Button, Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#portal/app/session/useSession.ts'
import { Note } from '#portal/ui/page/Note.tsx'

/** Says that the portal was opened without the server, or that the user must sign in again now that it is back. */
export default function OfflineNote() {
  const { t } = useTranslation('round')
  const { offline, signIn } = useSession()
  const client = useQueryClient()
  // The screens read again what they could not.
  useEffect(() => () => void client.invalidateQueries(), [client])
  const here = useLocation({ select: ({ href }) => href })
  return (
    <Note component="div" tone="warn" mb="md" role="status">
      <Group gap="xs">
        <IconCloudOff size={17} aria-hidden />
        <Text span flex="1 1 220px">
          {t(offline === 'back' ? 'offline.back' : 'offline.away')}
        </Text>
        {offline === 'back' && (
          <Button size="compact-sm" onClick={() => void signIn(here)}>
            {t('offline.signIn')}
          </Button>
        )}
      </Group>
    </Note>
  )
}
